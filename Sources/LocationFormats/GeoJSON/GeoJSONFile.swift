/// The features of a GeoJSON file (RFC 7946), whatever they stand for: those of a FeatureCollection, or a single one.
enum GeoJSONFile {
  static func features(_ bytes: [UInt8]) throws(GeoJSONError) -> [GeoJSONFeature] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = Array(bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]) + [0]
    let result = text.withUnsafeBufferPointer { buffer -> Result<[GeoJSONFeature], GeoJSONError> in
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

  private static func readFile(_ reader: inout JSONReader) throws(GeoJSONError) -> [GeoJSONFeature] {
    guard reader.beginObject() else { throw noJSON(reader) }
    var type: String?
    var features: [GeoJSONFeature]?
    var single = GeoJSONFeature()
    while let key = reader.nextKey() {
      switch key {
      case "type": type = reader.string()
      case "features": features = readFeatures(&reader)
      default: single.take(key, &reader)
      }
    }
    guard reader.isAtEnd() else { throw noJSON(reader, after: features?.count ?? 0) }
    switch type {
    case "FeatureCollection":
      // An empty list is a file without features; no list is another file.
      guard let features else {
        throw GeoJSONError(sentence: "expected a FeatureCollection with the list \"features\", found no such list")
      }
      return features
    case "Feature":
      single.type = type
      return [single]
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

  private static func noJSON(_ reader: JSONReader, after count: Int = 0) -> GeoJSONError {
    guard count > 0 else { return GeoJSONError(sentence: "expected a GeoJSON FeatureCollection, found other text") }
    return GeoJSONError(sentence: "the JSON is broken or cut short after its feature \(count)")
  }
}
