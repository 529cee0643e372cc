import Glibc
import LocationFormats
import LocationModel

/// The decoder under attack.
enum Decoder: String {
  case nmea
  case gpx
  case gpsd
  case geojson
  case beacon

  static let chosen: Decoder = {
    guard let name = getenv("FUZZ_DECODER").map({ String(cString: $0) }), let decoder = Decoder(rawValue: name) else {
      print("FUZZ_DECODER names no decoder; expected nmea, gpx, gpsd, geojson or beacon")
      exit(2)
    }
    return decoder
  }()
}

/// The name that libFuzzer's library wants to see linked; the driver is given the function itself.
@_cdecl("LLVMFuzzerTestOneInput")
func decodeOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  attack(start, count)
}

func attack(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  switch Decoder.chosen {
  case .nmea: decodeNMEA(bytes)
  case .gpx: decodeGPX(bytes)
  case .gpsd: decodeGPSD(bytes)
  case .geojson:
    decodeGeoJSON(bytes)
    decodeGeoJSONBeacons(bytes)
  case .beacon: decodeBeacon(bytes)
  }
  return 0
}

/// What comes out can be monitored.
private func decodeGeoJSON(_ bytes: UnsafeBufferPointer<UInt8>) {
  guard let regions = try? GeoJSONRegions.read(Array(bytes)) else { return }
  for region in regions {
    guard case .circle(let center, let radius) = region.shape else { preconditionFailure("no circle came out") }
    precondition(center.isValid && radius > 0 && radius.isFinite && !region.identifier.isEmpty)
  }
  precondition(Set(regions.map(\.identifier)).count == regions.count, "one identifier twice")
}

/// What comes out stands somewhere, and has a name of its own.
private func decodeGeoJSONBeacons(_ bytes: UnsafeBufferPointer<UInt8>) {
  guard let beacons = try? GeoJSONBeacons.read(Array(bytes)) else { return }
  for beacon in beacons { precondition(beacon.coordinate.isValid && beacon.identifier?.isEmpty != true) }
  let names = beacons.compactMap(\.identifier)
  precondition(Set(names).count == names.count, "one identifier twice")
}

/// A frame that is read is written as it was; its own constraint matches it, and its pattern begins it.
private func decodeBeacon(_ bytes: UnsafeBufferPointer<UInt8>) {
  guard let frame = BeaconFrame(manufacturerData: bytes) else { return }
  precondition(frame.manufacturerData == Array(bytes), "a frame is not what was read")
  let constraint = BeaconConstraint(frame.beacon)
  precondition(constraint.matches(frame.beacon) && bytes.starts(with: BeaconFrame.prefix(of: constraint)))
  let halves = BeaconUUID.halves(constraint.uuidText)
  precondition(halves?.high == constraint.uuidHigh && halves?.low == constraint.uuidLow)
}

/// In two pieces, cut where the first byte says, so that states between pieces are met too.
private func decodeNMEA(_ bytes: UnsafeBufferPointer<UInt8>) {
  let reader = NMEAReader(.recorded)
  let cut = bytes.isEmpty ? 0 : Int(bytes[0]) % bytes.count
  reader.feed(UnsafeBufferPointer(rebasing: bytes[..<cut]))
  reader.feed(UnsafeBufferPointer(rebasing: bytes[cut...]))
  reader.finish()
  var epochs: [NMEAEpoch] = []
  reader.takeEpochs(into: &epochs)
  for case let fix? in epochs.map(\.fix) {
    precondition(fix.coordinate.isValid, "a place that is none came out of the decoder")
    if let accuracy = fix.horizontalAccuracyMeters {
      precondition(accuracy > 0 && accuracy.isFinite, "an accuracy that is none came out of the decoder")
    }
  }
}

/// With the shortcut and without: the two must agree.
private func decodeGPX(_ bytes: UnsafeBufferPointer<UInt8>) {
  precondition(points(bytes, usesShortcut: true) == points(bytes, usesShortcut: false))
}

private func points(_ bytes: UnsafeBufferPointer<UInt8>, usesShortcut: Bool) -> [TrackPoint] {
  let parser = GPXParser(usesShortcut: usesShortcut)
  var points: [TrackPoint] = []
  try? parser.parse(UnsafeRawBufferPointer(bytes), isLast: true)
  parser.takePoints(into: &points)
  for point in points { precondition(point.coordinate.isValid) }
  return points
}

/// At once, and in two pieces: the reports must be the same. Then what becomes of them: epochs, fixes, satellites.
private func decodeGPSD(_ bytes: UnsafeBufferPointer<UInt8>) {
  var whole = GPSDDecoder()
  var pieces = GPSDDecoder()
  let cut = bytes.isEmpty ? 0 : Int(bytes[0]) % bytes.count
  let reports = allReports(&whole, [bytes])
  let same = allReports(&pieces, [UnsafeBufferPointer(rebasing: bytes[..<cut]), .init(rebasing: bytes[cut...])])
  precondition(reports == same && whole.malformedCount == pieces.malformedCount, "a cut changes what is read")
  var epochs = GPSDEpochs()
  var statistics: GPSDErrorStatistics?
  var now = Instant.zero
  for report in reports {
    now = now.advanced(bySeconds: 0.001)
    switch report {
    case .errors(let errors): statistics = errors
    case .position(let position):
      check(position, statistics)
      for complete in epochs.take(position, at: now) { check(complete, statistics) }
    case .sky(let sky): _ = (sky.satellites ?? []).compactMap(SatelliteView.init)
    case .version, .devices, .device, .attitude, .failure: break
    }
  }
  if let last = epochs.expire(at: now.advanced(bySeconds: 1)) { check(last, statistics) }
}

private func allReports(_ decoder: inout GPSDDecoder, _ pieces: [UnsafeBufferPointer<UInt8>]) -> [GPSDReport] {
  var reports: [GPSDReport] = []
  for piece in pieces { decoder.decode(UnsafeRawBufferPointer(piece)) { reports.append($0) } }
  return reports
}

private func check(_ position: GPSDPosition, _ statistics: GPSDErrorStatistics?) {
  guard let fix = position.fix(receivedAt: WallTime(nanosecondsSince1970: 0), errors: statistics) else { return }
  precondition(fix.coordinate.isValid, "a place that is none came out of the decoder")
  let errors = [
    fix.horizontalAccuracyMeters, fix.verticalAccuracyMeters, fix.speedAccuracyMetersPerSecond,
    fix.courseAccuracyDegrees,
  ]
  for case let error? in errors { precondition(error > 0 && error.isFinite, "an accuracy that is none") }
  for case let height? in [fix.altitudeMeters, fix.ellipsoidalAltitudeMeters] { precondition(height.isFinite) }
  if let speed = fix.speedMetersPerSecond { precondition(speed >= 0 && speed.isFinite, "a speed that is none") }
  if let course = fix.courseDegrees { precondition((0..<360).contains(course), "a course that is none") }
}
