import CoreLocation
import CoreLocationTesting
import DrawnDays
import Foundation
import LocationModel

/// When a day's way really crosses the edges of its circles, second by second.
struct TrueCrossings {
  struct Crossing {
    var identifier: String
    var isEntry: Bool
    var second: Double
    /// How long the device then stays on that side.
    var lastsSeconds: Double
  }

  private(set) var all: [Crossing] = []
  var lasting: [Crossing] { all.filter { $0.lastsSeconds >= 60 } }

  /// An edge is crossed where the policy's cushion beyond it is (docs/monitoring.md): 20 m for these circles.
  private static let cushionMeters = 20.0

  init(_ day: DrawnDay) {
    let device = SimulatedDevice(at: day.stays[0].place)
    device.setOut(on: day.journey)
    var isInside = [Bool?](repeating: nil, count: day.circles.count)
    var open = [Int?](repeating: nil, count: day.circles.count)
    for second in 0...Int(DrawnDay.daySeconds) {
      if second > 0 { device.advance(by: .seconds(1)) }
      guard let place = device.place else { continue }
      let here = Coordinate(latitude: place.latitude, longitude: place.longitude)
      for (index, circle) in day.circles.enumerated() {
        let distance = Geodesic.distanceMeters(
          from: here, to: Coordinate(latitude: circle.center.latitude, longitude: circle.center.longitude))
        let side: Bool? =
          distance <= circle.radius - Self.cushionMeters
          ? true : distance >= circle.radius + Self.cushionMeters ? false : nil
        guard let side, side != isInside[index] else { continue }
        if let open = open[index] { all[open].lastsSeconds = Double(second) - all[open].second }
        if isInside[index] != nil {
          open[index] = all.count
          all.append(
            Crossing(identifier: circle.identifier, isEntry: side, second: Double(second), lastsSeconds: .infinity))
        }
        isInside[index] = side
      }
    }
  }

  /// How late each lasting crossing was told, and how many were told that never were.
  func judge(
    _ told: [(identifier: String, isEntry: Bool, at: Date)]
  ) -> (lateness: [Double], missed: [Crossing], falseCount: Int) {
    let start = Date(timeIntervalSince1970: 1_780_272_000)
    var left = told.map { (identifier: $0.identifier, isEntry: $0.isEntry, second: $0.at.timeIntervalSince(start)) }
    var lateness: [Double] = []
    var missed: [Crossing] = []
    // Whoever was not told of a short stay has nothing to be told of its end.
    var untold: Set<String> = []
    for crossing in all {
      let place = left.firstIndex { event in
        event.identifier == crossing.identifier && event.isEntry == crossing.isEntry
          && event.second >= crossing.second - 5 && event.second <= crossing.second + max(120, crossing.lastsSeconds)
      }
      let isDue = crossing.lastsSeconds >= 60 && !(untold.contains(crossing.identifier) && place == nil)
      if isDue, place == nil { missed.append(crossing) }
      if place == nil, crossing.lastsSeconds < 60 {
        untold.insert(crossing.identifier)
      } else {
        untold.remove(crossing.identifier)
      }
      guard let place else { continue }
      let event = left.remove(at: place)
      if crossing.lastsSeconds >= 60 { lateness.append(max(0, event.second - crossing.second)) }
    }
    return (lateness, missed, left.count)
  }
}
