import LinuxIO
import LocationFormats
import LocationModel
import LocationProviders

/// The beacons that stand along a simulated journey.
extension CommandLineArguments {
  func beaconNumber(_ name: String) throws(CommandFailure) -> UInt16? {
    guard let text = value(name) else { return nil }
    guard let number = UInt16(text) else { throw unexpected(name, "a whole number from 0 to 65535") }
    return number
  }

  /// What is ranged of them, each UUID once, and what is monitored: those that have an identifier.
  func placedBeacons() throws(CommandFailure) -> (uuids: [BeaconConstraint], regions: [Region]) {
    // Wrong usage is said at once, and also where there are no beacons.
    _ = try seed("beacon-seed")
    let beacons = try readBeacons()
    var uuids: [BeaconConstraint] = []
    for beacon in beacons {
      let constraint = BeaconConstraint(uuidHigh: beacon.frame.beacon.uuidHigh, uuidLow: beacon.frame.beacon.uuidLow)
      if !uuids.contains(constraint) { uuids.append(constraint) }
    }
    let regions = beacons.compactMap { beacon in
      beacon.identifier.map { Region(identifier: $0, shape: .beacons(BeaconConstraint(beacon.frame.beacon))) }
    }
    return (uuids, regions)
  }

  /// Nil where there are none.
  func beaconsOnTheWay(clock: any SessionClock) throws(CommandFailure) -> TrackBeacons? {
    let beacons = try readBeacons()
    guard !beacons.isEmpty else { return nil }
    return TrackBeacons(beacons, clock: clock, seed: try seed("beacon-seed"))
  }

  private func readBeacons() throws(CommandFailure) -> [PlacedBeacon] {
    guard let path = value("beacons") else { return [] }
    let bytes: [UInt8]
    do throws(SmallFile.Failure) {
      bytes = try SmallFile(path: path).bytes
    } catch {
      throw .failed("\(path): \(error.text)")
    }
    do throws(GeoJSONError) {
      return try GeoJSONBeacons.read(bytes)
    } catch {
      throw .failed("\(path): \(error.description)")
    }
  }
}
