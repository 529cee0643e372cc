import Glibc

/// The second peer: shapely's STRtree, run by `shapely-peer.py` with the same circles and fixes in the same run.
enum ShapelyPeer {
  static func run(_ fleet: GeneratedFleet) throws {
    guard let python = getenv("SHAPELY_PYTHON").map({ String(cString: $0) }),
      let script = getenv("SHAPELY_PEER").map({ String(cString: $0) })
    else {
      return print("  shapely STRtree       not run: SHAPELY_PYTHON names no Python that has shapely")
    }
    let numbers =
      fleet.circles.flatMap { [$0.center.latitude, $0.center.longitude, $0.radiusMeters] }
      + fleet.fixes.flatMap { [$0.latitude, $0.longitude] }
    var path = Array("/tmp/bench-geofence-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0, let file = fdopen(descriptor, "wb") else { return perror("bench-geofence: mkstemp") }
    let name = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer { unlink(name) }
    let written = numbers.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    guard fclose(file) == 0, written == numbers.count * MemoryLayout<Double>.stride else {
      return perror("bench-geofence: \(name)")
    }
    let status = system("'\(python)' '\(script)' '\(name)' \(fleet.circles.count) \(fleet.fixes.count)")
    if status != 0 { print("  shapely STRtree       failed, status \(status)") }
  }
}
