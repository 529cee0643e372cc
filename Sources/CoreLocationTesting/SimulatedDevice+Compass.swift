import LocationModel

/// Which way the device points, and what disturbs its compass. It lies flat, and its compass tells nothing before a
/// test has said where it points, here or on the legs of a journey. What was said last holds: `point` until the next
/// journey with headings begins.
extension SimulatedDevice {
  /// The device turns: its top edge points so many degrees clockwise from magnetic north. Delivered at once, as long as
  /// the app listens; an app that begins to later hears it then.
  ///
  /// - Parameters:
  ///   - magneticDegrees: any number of degrees.
  ///   - accuracyDegrees: how far it may be off, as the compass says, 0 or more; nil is a compass that does not say.
  public func point(magneticDegrees: Double, accuracyDegrees: Double? = 10) {
    Self.refuse(degrees: magneticDegrees, accuracyDegrees)
    note("the device points \(magneticDegrees.inWholes)° from magnetic north")
    compass.point(magneticDegrees: magneticDegrees, accuracyDegrees: accuracyDegrees)
    settle()
  }

  /// The same from true north, by the declination at the device's place; a device without a place takes magnetic north
  /// for the true one. Whether the app is told of true north depends on what it may know of the place (behaviour 7.1).
  public func point(trueDegrees: Double, accuracyDegrees: Double? = 10) {
    Self.refuse(degrees: trueDegrees, accuracyDegrees)
    note("the device points \(trueDegrees.inWholes)° from true north")
    compass.point(trueDegrees: trueDegrees, accuracyDegrees: accuracyDegrees)
    settle()
  }

  /// The device points where its journey says from now on (`headingDegrees`, `turn(toDegrees:over:)`), else where it
  /// goes, and while it rests where it pointed or went last.
  public func pointAhead(accuracyDegrees: Double? = 10) {
    Self.refuse(degrees: 0, accuracyDegrees)
    note("the device points where it goes")
    compass.pointAhead(accuracyDegrees: accuracyDegrees)
    settle()
  }

  private static func refuse(degrees: Double, _ accuracyDegrees: Double?) {
    TestMistake.refuseNoNumber(degrees: degrees, "a direction")
    if let accuracyDegrees {
      TestMistake.refuse(
        unless: accuracyDegrees >= 0 && accuracyDegrees.isFinite,
        "a compass is off by 0 degrees or more, not \(accuracyDegrees)")
    }
  }

  /// Whether something magnetic is near, stronger than the Earth's field: the app hears `headingFailure` when it comes,
  /// and headings with a negative accuracy while it is there (behaviour 7.3, 7.6). A magnet that comes back within 5 s
  /// is not told a second time.
  public var hasMagneticInterference: Bool {
    get { compass.hasInterference }
    set {
      note(newValue ? "something magnetic comes near" : "nothing magnetic is near any more")
      compass.set(hasInterference: newValue)
      settle()
    }
  }

  /// Whether the device has a compass, as phones have; `point` gives it one. Without one no heading comes, and
  /// `headingAvailable()` is false (behaviour 7.6).
  public var hasCompass: Bool {
    get { compass.isThere }
    set {
      note("the device \(newValue ? "has a" : "is without a") compass")
      compass.set(isThere: newValue)
      settle()
    }
  }

  /// The compass measures something; delivered at once.
  package func measure(_ sample: HeadingSample) {
    compass.give(sample)
    settle()
  }
}
