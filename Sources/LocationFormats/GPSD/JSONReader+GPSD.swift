import LocationModel

/// The members of each class, the reader standing inside the object.
extension JSONReader {
  mutating func version() -> GPSDVersion {
    var version = GPSDVersion()
    while let key = nextKey() {
      switch key {
      case "release": version.release = string()
      case "proto_major": version.protocolMajor = integer(in: 0...1_000_000)
      case "proto_minor": version.protocolMinor = integer(in: 0...1_000_000)
      default: skip()
      }
    }
    return version
  }

  mutating func devices() -> [GPSDDevice] {
    var devices: [GPSDDevice] = []
    while let key = nextKey() {
      guard key == "devices" else {
        skip()
        continue
      }
      guard beginArray() else { continue }
      while nextElement() {
        if beginObject() { devices.append(device()) }
      }
    }
    return devices
  }

  mutating func device() -> GPSDDevice {
    var device = GPSDDevice()
    while let key = nextKey() {
      switch key {
      case "path": device.path = string()
      case "driver": device.driver = string()
      case "bps": device.speedBaud = integer(in: 0...100_000_000)
      case "activated": device.isActive = isActivation()
      default: skip()
      }
    }
    return device
  }

  /// A date since when the device is open; the number 0 where it was closed.
  private mutating func isActivation() -> Bool {
    string() != nil
  }

  mutating func position() -> GPSDPosition {
    var position = GPSDPosition()
    var olderAltitude: Double?
    while let key = nextKey() {
      switch key {
      case "device": position.device = string()
      case "mode": position.mode = integer(in: 0...3)
      case "status": position.isSimulated = isSimulation()
      case "time": position.time = time()
      case "lat": position.latitude = number()
      case "lon": position.longitude = number()
      case "altMSL": position.altitudeMeters = number(in: ValueLimits.heightMeters)
      case "alt": olderAltitude = number(in: ValueLimits.heightMeters)
      case "altHAE": position.ellipsoidalAltitudeMeters = number(in: ValueLimits.heightMeters)
      case "geoidSep": position.geoidSeparationMeters = number(in: ValueLimits.geoidHeightMeters)
      case "speed": position.speedMetersPerSecond = number(in: ValueLimits.receiverSpeedMetersPerSecond)
      case "track": position.trackDegrees = number()
      default: if !takeError(key, into: &position) { skip() }
      }
    }
    position.altitudeMeters = position.altitudeMeters ?? olderAltitude
    return position
  }

  private mutating func takeError(_ key: JSONKey, into position: inout GPSDPosition) -> Bool {
    switch key {
    case "eph": position.horizontalErrorMeters = number(in: ValueLimits.horizontalAccuracyMeters)
    case "epx": position.eastErrorMeters = number(in: ValueLimits.horizontalAccuracyMeters)
    case "epy": position.northErrorMeters = number(in: ValueLimits.horizontalAccuracyMeters)
    case "epv": position.verticalErrorMeters = number(in: ValueLimits.verticalAccuracyMeters)
    case "eps": position.speedErrorMetersPerSecond = number(in: ValueLimits.receiverSpeedMetersPerSecond)
    case "epd": position.trackErrorDegrees = number(in: ValueLimits.courseAccuracyDegrees)
    default: return false
    }
    return true
  }

  /// 8 is a simulator's (gpsd 3.22 and later); some servers that speak gpsd's protocol write the word.
  private mutating func isSimulation() -> Bool {
    guard startsWithQuote else { return number() == 8 }
    return string()?.uppercased().hasPrefix("SIMULAT") ?? false
  }

  mutating func sky() -> GPSDSky {
    var sky = GPSDSky()
    while let key = nextKey() {
      switch key {
      case "device": sky.device = string()
      case "time": sky.time = time()
      case "hdop": sky.horizontalDilution = number()
      case "vdop": sky.verticalDilution = number()
      case "pdop": sky.positionDilution = number()
      case "satellites": sky.satellites = satellites()
      default: skip()
      }
    }
    return sky
  }

  private mutating func satellites() -> [GPSDSatellite]? {
    guard beginArray() else { return nil }
    var satellites: [GPSDSatellite] = []
    while nextElement() {
      if beginObject() { satellites.append(satellite()) }
    }
    return satellites
  }

  private mutating func satellite() -> GPSDSatellite {
    var satellite = GPSDSatellite()
    while let key = nextKey() {
      switch key {
      case "gnssid": satellite.system = integer(in: 0...255)
      case "svid": satellite.number = integer(in: 0...1023)
      case "PRN": satellite.overallNumber = integer(in: 0...65_535)
      case "el": satellite.elevationDegrees = number()
      case "az": satellite.azimuthDegrees = number()
      case "ss": satellite.signalDecibelHertz = number()
      case "used": satellite.isUsed = flag() ?? false
      default: skip()
      }
    }
    return satellite
  }

  mutating func errorStatistics() -> GPSDErrorStatistics {
    var errors = GPSDErrorStatistics()
    while let key = nextKey() {
      switch key {
      case "device": errors.device = string()
      case "time": errors.time = time()
      case "lat": errors.latitudeErrorMeters = number(in: ValueLimits.horizontalAccuracyMeters)
      case "lon": errors.longitudeErrorMeters = number(in: ValueLimits.horizontalAccuracyMeters)
      case "alt": errors.altitudeErrorMeters = number(in: ValueLimits.verticalAccuracyMeters)
      default: skip()
      }
    }
    return errors
  }

  mutating func attitude() -> GPSDAttitude {
    var attitude = GPSDAttitude()
    while let key = nextKey() {
      switch key {
      case "device": attitude.device = string()
      case "time": attitude.time = time()
      case "heading": attitude.headingDegrees = number()
      case "pitch": attitude.pitchDegrees = number()
      case "roll": attitude.rollDegrees = number()
      default: skip()
      }
    }
    return attitude
  }

  mutating func failure() -> String {
    var message = ""
    while let key = nextKey() {
      if key == "message" { message = string() ?? message } else { skip() }
    }
    return message
  }

  /// What cannot be is not said.
  private mutating func number(in range: ClosedRange<Double>) -> Double? {
    number().flatMap { range.contains($0) ? $0 : nil }
  }
}
