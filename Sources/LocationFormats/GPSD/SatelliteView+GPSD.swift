extension SatelliteView {
  /// By gpsd's `gnssid`; 4 is IMES, which stands indoors and is no satellite.
  private static let systems: [Int: SatelliteSystem] = [
    0: .gps, 1: .augmentation, 2: .galileo, 3: .beiDou, 5: .quasiZenith, 6: .glonass, 7: .navIC,
  ]

  /// Nil where gpsd gives no number.
  package init?(_ satellite: GPSDSatellite) {
    guard let number = satellite.number ?? satellite.overallNumber else { return nil }
    self.init(
      system: satellite.system.flatMap { Self.systems[$0] } ?? .unknown, number: number,
      elevationDegrees: Self.whole(satellite.elevationDegrees), azimuthDegrees: Self.whole(satellite.azimuthDegrees),
      signalDecibelHertz: Self.whole(satellite.signalDecibelHertz), isUsed: satellite.isUsed)
  }

  private static func whole(_ value: Double?) -> Int? {
    value.flatMap { Int(exactly: $0.rounded()) }
  }
}
