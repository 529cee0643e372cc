import LocationModel
import Testing

@Suite("Frames of beacons")
struct BeaconFrameTests {
  /// A recorded one (algorithms 8), behind Apple's company identifier.
  private static let recorded: [UInt8] = [
    0x02, 0x15, 0x74, 0x27, 0x8B, 0xDA, 0xB6, 0x44, 0x45, 0x20, 0x8F, 0x0C, 0x72, 0x0E, 0xAF, 0x05, 0x99, 0x35, 0x12,
    0x34, 0x00, 0x01, 0xC5,
  ]
  private static let beacon = BeaconIdentity(
    uuidHigh: 0x7427_8BDA_B644_4520, uuidLow: 0x8F0C_720E_AF05_9935, major: 4_660, minor: 1)

  @Test("A recorded frame reads as the beacon that sent it, and is written as it was")
  func recorded() throws {
    let frame = try #require(BeaconFrame(manufacturerData: Self.recorded))
    #expect(frame.beacon == Self.beacon)
    #expect(frame.measuredPower == -59)
    #expect(frame.manufacturerData == Self.recorded)
  }

  @Test("Every shorter and longer frame, and every other kind of Apple's data, is no beacon")
  func others() {
    for count in 0..<Self.recorded.count {
      #expect(BeaconFrame(manufacturerData: Self.recorded.prefix(count)) == nil)
    }
    #expect(BeaconFrame(manufacturerData: Self.recorded + [0]) == nil)
    for position in 0..<2 {
      var other = Self.recorded
      other[position] ^= 0x10
      #expect(BeaconFrame(manufacturerData: other) == nil)
    }
  }

  @Test("Any bytes of the right length are a beacon that is written back to them")
  func roundTrip() throws {
    for byte in UInt8.min...UInt8.max {
      let bytes = BeaconFrame.prefix + (0..<21).map { byte &+ UInt8($0) &* 7 }
      #expect(try #require(BeaconFrame(manufacturerData: bytes)).manufacturerData == bytes)
    }
  }

  @Test("Numbers that are left out match any, and the pattern to listen for ends before them (behaviour 6.1)")
  func constraints() {
    var constraint = BeaconConstraint(uuidHigh: Self.beacon.uuidHigh, uuidLow: Self.beacon.uuidLow)
    #expect(constraint.matches(Self.beacon))
    #expect(BeaconFrame.prefix(of: constraint) == Array(Self.recorded.prefix(18)))
    constraint.minor = 1
    #expect(constraint.matches(Self.beacon))
    #expect(BeaconFrame.prefix(of: constraint) == Array(Self.recorded.prefix(18)))
    constraint.major = 4_660
    #expect(constraint.matches(Self.beacon))
    #expect(BeaconFrame.prefix(of: constraint) == Array(Self.recorded.prefix(22)))
    constraint.minor = 2
    #expect(!constraint.matches(Self.beacon))
    constraint.minor = nil
    constraint.major = 1
    #expect(!constraint.matches(Self.beacon))
    #expect(!BeaconConstraint(uuidHigh: 0, uuidLow: Self.beacon.uuidLow).matches(Self.beacon))
    #expect(BeaconConstraint(Self.beacon).matches(Self.beacon))
  }
}
