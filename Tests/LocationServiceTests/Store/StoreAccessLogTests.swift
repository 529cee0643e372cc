import LocationEngine
import LocationModel
import LocationService
import Testing

@Suite("The access log tells when each app used location")
struct StoreAccessLogTests {
  private let walk = AppIdentifier("org.example.walk", userNumber: 1_000)
  private let ride = AppIdentifier("org.example.ride", userNumber: 1_000)
  private let day: Int64 = 86_400_000_000_000

  @Test("The newest comes first, of all apps or of one, with service, accuracy, begin and end")
  func list() throws {
    let store = try StoreFolder().open()
    let first = try store.beginAccess(by: walk, service: .standardUpdates, isPrecise: true, at: time(10))
    let second = try store.beginAccess(by: ride, service: .regions, isPrecise: false, at: time(20))
    #expect(try store.endAccess(first, at: time(30)))
    #expect(try store.endAccess(first, at: time(40)) == false, "it has ended")
    let expected = [
      AccessRecord(number: second, app: ride, service: .regions, isPrecise: false, begin: time(20), end: .ongoing),
      AccessRecord(
        number: first, app: walk, service: .standardUpdates, isPrecise: true, begin: time(10), end: .at(time(30))),
    ]
    #expect(try store.accessLog(countMax: 9) == expected)
    #expect(try store.accessLog(countMax: 1) == [expected[0]])
    #expect(try store.accessLog(of: walk, countMax: 9) == [expected[1]])
    #expect(try store.accessLog(of: AppIdentifier("none"), countMax: 9) == [])
    #expect(try store.accessLog(countMax: -1) == [])
  }

  @Test("One user's log is as long whatever others did since: what they may not see takes no room in it")
  func ofOneUser() throws {
    let store = try StoreFolder().open()
    let stranger = AppIdentifier("org.example.walk", userNumber: 2_000)
    _ = try store.beginAccess(by: walk, service: .standardUpdates, isPrecise: true, at: time(1))
    _ = try store.beginAccess(by: ride, service: .standardUpdates, isPrecise: true, at: time(2))
    for number in 3...9 {
      _ = try store.beginAccess(by: stranger, service: .standardUpdates, isPrecise: true, at: time(Int64(number)))
    }
    #expect(try store.accessLog(user: 1_000, countMax: 5).map(\.app) == [ride, walk])
    #expect(try store.accessLog(user: 2_000, countMax: 5).map(\.app) == Array(repeating: stranger, count: 5))
    #expect(try store.accessLog(of: walk, user: 1_000, countMax: 5).map(\.app) == [walk])
    #expect(try store.accessLog(of: walk, user: 2_000, countMax: 5) == [])
  }

  @Test("What was going on when the service ended has an unknown end, and no end is made up later")
  func openEnd() throws {
    let folder = try StoreFolder()
    let before = try folder.open().beginAccess(by: walk, service: .visits, isPrecise: true, at: time(1))
    let store = try folder.open()
    let after = try store.beginAccess(by: walk, service: .visits, isPrecise: true, at: time(2))
    #expect(try store.accessLog(countMax: 9).map(\.end) == [.ongoing, .unknown])
    #expect(try store.endAccess(before, at: time(3)) == false)
    #expect(try store.endAccess(after, at: time(3)))
    #expect(try store.accessLog(countMax: 9).map(\.end) == [.at(time(3)), .unknown])
  }

  @Test("Of too many the oldest go, and an app that is in no other table goes with them")
  func count() throws {
    var limits = StoreLimits()
    limits.accessLogRowsMax = 10
    let folder = try StoreFolder()
    do {
      let store = try folder.open(limits: limits)
      for number in 1...7 {
        _ = try store.beginAccess(by: walk, service: .standardUpdates, isPrecise: true, at: time(Int64(number)))
      }
    }
    // The count goes on over a restart.
    let store = try folder.open(limits: limits)
    for number in 8...25 {
      _ = try store.beginAccess(by: ride, service: .standardUpdates, isPrecise: true, at: time(Int64(number)))
      #expect(try store.accessLog(countMax: 99).count == min(number, 10))
    }
    #expect(try store.accessLog(countMax: 99).map(\.begin) == (16...25).reversed().map { time($0) })
    #expect(try store.accessLog(of: walk, countMax: 99) == [])
  }

  @Test("What ended 30 days ago goes; what began then and still goes on stays")
  func age() throws {
    let folder = try StoreFolder()
    _ = try folder.open().beginAccess(by: walk, service: .visits, isPrecise: true, at: time(1))
    let store = try folder.open()
    let ended = try store.beginAccess(by: walk, service: .visits, isPrecise: true, at: time(2))
    try store.endAccess(ended, at: time(day))
    let ongoing = try store.beginAccess(by: walk, service: .visits, isPrecise: true, at: time(3))
    let next = try store.beginAccess(by: walk, service: .visits, isPrecise: true, at: time(30 * day + 2))
    #expect(try store.accessLog(countMax: 9).map(\.number) == [next, ongoing, ended], "the first's end is unknown")
    let last = try store.beginAccess(by: walk, service: .visits, isPrecise: true, at: time(31 * day + 3))
    #expect(try store.accessLog(countMax: 9).map(\.number) == [last, next, ongoing])
  }

  @Test("The file has no place in the table of accesses")
  func noPlace() throws {
    let folder = try StoreFolder()
    _ = try folder.open()
    for column in ["latitude", "longitude"] {
      #expect(throws: StoreFolder.Trouble.self) { try folder.execute("SELECT \"access\".\(column) FROM access") }
    }
  }
}
