import LocationModel

/// What the device knows of where it points, whoever may be told.
struct Compass {
  /// The newest sample, and those shortly before it that it is averaged with; oldest first.
  private(set) var readings: [HeadingReading] = []
  var sensorIsOn = false
  /// The field at the device's newest place.
  private var local: (place: Coordinate, field: MagneticField?)?
  /// The newest disturbance; nil where there was none since the sensor was switched on.
  private var disturbedAt: Instant?
  /// Counts the disturbances, so that each is told once to each manager.
  private(set) var disturbanceCount = 0
  /// The developer was told that the magnetic model does not hold.
  var hasSaidModelDoesNotHold = false

  var newest: HeadingReading? { readings.last }

  mutating func switchOff() {
    readings = []
    disturbedAt = nil
    local = nil
  }

  mutating func add(_ reading: HeadingReading, at now: Instant, policy: Policy) {
    if reading.isDisturbed {
      if isCalm(at: now, policy: policy) { disturbanceCount += 1 }
      disturbedAt = now
    }
    readings.append(reading)
    if readings.count > policy.headingAveragedSamplesMax { readings.removeFirst() }
  }

  /// No disturbance for a while: the next one is a new one.
  func isCalm(at now: Instant, policy: Policy) -> Bool {
    guard let disturbedAt else { return true }
    return now.seconds(since: disturbedAt) >= policy.headingCalmSeconds
  }

  /// The Earth's field at a place; worked out anew when the device has another one.
  mutating func field(at fix: Fix?, time: WallTime) -> MagneticField? {
    guard let fix else { return nil }
    if let local, local.place == fix.coordinate { return local.field }
    let field = Self.field(at: fix, time: time)
    local = (fix.coordinate, field)
    return field
  }

  static func field(at fix: Fix, time: WallTime) -> MagneticField? {
    WorldMagneticModel.wmm2025.field(at: fix, decimalYear: time.decimalYear)
  }

  /// Where the front points from the north that the source knows: what a magnetometer measures is averaged with what it
  /// measured just before, as unit vectors (algorithms 4); what a compass gives has been filtered there.
  func directionDegrees(_ orientation: HeadingOrientation, policy: Policy) -> Double? {
    guard let newest, let direction = newest.directionDegrees(orientation) else { return nil }
    guard newest.fieldMicroteslas != nil, !newest.isDisturbed else { return direction }
    let alike = readings.filter { reading in
      let age = newest.sample.time.seconds(since: reading.sample.time)
      return reading.fieldMicroteslas != nil && !reading.isDisturbed && age >= 0 && age <= policy.headingAverageSeconds
    }
    return CircleAngle.mean(alike.compactMap { $0.directionDegrees(orientation) }) ?? direction
  }
}
