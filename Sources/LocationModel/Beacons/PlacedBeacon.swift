/// A beacon that stands somewhere.
package struct PlacedBeacon: Hashable, Sendable {
  package var frame: BeaconFrame
  package var coordinate: Coordinate
  /// What it is called; nil where it has no name.
  package var identifier: String?

  package init(_ frame: BeaconFrame, at coordinate: Coordinate, identifier: String? = nil) {
    self.frame = frame
    self.coordinate = coordinate
    self.identifier = identifier
  }
}
