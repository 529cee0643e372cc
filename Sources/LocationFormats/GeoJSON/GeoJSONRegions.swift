import LocationModel

/// Circles to be watched, from GeoJSON (RFC 7946): Point features that have an `id` and a property `radius` in metres.
///
///     {"type": "FeatureCollection", "features": [
///       {"type": "Feature", "id": "home", "properties": {"radius": 150},
///        "geometry": {"type": "Point", "coordinates": [19.2, 47.5]}}]}
///
/// Coordinates are longitude, latitude; a height is passed over. `id` may also stand among the properties, where
/// `notifyOnEntry` and `notifyOnExit` may be false. A single Feature is taken for a collection of one.
package enum GeoJSONRegions {
  package static func read(_ bytes: [UInt8]) throws(GeoJSONError) -> [Region] {
    try regions(GeoJSONFile.features(bytes))
  }

  private static func regions(_ features: [GeoJSONFeature]) throws(GeoJSONError) -> [Region] {
    var numbers: [String: Int] = [:]
    var regions: [Region] = []
    for (index, feature) in features.enumerated() {
      let region: Region
      do throws(GeoJSONFeature.Problem) {
        region = try feature.region()
      } catch {
        throw GeoJSONError(feature: index + 1, sentence: error.sentence)
      }
      if let first = numbers.updateValue(index + 1, forKey: region.identifier) {
        throw GeoJSONError(
          feature: index + 1, sentence: "expected an id of its own, found that of feature \(first)")
      }
      regions.append(region)
    }
    return regions
  }
}
