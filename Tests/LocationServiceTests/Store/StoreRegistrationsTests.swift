import LocationEngine
import LocationModel
import LocationService
import Testing

@Suite("The store keeps what apps registered and the events that wait for them")
struct StoreRegistrationsTests {
  private let app = AppIdentifier("org.example.walk", userNumber: 1_000)

  private func circle(_ name: String, _ state: RegionState = .unknown) -> StoredRegistrations.WatchedRegion {
    .init(
      region: Region(
        identifier: name, shape: .circle(center: Coordinate(latitude: 47.1, longitude: 8.2), radiusMeters: 100.5),
        notifiesOnEntry: false, notifiesOnExit: true, notifiesEntryStateOnDisplay: true),
      state: state)
  }

  private func beacons(_ major: UInt16?, _ minor: UInt16?) -> StoredRegistrations.WatchedRegion {
    let constraint = BeaconConstraint(
      uuidHigh: 0xFEDC_BA98_7654_3210, uuidLow: 0x0011_2233_4455_6677, major: major, minor: minor)
    return .init(region: Region(identifier: "\(major ?? 1)", shape: .beacons(constraint)), state: .inside)
  }

  @Test("Regions of every shape, their states and order, services and the engine's state are found again")
  func roundTrip() throws {
    let folder = try StoreFolder()
    let stored = StoredRegistrations(
      regions: [
        circle("b", .outside), circle("a", .inside), circle("", .unknown), beacons(nil, nil), beacons(0, nil),
        beacons(65_535, 65_535),
      ],
      monitorsSignificantChanges: true, monitorsVisits: false, engineState: [0, 255, 0])
    let other = StoredRegistrations(monitorsVisits: true, engineState: [])
    do {
      let store = try folder.open()
      try store.store(stored, for: app)
      try store.store(other, for: AppIdentifier("a"))
    }
    let found = try folder.open().registrations()
    #expect(found.map(\.app) == [AppIdentifier("a"), app])
    #expect(found.map(\.registrations) == [other, stored])
  }

  @Test("Events that wait are stored with what they came of; those that stay keep their numbers, the others go")
  func waiting() throws {
    let store = try StoreFolder().open()
    let registrations = StoredRegistrations(regions: [circle("home", .inside)])
    try store.store(registrations, waiting: [[1], [2]], for: app)
    let before = try store.pendingEvents(of: app)
    #expect(before.map(\.bytes) == [[1], [2]])
    try store.store(registrations, waiting: [[2], [3]], for: app)
    let after = try store.pendingEvents(of: app)
    #expect(after.map(\.bytes) == [[2], [3]])
    #expect(after.first == before.last)
    #expect(try store.registrations(of: app) == registrations)
    try store.store(StoredRegistrations(), waiting: [], for: app)
    #expect(try store.pendingEvents(of: app) == [])
  }

  @Test("What outlives an app's process is found again, and goes with the app")
  func life() throws {
    let folder = try StoreFolder()
    var life = StoredAppLife()
    #expect(try folder.open().life(of: app) == life)
    life.wasForceQuit = true
    life.allowsBackgroundRefresh = false
    life.running = .background
    do {
      let store = try folder.open()
      try store.store(life, for: app)
    }
    let store = try folder.open()
    #expect(try store.life(of: app) == life)
    try store.forget(app)
    #expect(try store.life(of: app) == StoredAppLife())
  }

  @Test("Monitors with their records and waiting events are found again; a state that is none is no monitor (9.35)")
  func monitors() throws {
    let folder = try StoreFolder()
    var registrations = Registrations()
    registrations.monitorsVisits = true
    let time = WallTime(nanosecondsSince1970: 1_780_300_800_123_456_789)
    registrations.monitors = [
      StoredMonitor(
        name: "places",
        conditions: [
          StoredCondition(
            identifier: "home", shape: circle("a").region.shape,
            record: ConditionEvent(identifier: "home", state: .unsatisfied, time: time),
            pending: ConditionEvent(identifier: "home", state: .satisfied, time: nil, diagnostics: .stationary)),
          StoredCondition(
            identifier: "", shape: beacons(0, nil).region.shape,
            record: ConditionEvent(identifier: "", state: .unknown, time: time)),
        ])
    ]
    registrations.nextEventNumber = 7
    let home = Coordinate(latitude: 47.5, longitude: 19.25)
    let hours = [time, WallTime(nanosecondsSince1970: time.nanosecondsSince1970 + 3_600_000_000_000)]
    registrations.stay = Visit(coordinate: home, radiusMeters: 40, arrival: nil, departure: hours[1])
    registrations.lastChange = Fix(coordinate: home, horizontalAccuracyMeters: 30, time: time)
    for stay in [nil, registrations.stay] {
      registrations.stay = stay
      try folder.open().store(StoredRegistrations(registrations), for: app)
      #expect(try folder.open().registrations(of: app).registrations == registrations)
    }
    registrations.stay = Visit(
      coordinate: Coordinate(latitude: .nan, longitude: 0), radiusMeters: 40, arrival: nil, departure: hours[1])
    #expect(StoredRegistrations(registrations).registrations.stay == nil)
    for bytes in [[], [0], [9, 1, 2], [1, 255, 255, 255, 255], [1, 1, 0, 0, 0]] as [[UInt8]] {
      #expect(StoredRegistrations(engineState: bytes).registrations.monitors.isEmpty)
    }
  }

