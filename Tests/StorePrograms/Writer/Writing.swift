import LocationEngine
import LocationModel
import LocationService

/// Changes of every kind. The values differ from step to step, so that a lost one shows.
struct Writing {
  private let store: LocationStore
  private let isQuiet: Bool

  init(_ store: LocationStore, isQuiet: Bool = false) {
    self.store = store
    self.isQuiet = isQuiet
  }

  func run(rounds: Int) {
    for round in 0..<rounds {
      let app = AppIdentifier("org.example.app\(round % 3)", userNumber: 1_000)
      describe(app, round)
      step { () throws(StoreError) in
        try store.store(Grant(level: .whenInUse), decidedAt: time(round), for: app)
        return "grant:\(app.name)=2@\(round)"
      }
      step { () throws(StoreError) in
        try store.verifyWritable()
        return "probe=kept"
      }
      let event = register(app, round)
      step { () throws(StoreError) in
        try store.store(lastFix: fix(round))
        return "fix=\(round)"
      }
      step { () throws(StoreError) in
        try store.store(setting: "round", value: "\(round)")
        return "setting:round=\(round)"
      }
      use(app, round)
      if let event {
        step { () throws(StoreError) in
          try store.acknowledge(event: event, of: app)
          return "event:\(event)=-"
        }
      }
      undo(app, round)
    }
  }

  private func describe(_ app: AppIdentifier, _ round: Int) {
    var description = AppDescription(identifier: app)
    description.whenInUseUsage = "round \(round)"
    description.temporaryUsages = [.init(purposeKey: "a", text: "b")]
    step { () throws(StoreError) in
      try store.storeSighting(of: app, kind: "plain", executablePath: "/opt/\(round)", description: description)
      return "app:\(app.name)=/opt/\(round) round \(round)"
    }
  }

  private func register(_ app: AppIdentifier, _ round: Int) -> Int64? {
    var waiting: Int64?
    let regions = (0...(round % 4)).map { number in
      StoredRegistrations.WatchedRegion(
        region: Region(
          identifier: "\(number)",
          shape: .circle(center: Coordinate(latitude: 47, longitude: Double(number)), radiusMeters: 100)),
        state: round % 2 == 0 ? .inside : .outside)
    }
    // Two bytes and more, so that rounds differ in how many pages they write.
    let state = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 2 + round * 500)
    let stored = StoredRegistrations(regions: regions, monitorsVisits: true, engineState: state)
    step { () throws(StoreError) in
      let numbers = try store.store(stored, appending: [[1], [2]], for: app)
      waiting = numbers[0]
      return "regions:\(app.name)=\(regions.count)/\(regions[0].state.rawValue)/\(state.count)\t"
        + numbers.map { "event:\($0)=\(app.name)" }.joined(separator: "\t")
    }
    return waiting
  }

  private func use(_ app: AppIdentifier, _ round: Int) {
    var access: Int64?
    step { () throws(StoreError) in
      let number = try store.beginAccess(by: app, service: .standardUpdates, isPrecise: true, at: time(round))
      access = number
      return "access:\(number)=\(app.name) open"
    }
    guard let access, round % 2 == 0 else { return }
    step { () throws(StoreError) in
      try store.endAccess(access, at: time(round + 1))
      return "access:\(access)=\(app.name) \(round + 1)"
    }
  }

  private func undo(_ app: AppIdentifier, _ round: Int) {
    if round % 5 == 3 {
      step { () throws(StoreError) in
        try store.reset(app)
        return "grant:\(app.name)=0@-"
      }
    }
    if round % 5 == 4 {
      let waiting = (try? store.pendingEvents(of: app)) ?? []
      step { () throws(StoreError) in
        try store.forget(app)
        return ["app", "grant", "regions"].map { "\($0):\(app.name)=-" }.joined(separator: "\t")
          + waiting.map { "\tevent:\($0.number)=-" }.joined()
      }
    }
  }

  private func step(_ body: () throws(StoreError) -> String) {
    do throws(StoreError) {
      let line = try body()
      if !isQuiet { say("kept\t" + line) }
    } catch {
      say("failed\t\(error)")
    }
  }

  private func time(_ round: Int) -> WallTime { WallTime(nanosecondsSince1970: Int64(round)) }

  private func fix(_ round: Int) -> Fix {
    Fix(coordinate: Coordinate(latitude: 47, longitude: 8), horizontalAccuracyMeters: 5, time: time(round))
  }
}
