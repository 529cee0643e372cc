import LocationModel

/// The direction of the device's top edge.
///
/// 0 is a heading like any other; only negative values are invalid (behaviour 7.2).
open class CLHeading: NSObject, NSCopying, NSSecureCoding {
  private struct Values {
    var magneticHeading: CLLocationDirection = -1
    var trueHeading: CLLocationDirection = -1
    var headingAccuracy: CLLocationDirection = -1
    var x: CLHeadingComponentValue = 0
    var y: CLHeadingComponentValue = 0
    var z: CLHeadingComponentValue = 0
    var timestamp: Date
  }

  private let values: Values

  /// No heading: both headings and the accuracy are -1, the timestamp is now. For subclasses.
  public override init() {
    values = Values(timestamp: Date())
    super.init()
  }

  package init(
    magneticHeading: CLLocationDirection, trueHeading: CLLocationDirection,
    headingAccuracy: CLLocationDirection, x: CLHeadingComponentValue, y: CLHeadingComponentValue,
    z: CLHeadingComponentValue, timestamp: Date
  ) {
    values = Values(
      magneticHeading: magneticHeading, trueHeading: trueHeading, headingAccuracy: headingAccuracy,
      x: x, y: y, z: z, timestamp: timestamp)
    super.init()
  }

  /// What is not known reads as Core Location's -1 (behaviour 7.1, 7.3); the field of a compass that tells none is 0.
  package convenience init(_ heading: Heading) {
    let field = heading.fieldMicroteslas
    self.init(
      magneticHeading: heading.magneticDegrees, trueHeading: heading.trueDegrees ?? -1,
      headingAccuracy: heading.accuracyDegrees ?? -1, x: field?.x ?? 0, y: field?.y ?? 0, z: field?.z ?? 0,
      timestamp: Date(heading.time))
  }

  /// Degrees clockwise from magnetic north, from 0 up to 359.9 (behaviour 7.1).
  open var magneticHeading: CLLocationDirection { values.magneticHeading }

  /// Degrees clockwise from true north; negative where no location gives the declination (behaviour 7.1).
  open var trueHeading: CLLocationDirection { values.trueHeading }

  /// Largest deviation from the magnetic heading in degrees; negative makes the heading invalid (behaviour 7.3).
  open var headingAccuracy: CLLocationDirection { values.headingAccuracy }

  /// Field along the device's x axis in microteslas (behaviour 7.9).
  open var x: CLHeadingComponentValue { values.x }

  /// Field along the device's y axis in microteslas.
  open var y: CLHeadingComponentValue { values.y }

  /// Field along the device's z axis in microteslas.
  open var z: CLHeadingComponentValue { values.z }

  /// When the heading was measured.
  open var timestamp: Date { values.timestamp }

  open override var description: String {
    String(
      format: "magneticHeading %.2f trueHeading %.2f accuracy %.2f x %+.3f y %+.3f z %+.3f @ ",
      magneticHeading, trueHeading, headingAccuracy, x, y, z) + "\(timestamp)"
  }

  // MARK: NSCopying, NSSecureCoding

  /// The same object: a heading never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open class var supportsSecureCoding: Bool { true }

  /// Nil where a value is missing or of another type.
  public required init?(coder: NSCoder) {
    guard let magneticHeading = coder.decodeNumber(forKey: "magneticHeading"),
      let trueHeading = coder.decodeNumber(forKey: "trueHeading"),
      let headingAccuracy = coder.decodeNumber(forKey: "headingAccuracy"),
      let x = coder.decodeNumber(forKey: "x"),
      let y = coder.decodeNumber(forKey: "y"),
      let z = coder.decodeNumber(forKey: "z"),
      let timestamp = coder.decodeDate(forKey: "timestamp")
    else { return nil }
    values = Values(
      magneticHeading: magneticHeading, trueHeading: trueHeading, headingAccuracy: headingAccuracy,
      x: x, y: y, z: z, timestamp: timestamp)
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encodeNumber(values.magneticHeading, forKey: "magneticHeading")
    coder.encodeNumber(values.trueHeading, forKey: "trueHeading")
    coder.encodeNumber(values.headingAccuracy, forKey: "headingAccuracy")
    coder.encodeNumber(values.x, forKey: "x")
    coder.encodeNumber(values.y, forKey: "y")
    coder.encodeNumber(values.z, forKey: "z")
    coder.encodeDate(values.timestamp, forKey: "timestamp")
  }
}
