import LocationModel

/// Beacons that stand somewhere, from GeoJSON: Point features with the properties `uuid`, `major` and `minor`, and
/// `power`, the signal strength at one metre in dBm, -59 where it is left out. An `id` names a beacon.
///
///     {"type": "FeatureCollection", "features": [
///       {"type": "Feature", "id": "door",
///        "properties": {"uuid": "74278BDA-B644-4520-8F0C-720EAF059935", "major": 7, "minor": 1, "power": -59},
///        "geometry": {"type": "Point", "coordinates": [19.2, 47.5]}}]}
package enum GeoJSONBeacons {
  package static func read(_ bytes: [UInt8]) throws(GeoJSONError) -> [PlacedBeacon] {
    var beacons: [PlacedBeacon] = []
    var numbers: [String: Int] = [:]
    for (index, feature) in try GeoJSONFile.features(bytes).enumerated() {
      let beacon: PlacedBeacon
      do throws(GeoJSONFeature.Problem) {
        beacon = try feature.beacon()
      } catch {
        throw GeoJSONError(feature: index + 1, sentence: error.sentence)
      }
      if let name = beacon.identifier, let first = numbers.updateValue(index + 1, forKey: name) {
        throw GeoJSONError(
          feature: index + 1, sentence: "expected an id of its own, found that of feature \(first)")
      }
      beacons.append(beacon)
    }
    return beacons
  }
}

/// What a feature says of a beacon, before it is known to be one.
struct GeoJSONBeaconProperties {
  /// Nil where it is missing, and where it is no text.
  var uuid: String?
  var hasUUID = false
  var major = GeoJSONFeature.Value.missing
  var minor = GeoJSONFeature.Value.missing
  var power = GeoJSONFeature.Value.number(-59)
}

extension GeoJSONFeature {
  func beacon() throws(Problem) -> PlacedBeacon {
    try checkType()
    guard let text = beaconProperties.uuid, let halves = BeaconUUID.halves(text) else {
      let found = beaconProperties.uuid.map { "\"\($0)\"" } ?? (beaconProperties.hasUUID ? "no text" : "none")
      throw Problem(sentence: "expected a property \"uuid\", 32 hexadecimal digits in five groups, found \(found)")
    }
    let major = try Self.whole(beaconProperties.major, "major", UInt16.self)
    let minor = try Self.whole(beaconProperties.minor, "minor", UInt16.self)
    let power = try Self.whole(beaconProperties.power, "power", Int8.self)
    let beacon = BeaconIdentity(uuidHigh: halves.high, uuidLow: halves.low, major: major, minor: minor)
    return PlacedBeacon(
      BeaconFrame(beacon, measuredPower: power), at: try center("beacons are Points"), identifier: name)
  }

  private static func whole<Number: FixedWidthInteger>(
    _ value: Value, _ name: String, _ type: Number.Type
  ) throws(Problem) -> Number {
    guard let number = value.number.flatMap({ Number(exactly: $0) }) else {
      throw Problem(
        sentence: "expected a property \"\(name)\", a whole number from \(Number.min) to \(Number.max), found "
          + value.words)
    }
    return number
  }
}
