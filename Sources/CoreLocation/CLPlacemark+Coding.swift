extension CLPlacemark.Values {
  /// Nil where a value is of another type; what is absent stays unknown.
  init?(coder: NSCoder) {
    guard let location = coder.decodeOptionalObject(of: CLLocation.self, forKey: "location"),
      let region = Self.decodeRegion(coder),
      let texts = Self.decodeTexts(coder),
      let timeZone = Self.decodeTimeZone(coder),
      let areasOfInterest = Self.decodeStrings(coder, key: "areasOfInterest"),
      let addressDictionary = Self.decodeAddress(coder)
    else { return nil }
    self.init()
    self.location = location
    self.region = region
    self.timeZone = timeZone
    self.addressDictionary = addressDictionary
    self.texts = texts
    self.areasOfInterest = areasOfInterest
  }

  func encode(with coder: NSCoder) {
    if let location { coder.encode(location, forKey: "location") }
    if let region { coder.encode(region, forKey: "region") }
    for (text, value) in texts { coder.encodeText(value, forKey: text.rawValue) }
    if let timeZone { coder.encodeText(timeZone.identifier, forKey: "timeZone") }
    if let areasOfInterest {
      coder.encode(NSArray(array: areasOfInterest.map(NSString.init(string:))), forKey: "areasOfInterest")
    }
    encodeAddress(with: coder)
  }

  private static func decodeRegion(_ coder: NSCoder) -> CLRegion?? {
    guard coder.allowsKeyedCoding, coder.containsValue(forKey: "region") else { return .some(nil) }
    let classes = [CLCircularRegion.self, CLBeaconRegion.self, CLRegion.self]
    guard let region = coder.decodeObject(of: classes, forKey: "region") as? CLRegion else {
      return nil
    }
    return .some(region)
  }

  private static func decodeTexts(_ coder: NSCoder) -> [Text: String]? {
    var texts: [Text: String] = [:]
    for text in Text.allCases
    where coder.allowsKeyedCoding && coder.containsValue(forKey: text.rawValue) {
      guard let value = coder.decodeText(forKey: text.rawValue) else { return nil }
      texts[text] = value
    }
    return texts
  }

  private static func decodeTimeZone(_ coder: NSCoder) -> TimeZone?? {
    guard coder.allowsKeyedCoding, coder.containsValue(forKey: "timeZone") else { return .some(nil) }
    guard let timeZone = coder.decodeText(forKey: "timeZone").flatMap(TimeZone.init(identifier:))
    else { return nil }
    return .some(timeZone)
  }

  private static func decodeStrings(_ coder: NSCoder, key: String) -> [String]?? {
    guard coder.allowsKeyedCoding, coder.containsValue(forKey: key) else { return .some(nil) }
    guard let strings = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String]
    else { return nil }
    return .some(strings)
  }

  // The address dictionary of old holds texts and lists of texts; it travels as two lists of equal length, a list of
  // keys and a list of values, because those are the classes that secure coding has to know.
  private func encodeAddress(with coder: NSCoder) {
    guard let addressDictionary else { return }
    var keys: [NSString] = []
    var entries: [NSObject] = []
    for (key, value) in addressDictionary {
      guard let key = key.base as? String else { continue }
      if let text = value as? String {
        entries.append(NSString(string: text))
      } else if let texts = value as? [String] {
        entries.append(NSArray(array: texts.map(NSString.init(string:))))
      } else {
        continue
      }
      keys.append(NSString(string: key))
    }
    coder.encode(NSArray(array: keys), forKey: "addressKeys")
    coder.encode(NSArray(array: entries), forKey: "addressValues")
  }

  private static func decodeAddress(_ coder: NSCoder) -> [AnyHashable: Any]?? {
    guard let keys = decodeStrings(coder, key: "addressKeys") else { return nil }
    guard let keys else { return .some(nil) }
    let classes = [NSArray.self, NSString.self]
    guard let entries = coder.decodeObject(of: classes, forKey: "addressValues") as? [Any],
      entries.count == keys.count
    else { return nil }
    return .some(Dictionary(zip(keys.map(AnyHashable.init), entries)) { first, _ in first })
  }
}
