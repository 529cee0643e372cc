/// A stay at one place.
package struct Visit: Hashable, Sendable {
  /// The middle of the place (behaviour 8.5).
  package var coordinate: Coordinate
  /// Radius of the place in metres (behaviour 8.5).
  package var radiusMeters: Double
  /// Nil where the device was there before anybody looked (behaviour 8.2).
  package var arrival: WallTime?
  /// Nil while the device is there (behaviour 8.2).
  package var departure: WallTime?

  package init(coordinate: Coordinate, radiusMeters: Double, arrival: WallTime?, departure: WallTime?) {
    self.coordinate = coordinate
    self.radiusMeters = radiusMeters
    self.arrival = arrival
    self.departure = departure
  }
}
