import CoreLocation
import Testing

// Client code of point 5: tests of apps subclass Apple's classes to give values of their own.

private final class FixedHeading: CLHeading {
  override var trueHeading: CLLocationDirection { 5 }
  override var headingAccuracy: CLLocationDirection { 1 }
}

private final class FixedVisit: CLVisit {
  private let place: CLLocationCoordinate2D
  init(place: CLLocationCoordinate2D) {
    self.place = place
    super.init()
  }
  required init?(coder: NSCoder) { nil }
  override var coordinate: CLLocationCoordinate2D { place }
  override var arrivalDate: Date { .distantPast }
}

private final class FixedBeacon: CLBeacon {
  override var uuid: UUID { UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
  override var major: NSNumber { 1 }
  override var proximity: CLProximity { .near }
}

private final class FixedFloor: CLFloor {
  override var level: Int { 3 }
}

private final class NamedRegion: CLRegion {
  override var identifier: String { "named" }
}

private final class FixedLocation: CLLocation, @unchecked Sendable {
  override var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: 0, longitude: 1) }
  override var floor: CLFloor? { FixedFloor() }
}

private final class NamedPlacemark: CLPlacemark, @unchecked Sendable {
  override var name: String? { "Paris" }
}

/// Codes a value of its own and leaves the rest to the superclass.
private final class TitledRegion: CLCircularRegion {
  let title: String

  init(title: String, center: CLLocationCoordinate2D) {
    self.title = title
    super.init(center: center, radius: 10, identifier: "titled")
  }

  required init?(coder: NSCoder) {
    guard let title = coder.decodeObject(of: NSString.self, forKey: "title") else { return nil }
    self.title = title as String
    super.init(coder: coder)
  }

  override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(NSString(string: title), forKey: "title")
  }

  override class var supportsSecureCoding: Bool { true }
}

extension CLLocation {
  /// Clients add convenience initialisers to Apple's classes.
  convenience init(coordinate: CLLocationCoordinate2D) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }
}

extension CLCircularRegion {
  convenience init(around location: CLLocation) {
    self.init(center: location.coordinate, radius: location.horizontalAccuracy, identifier: "around")
  }
}

@Suite("Clients 5: subclasses of Apple's classes")
struct SubclassTests {
  @Test("overridden values are what a caller sees")
  func overriding() {
    let heading: CLHeading = FixedHeading()
    #expect(heading.trueHeading == 5 && heading.headingAccuracy == 1)
    let visit: CLVisit = FixedVisit(place: CLLocationCoordinate2D(latitude: 1, longitude: 2))
    #expect(visit.coordinate.longitude == 2 && visit.arrivalDate == .distantPast)
    let beacon: CLBeacon = FixedBeacon()
    #expect(beacon.major == 1 && beacon.proximity == .near)
    let region: CLRegion = NamedRegion()
    #expect(region.identifier == "named" && Set([region, NamedRegion()]).count == 1)
    let placemark: CLPlacemark = NamedPlacemark(placemark: CLPlacemark(values: CLPlacemark.Values()))
    #expect(placemark.name == "Paris")
  }

  // One degree of longitude on the equator is 111,319.4908 m (behaviour 10.9).
  @Test("a location's distance is that of its overridden coordinate")
  func overriddenCoordinate() {
    let location: CLLocation = FixedLocation(latitude: 50, longitude: 50)
    let origin = CLLocation(coordinate: CLLocationCoordinate2D(latitude: 0, longitude: 0))
    #expect(abs(location.distance(from: origin) - 111_319.4908) < 0.001)
    #expect(abs(origin.distance(from: location) - 111_319.4908) < 0.001)
    #expect(location.floor?.level == 3)
    #expect(location.description.hasPrefix("<+0.00000000,+1.00000000>"))
  }

  @Test("a subclass codes a value of its own beside the superclass's")
  func coding() throws {
    NSKeyedUnarchiver.setClass(TitledRegion.self, forClassName: "TitledRegion")
    NSKeyedArchiver.setClassName("TitledRegion", for: TitledRegion.self)
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    let region = TitledRegion(title: "Home", center: CLLocationCoordinate2D(latitude: 1, longitude: 2))
    region.encode(with: archiver)
    archiver.finishEncoding()
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    let copy = try #require(TitledRegion(coder: unarchiver))
    #expect(copy.title == "Home" && copy.identifier == "titled" && copy.radius == 10)
  }

  @Test("convenience initialisers of a client work")
  func convenienceInitializers() {
    let region = CLCircularRegion(around: CLLocation(latitude: 1, longitude: 2))
    #expect(region.radius == 0 && region.center.longitude == 2)
  }
}
