import LocationEngine
import LocationModel

/// What apps asked to be told of while they do not run, and what waits for them.
extension LocationStore {
  /// All apps that registered something, by name and user.
  package func registrations() throws(StoreError) -> [(app: AppIdentifier, registrations: StoredRegistrations)] {
    try read("what apps registered cannot be read") { (state) throws(DatabaseFailure) in
      let database = state.database
      var regions: [Int64: [StoredRegistrations.WatchedRegion]] = [:]
      try database.rows("SELECT * FROM region ORDER BY identity, position") { (row) throws(DatabaseFailure) in
        regions[row.integer(0), default: []].append(try Self.region(row))
      }
      return try database.rows(
        """
        SELECT registration.identity, user, name, monitors_significant_changes, monitors_visits, engine_state
        FROM registration JOIN identity ON identity.id = registration.identity ORDER BY name, user
        """
      ) { (row) throws(DatabaseFailure) in
        let app = try Self.identifier(row, user: 1, name: 2)
        let stored = StoredRegistrations(
          regions: regions[row.integer(0)] ?? [], monitorsSignificantChanges: row.flag(3), monitorsVisits: row.flag(4),
          engineState: row.optional(5, row.bytes))
        return (app, stored)
      }
    }
  }

  /// Of one app; empty where it registered nothing.
  package func registrations(of app: AppIdentifier) throws(StoreError) -> StoredRegistrations {
    try read("what \(app.name) registered cannot be read") { (state) throws(DatabaseFailure) in
      let database = state.database
      guard let identity = try Self.identity(of: app, database) else { return StoredRegistrations() }
      let regions = try database.rows(
        "SELECT * FROM region WHERE identity = ? ORDER BY position", [.integer(identity)]
      ) { (row) throws(DatabaseFailure) in try Self.region(row) }
      return try database.rows(
        """
        SELECT monitors_significant_changes, monitors_visits, engine_state FROM registration WHERE identity = ?
        """, [.integer(identity)]
      ) { (row) throws(DatabaseFailure) in
        StoredRegistrations(
          regions: regions, monitorsSignificantChanges: row.flag(0), monitorsVisits: row.flag(1),
          engineState: row.optional(2, row.bytes))
      }.first ?? StoredRegistrations()
    }
  }

  /// Takes the place of all that the app registered before. `events` join those that wait for the app in the same step,
  /// so that a crossing is neither lost nor told twice; their numbers are given back in order.
  @discardableResult
  package func store(
    _ registrations: StoredRegistrations, appending events: [[UInt8]] = [], for app: AppIdentifier
  ) throws(StoreError) -> [Int64] {
    let consequence = "what \(app.name) registered was not stored"
    try check(text: app.name, named: "its name", consequence)
    try check(registrations, consequence)
    try check(events, consequence)
    return try changeWithEvents(events.count, of: app, consequence) { (identity, database) throws(DatabaseFailure) in
      try database.run("DELETE FROM registration WHERE identity = ?", [.integer(identity)])
      if !registrations.isEmpty { try Self.insert(registrations, identity: identity, database) }
      return try Self.append(events, identity: identity, database)
    }
  }

  /// The same with the events that wait from now on in place of those that waited, in their order. One that waited
  /// already keeps its number.
  package func store(
    _ registrations: StoredRegistrations, waiting events: [[UInt8]], for app: AppIdentifier
  ) throws(StoreError) {
    let consequence = "what \(app.name) registered was not stored"
    try check(text: app.name, named: "its name", consequence)
    try check(registrations, consequence)
    try check(events, consequence)
    guard events.count <= limits.pendingEventsPerAppMax else {
      throw StoreError(
        path: path, consequence: consequence,
        reason: .limit("\(events.count) events wait for it, \(limits.pendingEventsPerAppMax) are allowed"))
    }
    try change(consequence) { (state) throws(DatabaseFailure) in
      let identity = try Self.makeApp(app, state.database)
      try state.database.run("DELETE FROM registration WHERE identity = ?", [.integer(identity)])
      if !registrations.isEmpty { try Self.insert(registrations, identity: identity, state.database) }
      try Self.replaceEvents(with: events, identity: identity, state.database)
    }
  }

