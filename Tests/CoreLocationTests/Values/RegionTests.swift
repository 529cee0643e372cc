import CoreLocation
import LocationModel
import Testing

@Suite("Regions and beacons")
struct RegionTests {
  static let center = CLLocationCoordinate2D(latitude: 1, longitude: 2)
  static let uuid = UUID(uuidString: "74278BDA-B644-4520-8F0C-720EAF059935") ?? UUID()

  @Test("regions of one identifier are equal, whatever their shape (behaviour 10.14)")
  func equality() {
    let home = CLCircularRegion(center: Self.center, radius: 100, identifier: "home")
    let movedHome = CLBeaconRegion(uuid: Self.uuid, identifier: "home")
    let work = CLCircularRegion(center: Self.center, radius: 100, identifier: "work")
    #expect(home == movedHome && home.hash == movedHome.hash)
    #expect(home != work)
    #expect(!home.isEqual("home") && !home.isEqual(nil))
    #expect(Set<CLRegion>([home, movedHome, work]).count == 2)
  }

  @Test("entering and leaving are told unless the app says otherwise (behaviour 5.14, 6.4)")
  func defaults() {
    let region = CLBeaconRegion(uuid: Self.uuid, identifier: "shop")
    #expect(region.notifyOnEntry && region.notifyOnExit && !region.notifyEntryStateOnDisplay)
  }

  @Test("a copy has every value and its own flags (behaviour 10.13)")
  func copying() throws {
    let circle = CLCircularRegion(center: Self.center, radius: 100, identifier: "home")
    circle.notifyOnExit = false
    let circleCopy = try #require(circle.copy() as? CLCircularRegion)
    #expect(circleCopy.radius == 100 && circleCopy.center.longitude == 2 && !circleCopy.notifyOnExit)
    circleCopy.notifyOnEntry = false
    #expect(circle.notifyOnEntry)
    let beacons = CLBeaconRegion(uuid: Self.uuid, major: 1, minor: 2, identifier: "shop")
    beacons.notifyEntryStateOnDisplay = true
    let beaconsCopy = try #require(beacons.copy() as? CLBeaconRegion)
    #expect(beaconsCopy.major == 1 && beaconsCopy.minor == 2 && beaconsCopy.notifyEntryStateOnDisplay)
  }

  @Test("constraints of the same beacons are equal, any is not 0 (behaviour 6.13)")
  func constraintEquality() {
    let any = CLBeaconIdentityConstraint(uuid: Self.uuid)
    let zero = CLBeaconIdentityConstraint(uuid: Self.uuid, major: 0)
    let another = CLBeaconIdentityConstraint(uuid: Self.uuid, major: 0)
    #expect(zero == another && zero.hash == another.hash)
    #expect(any != zero)
    #expect(Set([any, zero, another]).count == 2)
  }

  @Test("regions keep every value on their way to the service and back")
  func conversion() throws {
    let circle = CLCircularRegion(center: Self.center, radius: 100, identifier: "home")
    circle.notifyOnEntry = false
    let circleValue = try #require(Region(circle))
    let expectedShape = Region.Shape.circle(
      center: Coordinate(latitude: 1, longitude: 2), radiusMeters: 100)
    #expect(circleValue == Region(identifier: "home", shape: expectedShape, notifiesOnEntry: false))
    let circleAgain = try #require(CLRegion.make(circleValue) as? CLCircularRegion)
    #expect(circleAgain.radius == 100 && !circleAgain.notifyOnEntry && circleAgain.notifyOnExit)

    let beacons = CLBeaconRegion(uuid: Self.uuid, major: 4660, identifier: "shop")
    beacons.notifyEntryStateOnDisplay = true
    let beaconsValue = try #require(Region(beacons))
    let constraint = BeaconConstraint(
      uuidHigh: 0x7427_8BDA_B644_4520, uuidLow: 0x8F0C_720E_AF05_9935, major: 4660)
    #expect(
      beaconsValue
        == Region(identifier: "shop", shape: .beacons(constraint), notifiesEntryStateOnDisplay: true))
    let beaconsAgain = try #require(CLRegion.make(beaconsValue) as? CLBeaconRegion)
    #expect(beaconsAgain.uuid == Self.uuid && beaconsAgain.major == 4660 && beaconsAgain.minor == nil)
    #expect(beaconsAgain.notifyEntryStateOnDisplay)
    #expect(Region(CLRegion()) == nil)
  }

  // The recorded frame of algorithms 8: UUID, major 4660, minor 1, -59 dBm.
  @Test("a beacon region advertises UUID, major, minor and power in Apple's order (algorithms 8)")
  func advertising() throws {
    let region = CLBeaconRegion(uuid: Self.uuid, major: 4660, minor: 1, identifier: "frame")
    let expected: [UInt8] = [
      0x74, 0x27, 0x8B, 0xDA, 0xB6, 0x44, 0x45, 0x20, 0x8F, 0x0C, 0x72, 0x0E, 0xAF, 0x05, 0x99, 0x35,
      0x12, 0x34, 0x00, 0x01, 0xC5,
    ]
    func bytes(_ power: NSNumber?) throws -> [UInt8] {
      let data = region.peripheralData(withMeasuredPower: power)
      #expect(data.count == 1)
      return [UInt8](try #require(data["kCBAdvDataAppleBeaconKey"] as? Data))
    }
    #expect(try bytes(-59) == expected)
    #expect(try bytes(nil) == expected)
    #expect(try bytes(1000) == expected)
    #expect(try bytes(-1).last == 0xFF)
  }

  @Test("any numbers are advertised as 0")
  func advertisingAny() throws {
    let data = CLBeaconRegion(uuid: Self.uuid, identifier: "any").peripheralData(withMeasuredPower: 0)
    let bytes = [UInt8](try #require(data["kCBAdvDataAppleBeaconKey"] as? Data))
    #expect(bytes.count == 21 && bytes.suffix(5) == [0, 0, 0, 0, 0])
  }

  @Test("a wish for accuracy keeps its meaning (behaviour 1.44, 2.11)")
  func desiredAccuracy() {
    #expect(DesiredAccuracy(kCLLocationAccuracyBestForNavigation) == .bestForNavigation)
    #expect(DesiredAccuracy(kCLLocationAccuracyBest) == .best)
    #expect(DesiredAccuracy(kCLLocationAccuracyKilometer) == .meters(1000))
    #expect(DesiredAccuracy(kCLLocationAccuracyReduced) == .reduced)
    #expect(DesiredAccuracy(-7) == .best)
    #expect(DesiredAccuracy(.nan) == .best)
  }
}
