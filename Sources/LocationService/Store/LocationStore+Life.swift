import LocationEngine

/// What of the lives of apps outlives their processes.
extension LocationStore {
  package func store(_ life: StoredAppLife, for app: AppIdentifier) throws(StoreError) {
    let consequence = "what outlives \(app.name) was not stored"
    try check(text: app.name, named: "its name", consequence)
    try change(consequence) { (state) throws(DatabaseFailure) in
      let identity = try Self.makeApp(app, state.database)
      try state.database.run(
        "INSERT OR REPLACE INTO life VALUES (?, ?, ?, ?, ?, ?)",
        [
          .integer(identity), .flag(life.wasForceQuit), .flag(life.hadBackgroundActivity),
          .flag(life.hadAlwaysSession), .flag(life.allowsBackgroundRefresh), .number(life.running.rawValue),
        ])
    }
  }

  /// The usual where nothing was stored.
  package func life(of app: AppIdentifier) throws(StoreError) -> StoredAppLife {
    try read("what outlives \(app.name) cannot be read") { (state) throws(DatabaseFailure) in
      guard let identity = try Self.identity(of: app, state.database) else { return StoredAppLife() }
      return try state.database.rows(
        "SELECT * FROM life WHERE identity = ?", [.integer(identity)]
      ) { (row) throws(DatabaseFailure) in
        var life = StoredAppLife()
        life.wasForceQuit = row.flag(1)
        life.hadBackgroundActivity = row.flag(2)
        life.hadAlwaysSession = row.flag(3)
        life.allowsBackgroundRefresh = row.flag(4)
        life.running = StoredAppLife.Running(rawValue: Int(row.integer(5))) ?? .no
        return life
      }.first ?? StoredAppLife()
    }
  }
}
