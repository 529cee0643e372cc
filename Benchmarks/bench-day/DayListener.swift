import BenchmarkSupport
import CoreLocation

/// Counts the calls of its delegate methods, and prints the figure when the recording is over.
final class DayListener: NSObject, CLLocationManagerDelegate {
  private let points: Int
  private let folder: URL
  private var manager: CLLocationManager?
  private var calls = 0
  private var locations = 0
  private var result = ResultHash()
  private var before = 0.0

  init(points: Int) {
    self.points = points
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-day-\(getpid())")
  }

  func begin() {
    let track = folder.appendingPathComponent("day.gpx")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(gpx.utf8).write(to: track)
    } catch {
      print("bench-day: \(track.path) cannot be written: \(error)")
      exit(1)
    }
    setenv("CORELOCATION_SOURCE", "gpx:\(track.path)?speed=max", 1)
    setenv("CORELOCATION_AUTHORIZATION", "whenInUse", 1)
    setenv("XDG_STATE_HOME", folder.path, 1)
    before = Measurement.processSeconds()
    let manager = CLLocationManager()
    manager.delegate = self
    manager.pausesLocationUpdatesAutomatically = false
    manager.startUpdatingLocation()
    self.manager = manager
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    calls += 1
    self.locations += locations.count
    result.add(locations[0].coordinate.latitude)
  }

  /// The end of a recording is silence, which is said once.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    let seconds = Measurement.processSeconds() - before
    try? FileManager.default.removeItem(at: folder)
    print(
      "a day at 1 Hz  \(calls) calls with \(locations) locations of \(points) points  "
        + "\(decimals(seconds, 3)) s of CPU  \(decimals(seconds / Double(points) * 1e6, 2)) us a fix  peak memory \((Measurement.peakMemoryBytes() ?? 0) / 1_048_576) MB  hash \(result.text)"
    )
    exit(calls == points ? 0 : 1)
  }

  /// A walk north, one point a second.
  private var gpx: String {
    var text = "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"bench-day\"><trk><trkseg>\n"
    for second in 0..<points {
      let latitude = decimals(47 + Double(second) * 0.000_012_5, 7)
      let clock = [second / 3_600, second / 60 % 60, second % 60].map { ($0 < 10 ? "0" : "") + String($0) }
      text += "<trkpt lat=\"\(latitude)\" lon=\"19.2500000\"><ele>101.5</ele>"
      text += "<time>2026-06-01T\(clock.joined(separator: ":"))Z</time></trkpt>\n"
    }
    return text + "</trkseg></trk></gpx>\n"
  }
}
