import Foundation
import Testing

/// A line of `--json` as a program reads it (design 6). Each shape names what it must have; a missing or null value
/// where a number belongs fails the decoding.
struct OutputEvent: Decodable {
  var event: String
  var service: String?
  var time: String?
  var locations: [Location]?
  var status: String?
  var accuracy: String?
  var code: Int?
  var name: String?
  var region: String?
  var state: String?
  var fixesIn: Int?
  var locationsDelivered: Int?
  var virtualSeconds: Double?
  var energyJoules: Energy?
  var latitude: Double?
  var longitude: Double?
  var horizontalAccuracy: Double?
  var arrivalDate: String?
  var departureDate: String?
  var magneticHeading: Double?
  var trueHeading: Double?
  var headingAccuracy: Double?
  var x: Double?
  var beacons: [Beacon]?
  var on: [String]?
  var off: [String]?
  var decisions: [Decision]?

  struct Decision: Decodable, Equatable {
    var app: String
    var service: String
    var accuracy: String?
    var look: String
    var lookDate: String?
    var receivers: [String]
  }

  struct Beacon: Decodable {
    var uuid: String
    var major: Int
    var minor: Int
    var proximity: String
    var accuracy: Double
    var rssi: Int
    var timestamp: String
  }

  struct Location: Decodable, Equatable {
    var latitude: Double
    var longitude: Double
    var altitude: Double
    var ellipsoidalAltitude: Double
    var horizontalAccuracy: Double
    var verticalAccuracy: Double
    var speed: Double
    var speedAccuracy: Double
    var course: Double
    var courseAccuracy: Double
    var timestamp: String
    var isSimulatedBySoftware: Bool
  }

  struct Energy: Decodable {
    var gnss: Double
    var wifi: Double
    var cell: Double
    var bluetooth: Double
    var motion: Double
    var total: Double
  }
}

extension CommandRun {
  func events() throws -> [OutputEvent] {
    try lines.map { try JSONDecoder().decode(OutputEvent.self, from: Data($0.utf8)) }
  }

  func locations() throws -> [OutputEvent.Location] {
    try events().flatMap { $0.locations ?? [] }
  }

  /// The keys of a line, in its order.
  func keys(ofLine index: Int) -> [String] {
    guard lines.indices.contains(index) else { return [] }
    return lines[index].matches(of: /"([A-Za-z]+)":/).map { String($0.1) }
  }
}
