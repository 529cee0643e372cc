import LocationModel

extension CLBeacon {
  convenience init(_ sighting: BeaconSighting) {
    self.init(
      uuid: UUID(high: sighting.beacon.uuidHigh, low: sighting.beacon.uuidLow), major: sighting.beacon.major,
      minor: sighting.beacon.minor, proximity: CLProximity(rawValue: sighting.proximity.rawValue) ?? .unknown,
      accuracy: sighting.accuracyMeters ?? -1, rssi: sighting.signalDecibels ?? 0, timestamp: Date(sighting.time))
  }
}
