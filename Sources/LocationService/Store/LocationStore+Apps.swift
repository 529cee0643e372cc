import LocationEngine
import LocationModel

extension LocationStore {
  /// Every app that something is kept of, by name and user.
  package func apps() throws(StoreError) -> [StoredApp] {
    try read("the list of apps cannot be read") { (state) throws(DatabaseFailure) in
      let usages = try Self.temporaryUsages(state.database, where: "")
      return try state.database.rows(Self.selectApps + " ORDER BY name, identity.user") {
        (row) throws(DatabaseFailure) in
        try Self.app(row, usages: usages)
      }
    }
  }

  /// Nil for an app that was never seen.
  package func app(_ identifier: AppIdentifier) throws(StoreError) -> StoredApp? {
    try read("what is known of \(identifier.name) cannot be read") { (state) throws(DatabaseFailure) in
      guard let identity = try Self.identity(of: identifier, state.database) else { return nil }
      let usages = try Self.temporaryUsages(state.database, where: "WHERE identity = ?", [.integer(identity)])
      return try state.database.rows(
        Self.selectApps + " WHERE app.identity = ?", [.integer(identity)]
      ) { (row) throws(DatabaseFailure) in try Self.app(row, usages: usages) }.first
    }
  }

  /// What a person has decided. Once this returns, it is kept.
  package func store(_ grant: Grant, decidedAt: WallTime?, for app: AppIdentifier) throws(StoreError) {
    let consequence = "the permission of \(app.name) was not stored"
    try check(text: app.name, named: "its name", consequence)
    try change(consequence) { (state) throws(DatabaseFailure) in
      let identity = try Self.makeApp(app, state.database)
      try state.database.run(
        """
        UPDATE app SET level = ?, is_provisional = ?, is_precise = ?, has_requested_always = ?, is_restricted = ?,
          decided_at = ? WHERE identity = ?
        """,
        [
          .number(grant.level.rawValue), .flag(grant.isProvisional), .flag(grant.isPrecise),
          .flag(grant.hasRequestedAlways), .flag(grant.isRestricted), .optional(decidedAt, StoreValue.time),
          .integer(identity),
        ])
    }
  }

  /// How an app was seen last: what is nil takes the place of what was known before. Its grant stays.
  package func storeSighting(
    of app: AppIdentifier, kind: String?, executablePath: String?, description: AppDescription?
  ) throws(StoreError) {
    let consequence = "the description of \(app.name) was not stored"
    try check(text: app.name, named: "its name", consequence)
    try check(text: kind, named: "its kind", consequence)
    try check(text: executablePath, named: "its path", consequence)
    if let description { try check(description, consequence) }
    try change(consequence) { (state) throws(DatabaseFailure) in
      let identity = try Self.makeApp(app, state.database)
      try state.database.run(
        "UPDATE app SET kind = ?, executable_path = ? WHERE identity = ?",
        [.optional(kind, StoreValue.text), .optional(executablePath, StoreValue.text), .integer(identity)])
      try state.database.run("DELETE FROM description WHERE identity = ?", [.integer(identity)])
      if let description { try Self.insert(description, identity: identity, state.database) }
    }
  }

  /// Back to undecided, as if the person had never been asked. The rest that is known of the app stays.
  package func reset(_ app: AppIdentifier) throws(StoreError) {
    try change("the permission of \(app.name) was not reset") { (state) throws(DatabaseFailure) in
      guard let identity = try Self.identity(of: app, state.database) else { return }
      let undecided = Grant()
      try state.database.run(
        """
        UPDATE app SET level = ?, is_provisional = ?, is_precise = ?, has_requested_always = ?, is_restricted = ?,
          decided_at = NULL WHERE identity = ?
        """,
        [
          .number(undecided.level.rawValue), .flag(undecided.isProvisional), .flag(undecided.isPrecise),
          .flag(undecided.hasRequestedAlways), .flag(undecided.isRestricted), .integer(identity),
        ])
    }
  }

  /// Everything of the app goes: grant, description, registrations, events that wait. Only the access log stays: what
  /// was is not changed by forgetting who did it. It ages out by itself.
  package func forget(_ app: AppIdentifier) throws(StoreError) {
    try change("\(app.name) was not forgotten") { (state) throws(DatabaseFailure) in
      guard let identity = try Self.identity(of: app, state.database) else { return }
      try state.database.run("DELETE FROM app WHERE identity = ?", [.integer(identity)])
      try Self.removeUnusedIdentities(state.database)
    }
  }

  // MARK: Rows

  private static let selectApps = """
    SELECT identity.user, name, level, is_provisional, is_precise, has_requested_always, is_restricted, decided_at,
      kind, app.executable_path, description.identity, when_in_use_usage, always_and_when_in_use_usage, always_usage,
      prefers_reduced_accuracy, has_location_background_mode, requires_explicit_service_session, bundle.identity
    FROM app JOIN identity ON identity.id = app.identity LEFT JOIN description ON description.identity = app.identity
      LEFT JOIN bundle ON bundle.identity = app.identity
    """

