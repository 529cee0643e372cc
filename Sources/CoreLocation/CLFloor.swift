/// The storey of a building: 0 is the ground floor, negative is below (behaviour 10.12).
open class CLFloor: NSObject, NSCopying, NSSecureCoding {
  private let storedLevel: Int

  /// The ground floor. An app gets its floors from `CLLocation.floor`; this is for subclasses.
  public override init() {
    storedLevel = 0
    super.init()
  }

  package init(level: Int) {
    storedLevel = level
    super.init()
  }

  open var level: Int { storedLevel }

  open override var description: String { "Floor \(level)" }

  // MARK: NSCopying, NSSecureCoding

  /// The same object: a floor never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open class var supportsSecureCoding: Bool { true }

  /// Nil where the level is missing or not a whole number.
  public required init?(coder: NSCoder) {
    guard let level = coder.decodeWholeNumber(forKey: "level") else { return nil }
    storedLevel = level
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encodeNumber(storedLevel, forKey: "level")
  }
}
