import LocationModel

/// One line of gpsd's JSON, as far as it matters here (gpsd_json(5), protocol 3). What a line does not say is nil.
package enum GPSDReport: Hashable, Sendable {
  case version(GPSDVersion)
  case devices([GPSDDevice])
  case device(GPSDDevice)
  case position(GPSDPosition)
  case sky(GPSDSky)
  case errors(GPSDErrorStatistics)
  case attitude(GPSDAttitude)
  /// gpsd's own words about what it refuses.
  case failure(String)
}

/// VERSION, the first line of a connection.
package struct GPSDVersion: Hashable, Sendable {
  package var release: String?
  package var protocolMajor: Int?
  package var protocolMinor: Int?
}

/// A receiver that gpsd knows.
package struct GPSDDevice: Hashable, Sendable {
  package var path: String?
  package var driver: String?
  package var speedBaud: Int?
  /// Nil where gpsd does not say since when it is open: it is not, or it has just been lost.
  package var isActive: Bool?
}

/// TPV. Error estimates are gpsd's own, of 95 % certainty, in the unit of what they belong to.
package struct GPSDPosition: Hashable, Sendable {
  package var device: String?
  /// 0 unknown, 1 no fix, 2 without height, 3 with height.
  package var mode: Int?
  package var isSimulated = false
  package var time: WallTime?
  /// When the line came, where whoever reads it notes that.
  package var arrival: WallTime?
  package var latitude: Double?
  package var longitude: Double?
  /// Above mean sea level; `altMSL`, or `alt` of gpsd before 3.20.
  package var altitudeMeters: Double?
  package var ellipsoidalAltitudeMeters: Double?
  /// `geoidSep`: height of mean sea level above the ellipsoid.
  package var geoidSeparationMeters: Double?
  package var speedMetersPerSecond: Double?
  package var trackDegrees: Double?
  /// `eph`: radius.
  package var horizontalErrorMeters: Double?
  /// `epx` and `epy`: along each axis.
  package var eastErrorMeters: Double?
  package var northErrorMeters: Double?
  package var verticalErrorMeters: Double?
  package var speedErrorMetersPerSecond: Double?
  package var trackErrorDegrees: Double?
}

/// SKY. gpsd 3.22 and later also send it without satellites, for the dilutions alone.
package struct GPSDSky: Hashable, Sendable {
  package var device: String?
  package var time: WallTime?
  package var horizontalDilution: Double?
  package var verticalDilution: Double?
  package var positionDilution: Double?
  /// Nil where the line lists none; the list from before still holds.
  package var satellites: [GPSDSatellite]?
}

/// A satellite in view.
package struct GPSDSatellite: Hashable, Sendable {
  /// `gnssid`: 0 GPS, 1 SBAS, 2 Galileo, 3 BeiDou, 4 IMES, 5 QZSS, 6 GLONASS, 7 NavIC; nil from an old gpsd.
  package var system: Int?
  /// `svid`, the number within the system; nil from an old gpsd.
  package var number: Int?
  /// `PRN`, gpsd's number over all systems.
  package var overallNumber: Int?
  package var elevationDegrees: Double?
  package var azimuthDegrees: Double?
  /// Carrier to noise density, dBHz.
  package var signalDecibelHertz: Double?
  package var isUsed = false
}

/// GST: standard deviations, 68 % certainty (NMEA 0183's sentence of that name).
package struct GPSDErrorStatistics: Hashable, Sendable {
  package var device: String?
  package var time: WallTime?
  package var latitudeErrorMeters: Double?
  package var longitudeErrorMeters: Double?
  package var altitudeErrorMeters: Double?
}

/// ATT: which way the device points.
package struct GPSDAttitude: Hashable, Sendable {
  package var device: String?
  package var time: WallTime?
  /// Clockwise from true north.
  package var headingDegrees: Double?
  package var pitchDegrees: Double?
  package var rollDegrees: Double?
}
