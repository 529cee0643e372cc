import Foundation
import LocationEngine
import LocationModel
import Testing

/// Eight beacons in a row, 10 m apart, passed at 2 m and 1.4 m/s: ten packets a second of each, faded by 4 dB.
@Suite("A walk along eight beacons")
struct BeaconWalkTests {
  private static let gapMeters = 10.0
  private static let asideMeters = 2.0
  private static let metersPerSecond = 1.4
  private static let packetsPerSecond = 10
  private static let fadingDecibels = 4.0

  private struct Walk {
    var generator: SeededGenerator

    /// By Box and Muller (1958).
    mutating func fading() -> Double {
      let radius = (-2 * log(Double.random(in: Double.leastNonzeroMagnitude...1, using: &generator))).squareRoot()
      return fadingDecibels * radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
    }

    /// Free space: -59 dBm at one metre, 20 dB less at ten.
    mutating func signal(of beacon: Int, at position: Double) -> Int {
      let along = position - Double(beacon) * gapMeters
      let meters = (along * along + asideMeters * asideMeters).squareRoot()
      return Int((-59 - 20 * log10(meters) + fading()).rounded())
    }

    /// All packets from 10 m before the first beacon to 10 m behind the last, in order.
    mutating func packets() -> [(at: Double, packet: BeaconPacket)] {
      var packets: [(at: Double, packet: BeaconPacket)] = []
      for step in 0..<Int(walkSeconds * Double(packetsPerSecond)) {
        for beacon in 0..<8 {
          let at = (Double(step) + Double(beacon) / 8) / Double(packetsPerSecond)
          packets.append((at, .of(major: UInt16(beacon), signal: signal(of: beacon, at: place(at)), at: at)))
        }
      }
      return packets
    }
  }

  private static let walkSeconds = 90 / metersPerSecond

  private static func place(_ seconds: Double) -> Double { seconds * metersPerSecond - 10 }

  private static let seeds: ClosedRange<UInt64> = ProofSize.isFull ? 1...200 : 1...5

  @Test("The nearest is the first of its report 95 % of the time, midpoints apart")
  func nearest() {
    var first = 0
    var all = 0
    for seed in Self.seeds {
      var bench = EngineBench.withRadio(grant: .whenInUse)
      bench.request(.startRanging(.uuid()), at: 0)
      var walk = Walk(generator: SeededGenerator(seed: seed))
      for said in bench.listen(to: Self.walkSeconds, packets: walk.packets()) {
        let words = said.split(separator: " ")
        guard words.count > 3, let second = Double(words[0]), words[2] == "ranged" else { continue }
        let place = Self.place(second)
        let fromMidpoint = abs((place / Self.gapMeters).rounded(.down) * Self.gapMeters + Self.gapMeters / 2 - place)
        guard (0...70).contains(place), fromMidpoint > 1.5 else { continue }
        let nearest = Int((place / Self.gapMeters).rounded())
        all += 1
        if words[3].hasPrefix("[\(nearest).1") { first += 1 }
      }
    }
    let share = Double(first) / Double(all)
    print("beacons: the nearest is first in \(first) of \(all) reports (\((share * 1_000).rounded() / 10) %)")
    #expect(all >= 30 * Self.seeds.count)
    #expect(share >= 0.95)
  }

  @Test("Each beacon's own region is entered once and left once, and that of all of them, too")
  func monitoring() {
    for seed in Self.seeds {
      var bench = EngineBench.withRadio()
      for beacon in 0..<8 {
        bench.monitor(Region(identifier: "b\(beacon)", shape: .beacons(.uuid(major: UInt16(beacon)))))
      }
      bench.monitor(Region(identifier: "all", shape: .beacons(.uuid())))
      bench.listen(to: 10)
      // A radio hears nothing below -78 dBm or so: some 9 m here, so that every beacon comes and goes, and at the rim
      // of its reach the fading decides packet by packet.
      var walk = Walk(generator: SeededGenerator(seed: seed))
      let heard = walk.packets().filter { $0.packet.signalDecibels >= -78 }.map { (at: $0.at + 10, packet: $0.packet) }
      let said = bench.listen(to: Self.walkSeconds + 100, packets: heard)
      for region in (0..<8).map({ "b\($0)" }) + ["all"] {
        #expect(said.count { $0.hasSuffix("entered \(region)") } == 1, "CORELOCATION_SEED=\(seed)")
        #expect(said.count { $0.hasSuffix("exited \(region)") } == 1, "CORELOCATION_SEED=\(seed)")
      }
    }
  }
}
