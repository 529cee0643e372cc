import Foundation

/// A recording that a test draws: due north from one place, a point every few seconds.
struct DrawnTrack {
  /// A degree of the meridian at 47.5 degrees.
  static let metersPerDegree = 111_178.0

  let path: String

  /// - Parameters:
  ///   - speed: of a point, as the file tells it; nil for a file that tells none.
  ///   - meters: how far north the device is after so many seconds.
  init(
    in folder: TemporaryFolder, seconds: Int, every step: Int = 1, speed: ((Int) -> Double)? = nil,
    meters: (Int) -> Double
  ) throws {
    let points = stride(from: 0, through: seconds, by: step).map { second in
      let time = String(format: "2026-05-04T%02d:%02d:%02dZ", 8 + second / 3_600, second / 60 % 60, second % 60)
      let extensions = speed.map { "<extensions><speed>\($0(second))</speed></extensions>" } ?? ""
      return "<trkpt lat=\"\(Self.latitude(meters(second)))\" lon=\"19.2\"><time>\(time)</time>\(extensions)</trkpt>"
    }
    path = try folder.write(
      "<gpx version=\"1.1\"><trk><trkseg>\(points.joined(separator: "\n"))</trkseg></trk></gpx>", to: "drawn.gpx")
  }

  static func latitude(_ meters: Double) -> Double { 47.5 + meters / metersPerDegree }
}
