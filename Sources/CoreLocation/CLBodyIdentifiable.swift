/// Something whose orientation headings may follow, such as a window.
public protocol CLBodyIdentifiable: NSObjectProtocol {}
