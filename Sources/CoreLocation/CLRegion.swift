/// A place to be watched. What is used are its subclasses, `CLCircularRegion` and `CLBeaconRegion`.
///
/// A region is known by its identifier: regions of one identifier are equal, whatever their shape
/// (behaviour 5.4, 10.14).
open class CLRegion: NSObject, NSCopying, NSSecureCoding {
  private let storedIdentifier: String

  /// Whether entering is told, and launches the app (behaviour 5.14).
  open var notifyOnEntry = true

  /// Whether leaving is told, and launches the app (behaviour 5.14).
  open var notifyOnExit = true

  /// A region without a name or a shape. For subclasses.
  public override init() {
    storedIdentifier = ""
    super.init()
  }

  init(identifier: String) {
    storedIdentifier = identifier
    super.init()
  }

  /// The app's own name for the region.
  open var identifier: String { storedIdentifier }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLRegion else { return false }
    return identifier == other.identifier
  }

  open override var hash: Int { identifier.hashValue }

  open override var description: String { "\(Swift.type(of: self)) (identifier:'\(identifier)')" }

  // MARK: NSCopying, NSSecureCoding

  /// A region of its own with the same values. A subclass that adds values overrides this.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLRegion(identifier: identifier)
    copy.takeFlags(from: self)
    return copy
  }

  func takeFlags(from other: CLRegion) {
    notifyOnEntry = other.notifyOnEntry
    notifyOnExit = other.notifyOnExit
  }

  open class var supportsSecureCoding: Bool { true }

  /// Nil where a value is missing or of another type.
  public required init?(coder: NSCoder) {
    guard let identifier = coder.decodeText(forKey: "identifier"),
      let notifyOnEntry = coder.decodeFlag(forKey: "notifyOnEntry"),
      let notifyOnExit = coder.decodeFlag(forKey: "notifyOnExit")
    else { return nil }
    storedIdentifier = identifier
    super.init()
    self.notifyOnEntry = notifyOnEntry
    self.notifyOnExit = notifyOnExit
  }

  open func encode(with coder: NSCoder) {
    coder.encodeText(storedIdentifier, forKey: "identifier")
    coder.encodeFlag(notifyOnEntry, forKey: "notifyOnEntry")
    coder.encodeFlag(notifyOnExit, forKey: "notifyOnExit")
  }
}