  private static func replaceEvents(
    with events: [[UInt8]], identity: Int64, _ database: StoreDatabase
  ) throws(DatabaseFailure) {
    let rows = try database.rows(
      "SELECT id, event FROM pending_event WHERE identity = ?", [.integer(identity)]
    ) { (row) throws(DatabaseFailure) in (number: row.integer(0), bytes: row.bytes(1)) }
    let wanted = Set(events)
    for row in rows where !wanted.contains(row.bytes) {
      try database.run("DELETE FROM pending_event WHERE id = ?", [.integer(row.number)])
    }
    let known = Set(rows.map(\.bytes))
    _ = try append(events.filter { !known.contains($0) }, identity: identity, database)
  }

  // MARK: Events that wait

  /// Keeps an event until the app has taken it. Gives the number to acknowledge it by.
  package func append(event: [UInt8], for app: AppIdentifier) throws(StoreError) -> Int64 {
    let consequence = "an event of \(app.name) was not stored"
    try check(text: app.name, named: "its name", consequence)
    try check([event], consequence)
    return try changeWithEvents(1, of: app, consequence) { (identity, database) throws(DatabaseFailure) in
      try Self.append([event], identity: identity, database)[0]
    }
  }

  /// The oldest first.
  package func pendingEvents(of app: AppIdentifier) throws(StoreError) -> [PendingEvent] {
    try read("the events that wait for \(app.name) cannot be read") { (state) throws(DatabaseFailure) in
      guard let identity = try Self.identity(of: app, state.database) else { return [] }
      return try state.database.rows(
        "SELECT id, event FROM pending_event WHERE identity = ? ORDER BY id", [.integer(identity)]
      ) { (row) throws(DatabaseFailure) in PendingEvent(number: row.integer(0), bytes: row.bytes(1)) }
    }
  }

  /// By name and user.
  package func appsWithPendingEvents() throws(StoreError) -> [AppIdentifier] {
    try read("the apps that events wait for cannot be read") { (state) throws(DatabaseFailure) in
      try state.database.rows(
        """
        SELECT user, name FROM identity WHERE EXISTS (SELECT 1 FROM pending_event WHERE identity = identity.id)
        ORDER BY name, user
        """
      ) { (row) throws(DatabaseFailure) in try Self.identifier(row, user: 0, name: 1) }
    }
  }

  /// The app has taken an event. An app cannot take another one's; false where none of this number waits for it.
  @discardableResult
  package func acknowledge(event number: Int64, of app: AppIdentifier) throws(StoreError) -> Bool {
    try change("an event that \(app.name) has taken will come again") { (state) throws(DatabaseFailure) in
      guard let identity = try Self.identity(of: app, state.database) else { return false }
      try state.database.run(
        "DELETE FROM pending_event WHERE id = ? AND identity = ?", [.integer(number), .integer(identity)])
      return state.database.changedRowCount == 1
    }
  }

  // MARK: Rows

  /// Throws where so many more events would be too many.
  private func changeWithEvents<Value>(
    _ count: Int, of app: AppIdentifier, _ consequence: String,
    _ body: (Int64, StoreDatabase) throws(DatabaseFailure) -> Value
  ) throws(StoreError) -> Value {
    let max = limits.pendingEventsPerAppMax
    let value = try change(consequence) { (state) throws(DatabaseFailure) -> Value? in
      let identity = try Self.makeApp(app, state.database)
      if count > 0 {
        let waiting =
          try state.database.rows(
            "SELECT count(*) FROM pending_event WHERE identity = ?", [.integer(identity)]
          ) { (row) throws(DatabaseFailure) in row.integer(0) }.first ?? 0
        guard Int(waiting) + count <= max else { return nil }
      }
      return try body(identity, state.database)
    }
    guard let value else {
      throw StoreError(
        path: path, consequence: consequence, reason: .limit("\(max) events wait for it already, the most allowed"))
    }
    return value
  }

  private static func append(
    _ events: [[UInt8]], identity: Int64, _ database: StoreDatabase
  ) throws(DatabaseFailure) -> [Int64] {
    var numbers: [Int64] = []
    for event in events {
      try database.run(
        "INSERT INTO pending_event (identity, event) VALUES (?, ?)", [.integer(identity), .bytes(event)])
      numbers.append(database.lastInsertedRow)
    }
    return numbers
  }

