import Foundation

/// Reading and writing of single values in keyed archives, so that a missing or wrong-typed value reads as nil.
///
/// Numbers are stored as objects: the coder's own scalar calls answer 0 for a value of another type, which would turn
/// a damaged archive into a place in the Gulf of Guinea.
extension NSCoder {
  func encodeNumber(_ value: Double, forKey key: String) {
    encode(NSNumber(value: value), forKey: key)
  }

  func encodeNumber(_ value: Int, forKey key: String) {
    encode(NSNumber(value: value), forKey: key)
  }

  func encodeFlag(_ value: Bool, forKey key: String) {
    encode(NSNumber(value: value), forKey: key)
  }

  func encodeText(_ value: String, forKey key: String) {
    encode(NSString(string: value), forKey: key)
  }

  func encodeDate(_ value: Date, forKey key: String) {
    encodeNumber(value.timeIntervalSinceReferenceDate, forKey: key)
  }

  func encodeCoordinate(_ value: CLLocationCoordinate2D, forKey key: String) {
    encodeNumber(value.latitude, forKey: key + "Latitude")
    encodeNumber(value.longitude, forKey: key + "Longitude")
  }

  func decodeNumber(forKey key: String) -> Double? {
    storedNumber(forKey: key)?.doubleValue
  }

  func decodeWholeNumber(forKey key: String) -> Int? {
    storedNumber(forKey: key).flatMap { Int(exactly: $0) }
  }

  func decodeFlag(forKey key: String) -> Bool? {
    storedNumber(forKey: key)?.boolValue
  }

  func decodeText(forKey key: String) -> String? {
    guard allowsKeyedCoding, containsValue(forKey: key) else { return nil }
    return decodeObject(of: NSString.self, forKey: key) as String?
  }

  func decodeDate(forKey key: String) -> Date? {
    decodeNumber(forKey: key).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  func decodeCoordinate(forKey key: String) -> CLLocationCoordinate2D? {
    guard let latitude = decodeNumber(forKey: key + "Latitude"),
      let longitude = decodeNumber(forKey: key + "Longitude")
    else { return nil }
    return CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
  }

  func decodeUUID(forKey key: String) -> UUID? {
    decodeText(forKey: key).flatMap(UUID.init(uuidString:))
  }

  /// A number of 16 bits: the outer nil is a wrong value, the inner one the absence that means "any".
  func decodeBeaconNumber(forKey key: String) -> UInt16?? {
    guard allowsKeyedCoding, containsValue(forKey: key) else { return .some(nil) }
    guard let whole = decodeWholeNumber(forKey: key), let number = UInt16(exactly: whole) else {
      return nil
    }
    return .some(number)
  }

  /// A nested object: the outer nil is a wrong value, the inner one an absent one.
  func decodeOptionalObject<Object: NSObject & NSCoding>(
    of type: Object.Type, forKey key: String
  ) -> Object?? {
    guard allowsKeyedCoding, containsValue(forKey: key) else { return .some(nil) }
    guard let object = decodeObject(of: type, forKey: key) else { return nil }
    return .some(object)
  }

  private func storedNumber(forKey key: String) -> NSNumber? {
    guard allowsKeyedCoding, containsValue(forKey: key) else { return nil }
    return decodeObject(of: NSNumber.self, forKey: key)
  }
}