  @Test("A new value takes the place of the whole old one; an empty one leaves nothing")
  func replace() throws {
    let store = try StoreFolder().open()
    try store.store(StoredRegistrations(regions: [circle("a"), circle("b")], monitorsVisits: true), for: app)
    let second = StoredRegistrations(regions: [circle("c")])
    try store.store(second, for: app)
    #expect(try store.registrations().map(\.registrations) == [second])
    try store.store(StoredRegistrations(), for: app)
    #expect(try store.registrations().isEmpty)
  }

  @Test("A region beyond the bound, a state beyond measure and a place that is none are refused; what was stays")
  func refused() throws {
    let store = try StoreFolder().open()
    let twenty = StoredRegistrations(regions: (0..<20).map { circle("\($0)") })
    try store.store(twenty, for: app)
    var nowhere = circle("nowhere")
    nowhere.region.shape = .circle(center: Coordinate(latitude: .nan, longitude: 0), radiusMeters: 1)
    for refused in [
      StoredRegistrations(regions: (0...StoreLimits().regionsPerAppMax).map { circle("\($0)") }),
      StoredRegistrations(engineState: [UInt8](repeating: 0, count: StoreLimits().engineStateBytesMax + 1)),
      StoredRegistrations(regions: [nowhere]),
    ] {
      #expect(throws: StoreError.self) { try store.store(refused, for: app) }
    }
    #expect(try store.registrations().map(\.registrations) == [twenty])
  }

  // MARK: Events

  @Test("Events wait in their order, each app's own, until they are acknowledged, over a restart too")
  func events() throws {
    let folder = try StoreFolder()
    let other = AppIdentifier("org.example.walk", userNumber: 1_001)
    var numbers: [Int64] = []
    do {
      let store = try folder.open()
      numbers.append(try store.append(event: [1], for: app))
      numbers.append(try store.append(event: [], for: other))
      numbers.append(try store.append(event: [3, 0], for: app))
    }
    let store = try folder.open()
    #expect(numbers == numbers.sorted() && Set(numbers).count == 3)
    #expect(try store.pendingEvents(of: app).map(\.bytes) == [[1], [3, 0]])
    #expect(try store.acknowledge(event: numbers[0], of: other) == false, "not its own")
    #expect(try store.acknowledge(event: numbers[0], of: app))
    #expect(try store.acknowledge(event: numbers[0], of: app) == false, "twice")
    #expect(try store.pendingEvents(of: app).map(\.number) == [numbers[2]])
    #expect(try store.pendingEvents(of: other).map(\.bytes) == [[]])
    #expect(try store.appsWithPendingEvents() == [app, other])
  }

  @Test("A number is never given again, also when no event is left and after a restart")
  func numbers() throws {
    let folder = try StoreFolder()
    var last: Int64 = 0
    for _ in 0..<3 {
      let store = try folder.open()
      let number = try store.append(event: [1], for: app)
      #expect(number > last)
      last = number
      try store.acknowledge(event: number, of: app)
    }
  }

  @Test("Registrations and the events that came of them are stored together or not at all")
  func together() throws {
    var limits = StoreLimits()
    limits.pendingEventsPerAppMax = 3
    let store = try StoreFolder().open(limits: limits)
    let first = StoredRegistrations(regions: [circle("a", .inside)])
    let numbers = try store.store(first, appending: [[1], [2]], for: app)
    #expect(try store.pendingEvents(of: app).map(\.number) == numbers)
    let second = StoredRegistrations(regions: [circle("a", .outside)])
    #expect(throws: StoreError.self) { try store.store(second, appending: [[3], [4]], for: app) }
    #expect(try store.registrations().map(\.registrations) == [first])
    #expect(try store.pendingEvents(of: app).map(\.bytes) == [[1], [2]])
    try store.store(second, appending: [[3]], for: app)
    #expect(throws: StoreError.self) { _ = try store.append(event: [4], for: app) }
    // Only new events have no room.
    try store.store(first, for: app)
    #expect(try store.registrations().map(\.registrations) == [first])
  }
}