  private static func insert(
    _ registrations: StoredRegistrations, identity: Int64, _ database: StoreDatabase
  ) throws(DatabaseFailure) {
    try database.run(
      "INSERT INTO registration VALUES (?, ?, ?, ?)",
      [
        .integer(identity), .flag(registrations.monitorsSignificantChanges), .flag(registrations.monitorsVisits),
        .optional(registrations.engineState, StoreValue.bytes),
      ])
    for (position, watched) in registrations.regions.enumerated() {
      let region = watched.region
      try database.run(
        "INSERT INTO region VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [.integer(identity), .number(position), .text(region.identifier)] + values(of: region.shape) + [
          .flag(region.notifiesOnEntry), .flag(region.notifiesOnExit), .flag(region.notifiesEntryStateOnDisplay),
          .number(watched.state.rawValue), .optional(region.marginMeters, StoreValue.real),
        ])
    }
  }

  /// Latitude, longitude, radius; UUID, major, minor.
  private static func values(of shape: Region.Shape) -> [StoreValue] {
    switch shape {
    case .circle(let center, let radius):
      return [.real(center.latitude), .real(center.longitude), .real(radius), .null, .null, .null]
    case .beacons(let beacons):
      let halves = [beacons.uuidHigh, beacons.uuidLow]
      let uuid = halves.flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
      let numbers = [beacons.major, beacons.minor].map { StoreValue.optional($0) { .integer(Int64($0)) } }
      return [.null, .null, .null, .bytes(uuid)] + numbers
    }
  }

  private static func region(_ row: StoreRow) throws(DatabaseFailure) -> StoredRegistrations.WatchedRegion {
    let identifier = row.text(2)
    guard let state = RegionState(rawValue: Int(row.integer(12))), let shape = shape(row) else {
      throw .damaged("a stored region cannot be one")
    }
    let region = Region(
      identifier: identifier, shape: shape, notifiesOnEntry: row.flag(9), notifiesOnExit: row.flag(10),
      notifiesEntryStateOnDisplay: row.flag(11), marginMeters: row.optional(13, row.real))
    return StoredRegistrations.WatchedRegion(region: region, state: state)
  }

  private static func shape(_ row: StoreRow) -> Region.Shape? {
    guard !row.isNull(6) else {
      return .circle(center: Coordinate(latitude: row.real(3), longitude: row.real(4)), radiusMeters: row.real(5))
    }
    let uuid = row.bytes(6)
    guard uuid.count == 16 else { return nil }
    let halves = [uuid[..<8], uuid[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    return .beacons(
      BeaconConstraint(
        uuidHigh: halves[0], uuidLow: halves[1], major: row.optional(7, row.integer).flatMap { UInt16(exactly: $0) },
        minor: row.optional(8, row.integer).flatMap { UInt16(exactly: $0) }))
  }

  // MARK: What may come in

  private func check(_ registrations: StoredRegistrations, _ consequence: String) throws(StoreError) {
    let count = registrations.regions.count
    guard count <= limits.regionsPerAppMax else {
      throw StoreError(
        path: path, consequence: consequence,
        reason: .limit("it has \(count) regions, \(limits.regionsPerAppMax) are allowed"))
    }
    let bytes = registrations.engineState?.count ?? 0
    guard bytes <= limits.engineStateBytesMax else {
      throw StoreError(
        path: path, consequence: consequence,
        reason: .unstorable("its state has \(bytes) bytes, \(limits.engineStateBytesMax) are allowed"))
    }
    for region in registrations.regions.map(\.region) {
      try check(text: region.identifier, named: "the name of a region", consequence)
      guard case .circle(let center, let radius) = region.shape else { continue }
      try check(numbers: [center.latitude, center.longitude, radius, region.marginMeters], consequence)
    }
  }

  private func check(_ events: [[UInt8]], _ consequence: String) throws(StoreError) {
    guard let long = events.first(where: { $0.count > limits.eventBytesMax }) else { return }
    throw StoreError(
      path: path, consequence: consequence,
      reason: .unstorable("an event has \(long.count) bytes, \(limits.eventBytesMax) are allowed"))
  }
}
