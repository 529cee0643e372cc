import LocationModel
import Testing

@Suite("The geofence index")
struct GeofenceIndexTests {
  static let budapest = GeofencePoint(latitude: 47.4979, longitude: 19.0402)

  @Test(
    "holds the place at exactly the radius and not the one beyond it, at every size",
    arguments: [1.0, 62.5, 100, 999.9, 1_000, 3_999, 60_000, 900_000, 1_024_000, 3_000_000, 12_000_000])
  func edge(meters: Double) throws {
    for center in [Self.budapest, GeofencePoint(latitude: -0.001, longitude: 179.9999)] {
      let probe = Geofence(identifier: 0, center: center, radiusMeters: 0)
      for azimuth in stride(from: 0.0, to: 360, by: 40) {
        let place = probe.place(azimuthDegrees: azimuth, meters: meters)
        let distance = probe.measuredMeters(to: place)
        for (radius, isInside) in [
          (distance, true), (distance.nextDown, false), (distance - 2e-6, false), (distance + 2e-6, true),
          (distance - 0.02, false), (distance + 0.02, true),
        ] {
          let index = try GeofenceIndex([Geofence(identifier: 7, center: center, radiusMeters: radius)])
          #expect(try index.identifiers(at: place) == (isInside ? [7] : []), "\(radius) m, \(azimuth) degrees")
        }
      }
    }
  }

  @Test("knows no border at the date line: 180 and -180 are one meridian")
  func dateLine() throws {
    let index = try GeofenceIndex([
      Geofence(identifier: "west", latitude: 10, longitude: 179.999, radiusMeters: 300),
      Geofence(identifier: "on", latitude: 10, longitude: -180, radiusMeters: 1),
    ])
    // 0.001 degrees of longitude are 109.6 m there.
    #expect(try index.identifiers(at: GeofencePoint(latitude: 10, longitude: -179.9995)) == ["west"])
    #expect(try index.identifiers(at: GeofencePoint(latitude: 10, longitude: -179.998)) == [])
    for longitude in [180.0, -180] {
      let found = try index.identifiers(at: GeofencePoint(latitude: 10, longitude: longitude))
      #expect(Set(found) == ["west", "on"])
    }
  }

  @Test("finds a circle that holds a pole from every longitude", arguments: [90.0, -90])
  func pole(latitude: Double) throws {
    // 0.01 degrees from a pole are 1116.9 m.
    let near = latitude * (1 - 0.01 / 90)
    let index = try GeofenceIndex([
      Geofence(identifier: "over", latitude: near, longitude: 30, radiusMeters: 1_200),
      Geofence(identifier: "short", latitude: near, longitude: 30, radiusMeters: 1_100),
      Geofence(identifier: "at", latitude: latitude, longitude: 77, radiusMeters: 1),
    ])
    for longitude in stride(from: -180.0, through: 180, by: 22.5) {
      let found = try index.identifiers(at: GeofencePoint(latitude: latitude, longitude: longitude))
      #expect(Set(found) == ["over", "at"])
    }
    #expect(try index.identifiers(at: GeofencePoint(latitude: near, longitude: -150)) == [])
  }

