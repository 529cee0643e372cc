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
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = Array(bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]) + [0]
    let result = text.withUnsafeBufferPointer { buffer -> Result<[Region], GeoJSONError> in
      guard let start = buffer.baseAddress else { return .success([]) }
      var reader = JSONReader(terminated: start)
      do throws(GeoJSONError) {
        return .success(try readFile(&reader))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func readFile(_ reader: inout JSONReader) throws(GeoJSONError) -> [Region] {
    guard reader.beginObject() else { throw noJSON(reader) }
    var type: String?
    var features: [GeoJSONFeature]?
    var single = GeoJSONFeature()
    while let key = reader.nextKey() {
      switch key {
      case "type": type = reader.string()
      case "features":
        features = readFeatures(&reader)
      default: single.take(key, &reader)
      }
    }
    guard reader.isAtEnd() else { throw noJSON(reader, after: features?.count ?? 0) }
    switch type {
    case "FeatureCollection":
      // An empty list is a file without regions; no list is another file.
      guard let features else {
        throw GeoJSONError(sentence: "expected a FeatureCollection with the list \"features\", found no such list")
      }
      return try regions(features)
    case "Feature":
      single.type = type
      return try regions([single])
    default:
      let found = type.map { "type \"\($0)\"" } ?? "no type"
      throw GeoJSONError(sentence: "expected a GeoJSON FeatureCollection, found \(found)")
    }
  }

  /// Nil where there is no list.
  private static func readFeatures(_ reader: inout JSONReader) -> [GeoJSONFeature]? {
    guard reader.beginArray() else { return nil }
    var features: [GeoJSONFeature] = []
    while reader.nextElement() {
      let feature = GeoJSONFeature(&reader)
      if reader.isBroken { break }
      features.append(feature)
    }
    return features
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

  private static func noJSON(_ reader: JSONReader, after count: Int = 0) -> GeoJSONError {
    guard count > 0 else { return GeoJSONError(sentence: "expected a GeoJSON FeatureCollection, found other text") }
    return GeoJSONError(sentence: "the JSON is broken or cut short after its feature \(count)")
  }
}
