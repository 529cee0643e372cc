import Foundation
import LocationProviders

/// A file that is gone when the test is.
final class TemporaryFile {
  let path: String

  init(_ text: String, name: String = "track.gpx") throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("corelocation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent(name).path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  deinit {
    try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
  }

  /// The names that the reader gives to the points: "latitude/longitude", then the error.
  static func play(_ path: String) -> (places: [String], error: ReplayError?) {
    var places: [String] = []
    do throws(ReplayError) {
      let reader = try TrackReader(path: path)
      while let point = try reader.next() {
        places.append("\(point.coordinate.latitude)/\(point.coordinate.longitude)")
      }
    } catch {
      return (places, error)
    }
    return (places, nil)
  }
}
