import LocationModel

/// What belongs to the device and to no app.
extension LocationStore {
  /// The whole fix with the time at which it was measured; nil where there never was one.
  package func lastFix() throws(StoreError) -> Fix? {
    try read("the last location cannot be read") { (state) throws(DatabaseFailure) in
      try state.database.rows("SELECT * FROM last_fix") { (row) throws(DatabaseFailure) in try Self.fix(row) }.first
    }
  }

  package func store(lastFix fix: Fix) throws(StoreError) {
    let consequence = "the last location was not stored"
    try check(
      numbers: [
        fix.coordinate.latitude, fix.coordinate.longitude, fix.horizontalAccuracyMeters, fix.altitudeMeters,
        fix.ellipsoidalAltitudeMeters, fix.verticalAccuracyMeters, fix.speedMetersPerSecond,
        fix.speedAccuracyMetersPerSecond, fix.courseDegrees, fix.courseAccuracyDegrees,
      ], consequence)
    let values: [StoreValue] = [
      .real(fix.coordinate.latitude), .real(fix.coordinate.longitude),
      .optional(fix.horizontalAccuracyMeters, StoreValue.real), .optional(fix.altitudeMeters, StoreValue.real),
      .optional(fix.ellipsoidalAltitudeMeters, StoreValue.real), .optional(fix.verticalAccuracyMeters, StoreValue.real),
      .optional(fix.speedMetersPerSecond, StoreValue.real),
      .optional(fix.speedAccuracyMetersPerSecond, StoreValue.real), .optional(fix.courseDegrees, StoreValue.real),
      .optional(fix.courseAccuracyDegrees, StoreValue.real), .optional(fix.floor, StoreValue.number),
      .time(fix.time), .flag(fix.isSimulated), .flag(fix.isFromAccessory), .number(Int(fix.source.rawValue)),
    ]
    try change(consequence, survives: .kill) { (state) throws(DatabaseFailure) in
      try state.database.run(
        "INSERT OR REPLACE INTO last_fix VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    }
  }

  package func removeLastFix() throws(StoreError) {
    try change("the last location was not removed") { (state) throws(DatabaseFailure) in
      try state.database.run("DELETE FROM last_fix")
    }
  }

  private static func fix(_ row: StoreRow) throws(DatabaseFailure) -> Fix {
    guard let source = UInt8(exactly: row.integer(15)).flatMap(FixSource.init) else {
      throw .damaged("the source of the last location is \(row.integer(15))")
    }
    let coordinate = Coordinate(latitude: row.real(1), longitude: row.real(2))
    guard coordinate.isValid else { throw .damaged("the last location is no place") }
    return Fix(
      coordinate: coordinate, horizontalAccuracyMeters: row.optional(3, row.real), time: row.time(12),
      altitudeMeters: row.optional(4, row.real), ellipsoidalAltitudeMeters: row.optional(5, row.real),
      verticalAccuracyMeters: row.optional(6, row.real), speedMetersPerSecond: row.optional(7, row.real),
      speedAccuracyMetersPerSecond: row.optional(8, row.real), courseDegrees: row.optional(9, row.real),
      courseAccuracyDegrees: row.optional(10, row.real), floor: row.optional(11, row.integer).map(Int.init),
      isSimulated: row.flag(13), isFromAccessory: row.flag(14), source: source)
  }

  // MARK: Settings

  /// Nil where nobody has set it.
  package func setting(_ key: String) throws(StoreError) -> String? {
    try read("the setting \(key) cannot be read") { (state) throws(DatabaseFailure) in
      try state.database.rows(
        "SELECT value FROM setting WHERE key = ?", [.text(key)]
      ) { (row) throws(DatabaseFailure) in row.text(0) }.first
    }
  }

  package func settings() throws(StoreError) -> [String: String] {
    try read("the settings cannot be read") { (state) throws(DatabaseFailure) in
      let pairs = try state.database.rows(
        "SELECT key, value FROM setting"
      ) { (row) throws(DatabaseFailure) in (row.text(0), row.text(1)) }
      return Dictionary(pairs) { $1 }
    }
  }

  /// Nil takes the setting away.
  package func store(setting key: String, value: String?) throws(StoreError) {
    let consequence = "the setting \(key) was not stored"
    try check(text: key, named: "its name", consequence)
    try check(text: value, named: "its value", consequence)
    try change(consequence) { (state) throws(DatabaseFailure) in
      if let value {
        try state.database.run("INSERT OR REPLACE INTO setting VALUES (?, ?)", [.text(key), .text(value)])
      } else {
        try state.database.run("DELETE FROM setting WHERE key = ?", [.text(key)])
      }
    }
  }

  /// The person's switch for all of Location Services; nil where it was never touched.
  package func locationServicesSwitch() throws(StoreError) -> Bool? { try flag("locationServices") }

  package func store(locationServicesSwitch isOn: Bool) throws(StoreError) {
    try store(setting: "locationServices", value: isOn ? "on" : "off")
  }

  /// The person's own airplane switch; nil where it was never touched.
  package func airplaneModeSwitch() throws(StoreError) -> Bool? { try flag("airplaneMode") }

  package func store(airplaneModeSwitch isOn: Bool) throws(StoreError) {
    try store(setting: "airplaneMode", value: isOn ? "on" : "off")
  }

  /// Background App Refresh of the whole device (behaviour 3.11); nil where it was never touched.
  package func backgroundRefreshSwitch() throws(StoreError) -> Bool? { try flag("backgroundRefresh") }

  package func store(backgroundRefreshSwitch isOn: Bool) throws(StoreError) {
    try store(setting: "backgroundRefresh", value: isOn ? "on" : "off")
  }

  /// Which start of the machine the service ran in last.
  package func lastMachineStart() throws(StoreError) -> String? { try setting("machineStart") }

  /// When the service was started last; nil where it never was.
  package func lastServiceStart() throws(StoreError) -> WallTime? {
    try setting("serviceStart").flatMap { Int64($0) }.map { WallTime(nanosecondsSince1970: $0) }
  }

  package func store(machineStart: String?, serviceStart: WallTime) throws(StoreError) {
    try store(setting: "machineStart", value: machineStart)
    try store(setting: "serviceStart", value: String(serviceStart.nanosecondsSince1970))
  }

  private func flag(_ key: String) throws(StoreError) -> Bool? {
    switch try setting(key) {
    case nil: return nil
    case "on": return true
    case "off": return false
    case let other?:
      throw StoreError(
        path: path, consequence: "the setting \(key) cannot be read", reason: .damaged("its value is \(other)"))
    }
  }
}
