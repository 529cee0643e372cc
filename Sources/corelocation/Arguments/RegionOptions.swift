import LinuxIO
import LocationFormats
import LocationModel

/// The circles that `--region` and `--regions` name, in the order in which they are to be monitored.
extension CommandLineArguments {
  func regions() throws(CommandFailure) -> [Region] {
    var regions: [Region] = []
    for text in all("region") { regions.append(try Region(option: text)) }
    for path in all("regions") { regions += try Self.regions(inFile: path) }
    var identifiers: Set<String> = []
    for region in regions where !identifiers.insert(region.identifier).inserted {
      throw .wrongUsage("the region \"\(region.identifier)\" is named twice; expected an ID of its own for each")
    }
    return regions
  }

  private static func regions(inFile path: String) throws(CommandFailure) -> [Region] {
    let bytes: [UInt8]
    do throws(SmallFile.Failure) {
      bytes = try SmallFile(path: path).bytes
    } catch {
      throw .failed("\(path): \(error.text)")
    }
    do throws(GeoJSONError) {
      return try GeoJSONRegions.read(bytes)
    } catch {
      throw .failed("\(path): \(error.description)")
    }
  }
}

extension Region {
  /// `ID:LAT,LON,RADIUS`: degrees and metres. The identifier may hold colons itself.
  fileprivate init(option text: String) throws(CommandFailure) {
    let wrong = CommandFailure.wrongUsage(
      "option --region: expected ID:LAT,LON,RADIUS in degrees and metres, such as home:47.5,19.2,150, "
        + "found \"\(text)\"")
    guard let colon = text.lastIndex(of: ":"), colon > text.startIndex else { throw wrong }
    let parts = text[text.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { DecimalNumber.parse($0) }
    guard parts.count == 3, numbers.count == 3, numbers[2] > 0 else { throw wrong }
    let center = Coordinate(latitude: numbers[0], longitude: numbers[1])
    guard center.isValid else { throw wrong }
    self.init(identifier: String(text[..<colon]), shape: .circle(center: center, radiusMeters: numbers[2]))
  }
}
