import LocationFormats
import LocationModel
import LocationProviders
import Testing

@Suite("Replay schedule")
struct ReplayScheduleTests {
  static let second: Int64 = 1_000_000_000
  /// date -u -d 2025-06-05T10:00:00Z +%s
  static let ten: Int64 = 1_749_117_600
  /// date -u -d 2001-01-01T00:00:00Z +%s
  static let epoch: Int64 = 978_307_200

  /// Points with times in seconds after 10:00:00, nil for none; line numbers count from 1.
  static func points(_ seconds: [Double?]) -> [TrackPoint] {
    seconds.enumerated().map { index, value in
      TrackPoint(
        coordinate: Coordinate(latitude: 1, longitude: 2),
        time: value.map { WallTime(nanosecondsSince1970: ten * second + Int64(($0 * 1e9).rounded())) },
        line: index + 1)
    }
  }

  static func play(_ points: [TrackPoint], shortensGaps: Bool = false) throws -> (
    fixes: [ScheduledFix], notices: [ReplayNotice]
  ) {
    let schedule = ReplaySchedule(points: points, name: "track.gpx", shortensGaps: shortensGaps)
    var fixes: [ScheduledFix] = []
    while let fix = try schedule.next() { fixes.append(fix) }
    return (fixes, schedule.notices)
  }

  static func offsets(_ seconds: [Double?], shortensGaps: Bool = false) throws -> [Double] {
    try play(points(seconds), shortensGaps: shortensGaps).fixes.map { Double($0.offsetNanoseconds) / 1e9 }
  }

