extension SourceSpecification {
  /// Whether a source is a GNSS receiver, or stands for one as a recording does. Of `auto`: whether gpsd has a receiver
  /// or a serial port is there that receivers use.
  package var hasSatelliteReceiver: Bool {
    switch self {
    case .gpx, .nmea, .gpsd, .tcp, .udp, .fixed: true
    case .geoClue, .portal: false
    case .automatic: !AutomaticProvider.Places().ports.isEmpty || GPSDInventory.hasReceiver()
    }
  }
}
