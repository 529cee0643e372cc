import LocationEngine
import LocationModel

/// An installed bundle of one user, and since when.
package struct InstalledBundle: Hashable, Sendable {
  package var app: AppIdentifier
  package var bundle: AppBundle
  package var installedAt: WallTime

  package init(app: AppIdentifier, bundle: AppBundle, installedAt: WallTime) {
    self.app = app
    self.bundle = bundle
    self.installedAt = installedAt
  }
}

/// Which apps are installed, and where.
///
/// An app is installed once for each user, under its bundle identifier; a bundle and a program belong to one app. What
/// is installed again takes the place of what was there: the app keeps its grant, its regions and the events that wait
/// for it. Another app at the same path takes the place of the one that was there, which is uninstalled by that.
extension LocationStore {
  /// Once this returns, the app is installed also after a power failure.
  ///
  /// - Parameter app: the bundle's identifier and its user.
  /// - Returns: apps that this has uninstalled, since their bundle or program is the new one's.
  @discardableResult
  package func install(
    _ bundle: AppBundle, as app: AppIdentifier, at time: WallTime
  ) throws(StoreError) -> [AppIdentifier] {
    let consequence = "\(app.name) was not installed"
    try check(text: app.name, named: "its name", consequence)
    try check(text: bundle.path, named: "its path", consequence)
    try check(text: bundle.executablePath, named: "its program's path", consequence)
    let lists = [("background modes", bundle.backgroundModes), ("requirements", bundle.requirements.map(\.capability))]
    for (name, list) in lists {
      guard list.count <= limits.bundleListMax else {
        throw StoreError(
          path: path, consequence: consequence,
          reason: .unstorable("it has \(list.count) \(name), \(limits.bundleListMax) are allowed"))
      }
      for text in list { try check(text: text, named: "one of its \(name)", consequence) }
    }
    try check(bundle.description, consequence)
    return try change(consequence) { (state) throws(DatabaseFailure) in
      let identity = try Self.makeApp(app, state.database)
      let displaced = try Self.displace(bundle, by: identity, app, state.database)
      try Self.write(bundle, of: app, identity: identity, at: time, state.database)
      return displaced
    }
  }

  private static func displace(
    _ bundle: AppBundle, by identity: Int64, _ app: AppIdentifier, _ database: StoreDatabase
  ) throws(DatabaseFailure) -> [AppIdentifier] {
    let condition = """
      SELECT bundle.identity FROM bundle
      WHERE bundle.user = ? AND (path = ? OR executable_path = ?) AND bundle.identity != ?
      """
    let values: [StoreValue] = [
      userValue(app), .text(bundle.path), .text(bundle.executablePath), .integer(identity),
    ]
    let displaced = try database.rows(
      "SELECT user, name FROM identity WHERE id IN (\(condition)) ORDER BY name", values
    ) { (row) throws(DatabaseFailure) in try identifier(row, user: 0, name: 1) }
    guard !displaced.isEmpty else { return [] }
    try database.run("DELETE FROM app WHERE identity IN (\(condition))", values)
    try removeUnusedIdentities(database)
    return displaced
  }

  private static func write(
    _ bundle: AppBundle, of app: AppIdentifier, identity: Int64, at time: WallTime, _ database: StoreDatabase
  ) throws(DatabaseFailure) {
    try database.run(
      "UPDATE app SET kind = ?, executable_path = ? WHERE identity = ?",
      [.text(PeerIdentity.Kind.bundle.rawValue), .text(bundle.executablePath), .integer(identity)])
    try database.run("DELETE FROM description WHERE identity = ?", [.integer(identity)])
    try insert(bundle.description, identity: identity, database)
    try database.run("DELETE FROM bundle WHERE identity = ?", [.integer(identity)])
    try database.run(
      "INSERT INTO bundle VALUES (?, ?, ?, ?, ?)",
      [
        .integer(identity), userValue(app), .text(bundle.path), .text(bundle.executablePath), .time(time),
      ])
    for (position, mode) in bundle.backgroundModes.enumerated() {
      try database.run(
        "INSERT INTO background_mode VALUES (?, ?, ?)", [.integer(identity), .number(position), .text(mode)])
    }
    for (position, requirement) in bundle.requirements.enumerated() {
      try database.run(
        "INSERT INTO device_requirement VALUES (?, ?, ?, ?)",
        [
          .integer(identity), .number(position), .text(requirement.capability), .flag(requirement.isPresent),
        ])
    }
  }

  /// Every installed app, by name and user.
  package func bundles() throws(StoreError) -> [InstalledBundle] {
    try bundles(where: "", [])
  }

  /// Nil for an app that is not installed.
  package func bundle(of app: AppIdentifier) throws(StoreError) -> InstalledBundle? {
    try bundles(where: "WHERE identity.user = ? AND identity.name = ?", [Self.userValue(app), .text(app.name)]).first
  }

  /// The bundle identifier of a user's program; nil for a program of no installed bundle.
  package func bundleIdentifier(ofProgram path: String, userNumber: UInt32) throws(StoreError) -> String? {
    try read("whose program \(path) is cannot be read") { (state) throws(DatabaseFailure) in
      try state.database.rows(
        """
        SELECT name FROM bundle JOIN identity ON identity.id = bundle.identity
        WHERE bundle.user = ? AND executable_path = ?
        """,
        [.integer(Int64(userNumber)), .text(path)]
      ) { (row) throws(DatabaseFailure) in row.text(0) }.first
    }
  }

  // MARK: Rows

  private func bundles(where condition: String, _ values: [StoreValue]) throws(StoreError) -> [InstalledBundle] {
    try read("the list of installed apps cannot be read") { (state) throws(DatabaseFailure) in
      let modes = try Self.lists(
        "SELECT identity, mode FROM background_mode ORDER BY identity, position", state.database
      ) { $0.text(1) }
      let requirements = try Self.lists(
        "SELECT identity, capability, is_present FROM device_requirement ORDER BY identity, position", state.database
      ) { DeviceRequirement(capability: $0.text(1), isPresent: $0.flag(2)) }
      let descriptions = try Self.descriptions(state.database)
      return try state.database.rows(
        """
        SELECT identity.user, name, bundle.identity, path, executable_path, installed_at
        FROM bundle JOIN identity ON identity.id = bundle.identity \(condition) ORDER BY name, identity.user
        """, values
      ) { (row) throws(DatabaseFailure) in
        let app = try Self.identifier(row, user: 0, name: 1)
        let identity = row.integer(2)
        var description = descriptions[app] ?? AppDescription(identifier: app)
        description.isInstalled = true
        let bundle = AppBundle(
          path: row.text(3), executablePath: row.text(4), description: description,
          backgroundModes: modes[identity] ?? [], requirements: requirements[identity] ?? [])
        return InstalledBundle(app: app, bundle: bundle, installedAt: row.time(5))
      }
    }
  }

  private static func lists<Element>(
    _ sql: String, _ database: StoreDatabase, _ element: (StoreRow) -> Element
  ) throws(DatabaseFailure) -> [Int64: [Element]] {
    var lists: [Int64: [Element]] = [:]
    try database.rows(sql) { (row) throws(DatabaseFailure) in
      lists[row.integer(0), default: []].append(element(row))
    }
    return lists
  }
}
