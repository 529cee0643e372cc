import Glibc
import LocationFormats
import LocationModel

/// The decoder under attack.
enum Decoder: String {
  case nmea
  case gpx

  static let chosen: Decoder = {
    guard let name = getenv("FUZZ_DECODER").map({ String(cString: $0) }), let decoder = Decoder(rawValue: name) else {
      print("FUZZ_DECODER names no decoder; expected nmea or gpx")
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
  }
  return 0
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
