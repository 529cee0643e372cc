/// Where a location came from (behaviour 10.11).
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding {
  private let storedSoftwareState: Bool
  private let storedAccessoryState: Bool

  /// Neither simulated nor from an accessory.
  public override init() {
    storedSoftwareState = false
    storedAccessoryState = false
    super.init()
  }

  public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
    storedSoftwareState = isSoftware
    storedAccessoryState = isAccessory
    super.init()
  }

  /// Whether software made the location: a recording, a fixed place, a simulator.
  open var isSimulatedBySoftware: Bool { storedSoftwareState }

  /// Whether a receiver outside the device measured the location.
  open var isProducedByAccessory: Bool { storedAccessoryState }

  open override var description: String {
    "simulated by software: \(isSimulatedBySoftware), produced by accessory: \(isProducedByAccessory)"
  }

  // MARK: NSCopying, NSSecureCoding

  /// The same object: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open class var supportsSecureCoding: Bool { true }

  /// Nil where one of the two flags is missing or no number.
  public required init?(coder: NSCoder) {
    guard let isSoftware = coder.decodeFlag(forKey: "isSimulatedBySoftware"),
      let isAccessory = coder.decodeFlag(forKey: "isProducedByAccessory")
    else { return nil }
    storedSoftwareState = isSoftware
    storedAccessoryState = isAccessory
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encodeFlag(storedSoftwareState, forKey: "isSimulatedBySoftware")
    coder.encodeFlag(storedAccessoryState, forKey: "isProducedByAccessory")
  }
}

extension CLLocationSourceInformation {
  // Immutable and never handed to a subclass, so that all locations of all threads may share them.
  private nonisolated(unsafe) static let measured = CLLocationSourceInformation(
    softwareSimulationState: false, andExternalAccessoryState: false)
  private nonisolated(unsafe) static let simulated = CLLocationSourceInformation(
    softwareSimulationState: true, andExternalAccessoryState: false)
  private nonisolated(unsafe) static let fromAccessory = CLLocationSourceInformation(
    softwareSimulationState: false, andExternalAccessoryState: true)
  private nonisolated(unsafe) static let simulatedAccessory = CLLocationSourceInformation(
    softwareSimulationState: true, andExternalAccessoryState: true)

  /// The one instance of these flags: a delivered location costs no allocation for it.
  static func shared(isSimulated: Bool, isFromAccessory: Bool) -> CLLocationSourceInformation {
    switch (isSimulated, isFromAccessory) {
    case (false, false): measured
    case (true, false): simulated
    case (false, true): fromAccessory
    case (true, true): simulatedAccessory
    }
  }
}
