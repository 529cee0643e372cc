import LocationEngine
import LocationModel

/// When each app used location. It never holds a place.
extension LocationStore {
  /// An app begins to use location. Gives the number to end it by.
  package func beginAccess(
    by app: AppIdentifier, service: AccessRecord.Service, isPrecise: Bool, at begin: WallTime
  ) throws(StoreError) -> Int64 {
    let consequence = "a use of location by \(app.name) was not written down"
    try check(text: app.name, named: "its name", consequence)
    try check(text: service.rawValue, named: "its service", consequence)
    return try change(consequence, survives: .kill) { (state) throws(DatabaseFailure) in
      let identity = try Self.makeIdentity(of: app, state.database)
      try state.database.run(
        "INSERT INTO access (identity, service, is_precise, began_at) VALUES (?, ?, ?, ?)",
        [.integer(identity), .text(service.rawValue), .flag(isPrecise), .time(begin)])
      let number = state.database.lastInsertedRow
      state.accessCount += 1
      try removeOld(&state, now: begin)
      return number
    }
  }

  /// False where the record is gone from the log already, or has ended.
  @discardableResult
  package func endAccess(_ number: Int64, at end: WallTime) throws(StoreError) -> Bool {
    try change("the end of a use of location was not written down", survives: .kill) {
      (state) throws(DatabaseFailure) in
      // Nobody saw the end of what an earlier run began.
      guard number > state.lastAccessOfEarlierRuns else { return false }
      try state.database.run(
        "UPDATE access SET ended_at = ? WHERE id = ? AND ended_at IS NULL", [.time(end), .integer(number)])
      return state.database.changedRowCount == 1
    }
  }

  /// The newest first, of one app or of all.
  ///
  /// - Parameter user: of whose apps alone; nil for everybody's. So many as `countMax` are his, whatever others did.
  package func accessLog(
    of app: AppIdentifier? = nil, user: UInt32? = nil, countMax: Int
  ) throws(StoreError) -> [AccessRecord] {
    try read("the access log cannot be read") { (state) throws(DatabaseFailure) in
      var conditions: [String] = []
      var values: [StoreValue] = []
      if let app {
        guard let identity = try Self.identity(of: app, state.database) else { return [] }
        conditions.append("access.identity = ?")
        values.append(.integer(identity))
      }
      if let user {
        conditions.append("identity.user = ?")
        values.append(.integer(Int64(user)))
      }
      let choice = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
      let earlier = state.lastAccessOfEarlierRuns
      return try state.database.rows(
        """
        SELECT access.id, user, name, service, is_precise, began_at, ended_at
        FROM access JOIN identity ON identity.id = access.identity\(choice) ORDER BY access.id DESC LIMIT ?
        """, values + [.number(max(countMax, 0))]
      ) { (row) throws(DatabaseFailure) in try Self.access(row, lastOfEarlierRuns: earlier) }
    }
  }

  private static func access(
    _ row: StoreRow, lastOfEarlierRuns: Int64
  ) throws(DatabaseFailure) -> AccessRecord {
    let number = row.integer(0)
    let end: AccessRecord.End =
      if let time = row.optional(6, row.time) {
        .at(time)
      } else {
        number <= lastOfEarlierRuns ? .unknown : .ongoing
      }
    return AccessRecord(
      number: number, app: try identifier(row, user: 1, name: 2), service: .init(rawValue: row.text(3)),
      isPrecise: row.flag(4), begin: row.time(5), end: end)
  }

  // MARK: Bounds

  private static let pruneIntervalSeconds = 3_600.0
  /// Of the rows allowed, so many go at a time: 1 %.
  private static let pruneRatio = 100

  /// Too many go at once, too old ones hourly.
  private func removeOld(_ state: inout State, now: WallTime) throws(DatabaseFailure) {
    var removed = 0
    if state.accessCount > limits.accessLogRowsMax {
      let surplus = state.accessCount - limits.accessLogRowsMax + limits.accessLogRowsMax / Self.pruneRatio
      try state.database.run(
        "DELETE FROM access WHERE id IN (SELECT id FROM access ORDER BY id LIMIT ?)", [.number(surplus)])
      removed += state.database.changedRowCount
    }
    let isDue = state.accessesPrunedAt.map { abs(now.seconds(since: $0)) >= Self.pruneIntervalSeconds } ?? true
    if isDue {
      let oldest = now.advanced(bySeconds: -limits.accessLogDaysMax * 86_400)
      try state.database.run(
        "DELETE FROM access WHERE coalesce(ended_at, began_at) < ? AND (ended_at IS NOT NULL OR id <= ?)",
        [.time(oldest), .integer(state.lastAccessOfEarlierRuns)])
      removed += state.database.changedRowCount
      state.accessesPrunedAt = now
    }
    state.accessCount -= removed
    if removed > 0 { try Self.removeUnusedIdentities(state.database) }
  }
}