  @Test("an untimed point between two timed ones plays between them (GX-02)")
  func interpolated() throws {
    let played = try Self.play(Self.points([0, nil, 10]))
    #expect(played.fixes.map(\.offsetNanoseconds) == [0, 5 * Self.second, 10 * Self.second])
    #expect(
      played.fixes.map(\.fix.time.nanosecondsSince1970) == [0, 5, 10].map { (Self.ten + $0) * Self.second })
    #expect(played.notices.isEmpty)
  }

  @Test("a file without times plays a point a second from 2001 (GX-02, design 5)")
  func untimed() throws {
    let played = try Self.play(Self.points([nil, nil, nil]))
    #expect(played.fixes.map(\.offsetNanoseconds) == [0, Self.second, 2 * Self.second])
    #expect(played.fixes.first?.fix.time.nanosecondsSince1970 == Self.epoch * Self.second)
  }

  @Test(
    "an untimed head counts back, a tail on, a second each; elsewhere points are spread",
    arguments: [
      ([nil, nil, 0, 10], [0, 1, 2, 12]), ([0, 10, nil, nil], [0, 10, 11, 12]), ([nil, 0, nil], [0, 1, 2]),
      ([0, nil, nil, nil, 10], [0, 2.5, 5, 7.5, 10]), ([0, nil, nil, 1], [0, 0.333333333, 0.666666666, 1]),
    ] as [([Double?], [Double])])
  func mixed(seconds: [Double?], expected: [Double]) throws {
    #expect(try Self.offsets(seconds) == expected)
  }

  @Test("a point not later than its predecessor plays 1 ms after it, counted and named once (design 5)")
  func notLater() throws {
    let played = try Self.play(Self.points([0, 1, 1, 1, 2]))
    #expect(played.fixes.map { $0.offsetNanoseconds / 1_000_000 } == [0, 1000, 1001, 1002, 2000])
    #expect(played.notices.map(\.kind) == [.notLater])
    #expect(played.notices.first?.count == 2)
    #expect(
      played.notices.first?.sentence == "track.gpx:3: 2 points not later than the one before, played 1 ms after it")
  }

  @Test("a later activity with an earlier date follows at once and keeps its own pace (design 5)")
  func stepBack() throws {
    let offsets = try Self.offsets([1000, 1010, 0, 5, 7])
    #expect(offsets == [0, 10, 10.001, 15.001, 17.001])
  }

  /// An hour, a day, 1024 weeks and 73 years, in seconds.
  static let wrongBy: [Double] = [3600, 86_400, 619_315_200, 2_303_596_800]

  @Test("one time that its neighbours contradict moves no other, and its point plays between them", arguments: wrongBy)
  func oneWrongTime(seconds: Double) throws {
    for wrong in [2 + seconds, 2 - seconds] {
      let played = try Self.play(Self.points([0, 1, wrong, 3, 4]))
      #expect(played.fixes.map { $0.offsetNanoseconds / Self.second } == [0, 1, 2, 3, 4])
      #expect(
        played.fixes.map(\.fix.time.nanosecondsSince1970) == (0...4).map { (Self.ten + Int64($0)) * Self.second })
      #expect(played.notices.map(\.kind) == [.contradictedTimes])
      #expect(
        played.notices.first?.sentence
          == "track.gpx:3: 1 point with a time that the points around contradict, played as if it had none")
    }
  }

  @Test("a first time far ahead of the rest counts for nothing", arguments: wrongBy)
  func wrongFirstTime(seconds: Double) throws {
    let played = try Self.play(Self.points([seconds, 1, 2]))
    #expect(played.fixes.map(\.fix.time.nanosecondsSince1970) == (0...2).map { (Self.ten + $0) * Self.second })
    #expect(played.notices.map(\.kind) == [.contradictedTimes])
  }

  @Test("a wrong time among points that have none, and two in one recording")
  func wrongTimesApart() throws {
    #expect(try Self.offsets([0, 1, 90_000, nil, 4, 5]) == [0, 1, 2, 3, 4, 5])
    #expect(try Self.offsets([0, 90_000, 2, 3, -90_000, 5]) == [0, 1, 2, 3, 4, 5])
  }

  @Test("a pause, and an activity that follows one with a later date, are no wrong times")
  func pauses() throws {
    #expect(try Self.offsets([0, 1, 90_000, 90_001]) == [0, 1, 90_000, 90_001])
    #expect(try Self.offsets([0, 1, 90_000]) == [0, 1, 90_000])
    #expect(try Self.play(Self.points([0, 1, 90_000, nil])).notices.isEmpty)
  }

  @Test("an untimed run between a time and an earlier one plays a second each, then steps back")
  func runBeforeStepBack() throws {
    #expect(try Self.offsets([100, nil, nil, 50, 51]) == [0, 1, 2, 2.001, 3.001])
  }

  @Test("gaps over 60 s become 1 s where that is wished, and are counted (design 6)")
  func gaps() throws {
    let seconds: [Double?] = [0, 60, 121, 125, 4000, 4001]
    #expect(try Self.offsets(seconds) == [0, 60, 121, 125, 4000, 4001])
    let played = try Self.play(Self.points(seconds), shortensGaps: true)
    #expect(played.fixes.map { $0.offsetNanoseconds / Self.second } == [0, 60, 61, 65, 66, 67])
    #expect(played.notices.map(\.kind) == [.shortenedGaps])
    #expect(played.notices.first?.sentence == "track.gpx:3: 2 gaps of more than 60 s shortened to 1 s")
    // The wait is shortened, the recording's own times stay.
    #expect(played.fixes.last?.fix.time.nanosecondsSince1970 == (Self.ten + 4_001) * Self.second)
  }

  @Test("exactly the window of untimed points is spread; one more plays a second each, and is named")
  func window() throws {
    let window = ReplaySchedule.windowPoints
    let within = try Self.play(Self.points([0] + Array(repeating: nil, count: window) + [Double(window + 1) * 2]))
    #expect(within.fixes.map(\.offsetNanoseconds) == (0...Int64(window + 1)).map { $0 * 2 * Self.second })
    #expect(within.notices.isEmpty)
    let beyond = try Self.play(Self.points([0] + Array(repeating: nil, count: window + 1) + [5000, 5001]))
    let expected = (0...Int64(window + 1)).map { $0 * Self.second } + [5000 * Self.second, 5001 * Self.second]
    #expect(beyond.fixes.map(\.offsetNanoseconds) == expected)
    #expect(beyond.notices.map(\.kind) == [.windowExceeded])
    #expect(beyond.notices.first?.firstLine == 2)
  }

  @Test("a head that outruns the window plays from 2001, and the first time after it a second later")
  func headBeyondWindow() throws {
    let count = ReplaySchedule.windowPoints + 10
    let played = try Self.play(Self.points(Array(repeating: nil, count: count) + [0, 7]))
    let expected = (0...Int64(count)).map { $0 * Self.second } + [(Int64(count) + 7) * Self.second]
    #expect(played.fixes.map(\.offsetNanoseconds) == expected)
    #expect(played.fixes.first?.fix.time.nanosecondsSince1970 == Self.epoch * Self.second)
  }

  @Test("accuracies not in the file are 5 m and, for heights, 10 m; speed and course only as recorded")
  func defaults() throws {
    var bare = Self.points([0])[0]
    var fix = try Self.play([bare]).fixes[0].fix
    #expect(fix.horizontalAccuracyMeters == 5)
    #expect(fix.verticalAccuracyMeters == nil)
    #expect(fix.altitudeMeters == nil)
    #expect(fix.speedMetersPerSecond == nil && fix.courseDegrees == nil)
    #expect(fix.isSimulated)
    bare.elevationMeters = 100
    fix = try Self.play([bare]).fixes[0].fix
    #expect(fix.altitudeMeters == 100)
    #expect(fix.verticalAccuracyMeters == 10)
    #expect(fix.ellipsoidalAltitudeMeters == nil)
    bare.geoidHeightMeters = 43.5
    bare.horizontalAccuracyMeters = 2
    bare.verticalAccuracyMeters = 3
    bare.speedMetersPerSecond = 1.5
    bare.courseDegrees = 90
    fix = try Self.play([bare]).fixes[0].fix
    #expect(fix.ellipsoidalAltitudeMeters == 143.5)
    #expect(fix.horizontalAccuracyMeters == 2)
    #expect(fix.verticalAccuracyMeters == 3)
    #expect(fix.speedMetersPerSecond == 1.5)
    #expect(fix.courseDegrees == 90)
  }

  @Test("times at the ends of the range neither trap nor run backwards")
  func extremes() throws {
    let times: [Int64?] = [.max, nil, .min, nil, .max, .max, 0, .min, nil]
    let points = times.map {
      TrackPoint(coordinate: Coordinate(latitude: 1, longitude: 2), time: $0.map { WallTime(nanosecondsSince1970: $0) })
    }
    for shortensGaps in [false, true] {
      let offsets = try Self.play(points, shortensGaps: shortensGaps).fixes.map(\.offsetNanoseconds)
      #expect(offsets.count == times.count)
      #expect(offsets == offsets.sorted())
    }
  }

  @Test("the notice counts values, not points, and names dates out of range apart")
  func valueComplaints() throws {
    let file = try TemporaryFile(
      "<gpx><trk><trkseg>\n<trkpt lat='1' lon='2'><ele>x</ele><speed>-5</speed><time>5000-01-01T00:00:00Z</time>"
        + "</trkpt></trkseg></trk></gpx>")
    let schedule = ReplaySchedule(try TrackReader(path: file.path))
    while try schedule.next() != nil {}
    #expect(
      schedule.notices.map(\.sentence) == [
        "\(file.path):2: 1 point with a date outside the years 1678 to 2261, played as if it had none; "
          + "first found: 5000-01-01T00:00:00Z",
        "\(file.path):2: 2 values that cannot be read or cannot be, left out of their points; first found: x",
      ])
  }

  @Test("malformed points and dates are named with file, line and count")
  func complaints() throws {
    let file = try TemporaryFile(
      "<gpx><trk><trkseg>\n<trkpt lat='x' lon='2'/>\n<trkpt lat='y' lon='2'/>\n"
        + "<trkpt lat='1' lon='2'><time>soon</time></trkpt></trkseg></trk></gpx>")
    let schedule = ReplaySchedule(try TrackReader(path: file.path))
    #expect(try schedule.next() != nil)
    #expect(try schedule.next() == nil)
    #expect(
      schedule.notices.map(\.sentence) == [
        "\(file.path):2: 2 points without a readable place, left out; first found: lat=\"x\"",
        "\(file.path):4: 1 point with an unreadable date, played as if it had none; first found: soon",
      ])
  }
}