  @Test("finds circles of many thousand kilometres, and one that is the whole Earth")
  func huge() throws {
    // Half a meridian is 20,003,931.46 m: no place is farther from any other. A quarter of the equator is 10,018,754.2
    // m.
    let index = try GeofenceIndex([
      Geofence(identifier: "hemisphere", latitude: 0, longitude: 0, radiusMeters: 10_018_755),
      Geofence(identifier: "nearly all", latitude: 0, longitude: 0, radiusMeters: 20_003_931),
      Geofence(identifier: "all", latitude: 90, longitude: 0, radiusMeters: 20_003_932),
      Geofence(identifier: "more than all", latitude: 12, longitude: 34, radiusMeters: 1e12),
    ])
    #expect(
      Set(try index.identifiers(at: GeofencePoint(latitude: 0, longitude: 90))) == [
        "hemisphere", "nearly all", "all", "more than all",
      ])
    #expect(
      Set(try index.identifiers(at: GeofencePoint(latitude: 0, longitude: 90.001))) == [
        "nearly all", "all", "more than all",
      ])
    for antipode in [GeofencePoint(latitude: 0, longitude: 180), GeofencePoint(latitude: 0, longitude: -180)] {
      #expect(Set(try index.identifiers(at: antipode)) == ["all", "more than all"])
    }
    #expect(try index.identifiers(at: GeofencePoint(latitude: -90, longitude: 5)).contains("all"))
  }

  @Test("of nothing finds nothing")
  func empty() throws {
    var index = GeofenceIndex<Int>()
    #expect(index.isEmpty && index.count == 0)
    #expect(try index.identifiers(at: Self.budapest) == [])
    #expect(index.remove(1) == nil)
    #expect(index[1] == nil)
    #expect(try GeofenceIndex<Int>([]).identifiers(at: Self.budapest) == [])
  }

  @Test("of a radius of zero holds its centre alone")
  func point() throws {
    let index = try GeofenceIndex([Geofence(identifier: 1, center: Self.budapest, radiusMeters: 0)])
    #expect(try index.identifiers(at: Self.budapest) == [1])
    let beside = GeofencePoint(latitude: Self.budapest.latitude + 1e-9, longitude: Self.budapest.longitude)
    #expect(try index.identifiers(at: beside) == [])
  }

  @Test("keeps the later of two circles with one identifier, however they come")
  func duplicates() throws {
    let far = GeofencePoint(latitude: -20, longitude: 100)
    let circles = [
      Geofence(identifier: "a", center: far, radiusMeters: 50),
      Geofence(identifier: "b", center: Self.budapest, radiusMeters: 50),
      Geofence(identifier: "a", center: Self.budapest, radiusMeters: 70),
      Geofence(identifier: "b", center: far, radiusMeters: 2_000_000),
      Geofence(identifier: "a", center: Self.budapest, radiusMeters: 80),
    ]
    var oneByOne = GeofenceIndex<String>()
    #expect(try oneByOne.insert(circles[0]) == nil)
    #expect(try oneByOne.insert(circles[2]) == circles[0])
    for circle in circles { try oneByOne.insert(circle) }
    for index in [try GeofenceIndex(circles), oneByOne] {
      #expect(index.count == 2)
      #expect(index["a"] == circles[4])
      #expect(index["b"] == circles[3])
      #expect(try index.identifiers(at: Self.budapest) == ["a"])
      #expect(try index.identifiers(at: far) == ["b"])
    }
  }

  @Test("refuses what is no place and no radius, and stays as it was")
  func refused() throws {
    var index = try GeofenceIndex([Geofence(identifier: 1, center: Self.budapest, radiusMeters: 10)])
    for (latitude, longitude) in [(90.1, 0.0), (-91, 0), (0, 180.5), (0, -181), (.nan, 0), (0, .nan), (.infinity, 0)] {
      let place = GeofencePoint(latitude: latitude, longitude: longitude)
      let circle = Geofence(identifier: 2, center: place, radiusMeters: 10)
      #expect(throws: GeofenceIndexError.self) { try index.identifiers(at: place) }
      #expect(throws: GeofenceIndexError.self) { try index.insert(circle) }
      #expect(throws: GeofenceIndexError.self) { try GeofenceIndex([circle]) }
    }
    for radius in [-1, -1e-300, .nan, .infinity, -.infinity] as [Double] {
      let circle = Geofence(identifier: 1, center: Self.budapest, radiusMeters: radius)
      #expect(throws: GeofenceIndexError.self) { try index.insert(circle) }
      #expect(throws: GeofenceIndexError.self) { try GeofenceIndex([circle]) }
    }
    #expect(throws: GeofenceIndexError.invalidRadius(meters: -3)) {
      try index.insert(Geofence(identifier: 9, center: Self.budapest, radiusMeters: -3))
    }
    #expect(
      "\(GeofenceIndexError.invalidRadius(meters: -3))"
        == "a radius of -3.0 m makes no circle: give a finite number of metres, 0 or more")
    var inside = [1]
    let nowhere = GeofencePoint(latitude: .nan, longitude: 0)
    #expect(throws: GeofenceIndexError.self) { try index.move(&inside, to: nowhere) }
    #expect(inside == [1])
    #expect(index.count == 1)
    #expect(try index.identifiers(at: Self.budapest) == [1])
  }

  @Test("is a value: a copy keeps what it had")
  func copies() throws {
    var index = try GeofenceIndex(
      (0..<500).map { Geofence(identifier: $0, center: Self.budapest, radiusMeters: Double(1 + $0)) })
    let copy = index
    for identifier in 0..<400 { index.remove(identifier) }
    try index.insert(Geofence(identifier: 999, center: Self.budapest, radiusMeters: 5_000_000))
    #expect(copy.count == 500 && index.count == 101)
    #expect(try copy.identifiers(at: Self.budapest).sorted() == Array(0..<500))
    #expect(try index.identifiers(at: Self.budapest).sorted() == Array(400..<500) + [999])
  }

  @Test("reports a circle that was removed as left, and one that was moved away too")
  func removedWhileInside() throws {
    var index = try GeofenceIndex(
      ["a", "b", "c"].map { Geofence(identifier: $0, center: Self.budapest, radiusMeters: 100) })
    var inside: [String] = []
    #expect(try index.move(&inside, to: Self.budapest).entered.sorted() == ["a", "b", "c"])
    index.remove("b")
    try index.insert(Geofence(identifier: "c", latitude: 0, longitude: 0, radiusMeters: 100))
    #expect(try index.move(&inside, to: Self.budapest) == GeofenceChanges(entered: [], left: ["b", "c"]))
    #expect(inside == ["a"])
  }

  @Test("answers the same calls in the same order")
  func order() throws {
    func answers() throws -> [[Int]] {
      var numbers = SeededNumbers(state: 5)
      let circles = (0..<300).map { Layout.cities.circle($0, &numbers) }
      var index = try GeofenceIndex(circles)
      for identifier in 0..<100 { index.remove(identifier * 3) }
      return try (0..<50).map { _ in try index.identifiers(at: Layout.cities.point(near: circles, &numbers)) }
    }
    #expect(try answers() == answers())
  }

  @Test("takes less than 60 bytes a circle beside the circles themselves, and less than 80 when they came later")
  func memory() throws {
    var numbers = SeededNumbers(state: 6)
    // One more than a power of two, where tables are emptiest.
    let count = 65_537
    var index = try GeofenceIndex((0..<count).map { Layout.anywhere.circle($0, &numbers) })
    #expect(index.memoryBytes.index < 60 * count)
    // Latitude, longitude, radius and an Int.
    #expect(index.memoryBytes.circles == 32 * count)
    for identifier in 0..<1_000 { try index.insert(Layout.anywhere.circle(identifier, &numbers)) }
    #expect(index.memoryBytes.index < 80 * count)
  }
}