  private static func app(
    _ row: StoreRow, usages: [Int64: [AppDescription.TemporaryUsage]]
  ) throws(DatabaseFailure) -> StoredApp {
    let identifier = try identifier(row, user: 0, name: 1)
    guard let level = Grant.Level(rawValue: Int(row.integer(2))) else {
      throw .damaged("the permission of \(identifier.name) is \(row.integer(2))")
    }
    var app = StoredApp(identifier: identifier)
    app.grant = Grant(
      level: level, isProvisional: row.flag(3), isPrecise: row.flag(4), hasRequestedAlways: row.flag(5),
      isRestricted: row.flag(6))
    app.decidedAt = row.optional(7, row.time)
    app.kind = row.optional(8, row.text)
    app.executablePath = row.optional(9, row.text)
    guard let identity = row.optional(10, row.integer) else { return app }
    var description = AppDescription(identifier: identifier)
    description.whenInUseUsage = row.optional(11, row.text)
    description.alwaysAndWhenInUseUsage = row.optional(12, row.text)
    description.alwaysUsage = row.optional(13, row.text)
    description.prefersReducedAccuracy = row.flag(14)
    description.hasLocationBackgroundMode = row.flag(15)
    description.requiresExplicitServiceSession = row.flag(16)
    description.isInstalled = !row.isNull(17)
    description.temporaryUsages = usages[identity] ?? []
    app.description = description
    return app
  }

  private static func temporaryUsages(
    _ database: StoreDatabase, where condition: String, _ values: [StoreValue] = []
  ) throws(DatabaseFailure) -> [Int64: [AppDescription.TemporaryUsage]] {
    var usages: [Int64: [AppDescription.TemporaryUsage]] = [:]
    try database.rows(
      "SELECT identity, purpose_key, text FROM temporary_usage \(condition) ORDER BY identity, position", values
    ) { (row) throws(DatabaseFailure) in
      usages[row.integer(0), default: []].append(.init(purposeKey: row.text(1), text: row.text(2)))
    }
    return usages
  }

  /// What each app with a description declares.
  static func descriptions(_ database: StoreDatabase) throws(DatabaseFailure) -> [AppIdentifier: AppDescription] {
    let usages = try temporaryUsages(database, where: "")
    var descriptions: [AppIdentifier: AppDescription] = [:]
    try database.rows(selectApps) { (row) throws(DatabaseFailure) in
      let app = try app(row, usages: usages)
      descriptions[app.identifier] = app.description
    }
    return descriptions
  }

  static func insert(
    _ description: AppDescription, identity: Int64, _ database: StoreDatabase
  ) throws(DatabaseFailure) {
    try database.run(
      "INSERT INTO description VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .integer(identity), .optional(description.whenInUseUsage, StoreValue.text),
        .optional(description.alwaysAndWhenInUseUsage, StoreValue.text),
        .optional(description.alwaysUsage, StoreValue.text), .flag(description.prefersReducedAccuracy),
        .flag(description.hasLocationBackgroundMode), .flag(description.requiresExplicitServiceSession),
      ])
    for (position, usage) in description.temporaryUsages.enumerated() {
      try database.run(
        "INSERT INTO temporary_usage VALUES (?, ?, ?, ?)",
        [.integer(identity), .number(position), .text(usage.purposeKey), .text(usage.text)])
    }
  }

  func check(_ description: AppDescription, _ consequence: String) throws(StoreError) {
    let usages = description.temporaryUsages
    guard usages.count <= limits.temporaryUsagesMax else {
      throw StoreError(
        path: path, consequence: consequence,
        reason: .unstorable("it has \(usages.count) temporary usages, \(limits.temporaryUsagesMax) are allowed"))
    }
    let texts = [description.whenInUseUsage, description.alwaysAndWhenInUseUsage, description.alwaysUsage]
    for text in texts + usages.flatMap({ [$0.purposeKey, $0.text] }) {
      try check(text: text, named: "one of its usage texts", consequence)
    }
  }
}

// MARK: Identities

extension LocationStore {
  /// The column where the service serves one user: no user has this number.
  private static let noUser: Int64 = -1

  static func userValue(_ app: AppIdentifier) -> StoreValue {
    .integer(app.userNumber.map(Int64.init) ?? noUser)
  }

  static func identity(of app: AppIdentifier, _ database: StoreDatabase) throws(DatabaseFailure) -> Int64? {
    try database.rows(
      "SELECT id FROM identity WHERE user = ? AND name = ?", [userValue(app), .text(app.name)]
    ) { (row) throws(DatabaseFailure) in row.integer(0) }.first
  }

  static func makeIdentity(of app: AppIdentifier, _ database: StoreDatabase) throws(DatabaseFailure) -> Int64 {
    if let identity = try identity(of: app, database) { return identity }
    try database.run("INSERT INTO identity (user, name) VALUES (?, ?)", [userValue(app), .text(app.name)])
    return database.lastInsertedRow
  }

  /// The app's row, undecided where there was none.
  static func makeApp(_ app: AppIdentifier, _ database: StoreDatabase) throws(DatabaseFailure) -> Int64 {
    let identity = try makeIdentity(of: app, database)
    let undecided = Grant()
    try database.run(
      """
      INSERT INTO app (identity, level, is_provisional, is_precise, has_requested_always, is_restricted)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (identity) DO NOTHING
      """,
      [
        .integer(identity), .number(undecided.level.rawValue), .flag(undecided.isProvisional),
        .flag(undecided.isPrecise), .flag(undecided.hasRequestedAlways), .flag(undecided.isRestricted),
      ])
    return identity
  }

  static func removeUnusedIdentities(_ database: StoreDatabase) throws(DatabaseFailure) {
    try database.run(
      """
      DELETE FROM identity WHERE NOT EXISTS (SELECT 1 FROM app WHERE app.identity = identity.id)
        AND NOT EXISTS (SELECT 1 FROM access WHERE access.identity = identity.id)
      """)
  }

  static func identifier(
    _ row: StoreRow, user: Int32, name: Int32
  ) throws(DatabaseFailure) -> AppIdentifier {
    let number = row.integer(user)
    if number == noUser { return AppIdentifier(row.text(name)) }
    guard let user = UInt32(exactly: number) else { throw .damaged("user number \(number)") }
    return AppIdentifier(row.text(name), userNumber: user)
  }
}
