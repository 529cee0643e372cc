import LocationEngine

/// What an Info.plist says that only who installs and starts the app has to know.
struct BundleInfo: Decodable {
  var identifier: String?
  var executableName: String?
  var backgroundModes: [String]
  var requirements: [DeviceRequirement] = []
  /// Why the app cannot be installed: a key that decides which app it is has a value of a wrong type.
  var problem: BundleError.Problem?
  /// What counts as absent or says nothing, and what will not work for that: a sentence for each key.
  var notes: [String]

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private typealias Keys = KeyedDecodingContainer<Key>

  init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: Key.self)
    identifier = Self.value(of: InfoKey.bundleIdentifier, in: keys)
    executableName = Self.value(of: InfoKey.bundleExecutable, in: keys)
    backgroundModes = Self.value(of: InfoKey.backgroundModes, in: keys) ?? []
    notes = Self.notes(keys)
    for name in [InfoKey.bundleIdentifier, InfoKey.bundleExecutable]
    where Self.isWrong(name, String.self, in: keys) {
      problem = .noString(key: name)
      return
    }
    let key = InfoKey.requiredDeviceCapabilities
    if let names: [String] = Self.value(of: key, in: keys) {
      requirements = names.map { DeviceRequirement(capability: $0, isPresent: true) }
    } else if let flags: [String: Bool] = Self.value(of: key, in: keys) {
      requirements = flags.sorted { $0.key < $1.key }.map { DeviceRequirement(capability: $0.key, isPresent: $0.value) }
    } else if keys.contains(Key(key)) {
      problem = .wrongRequirements
    }
  }

  /// Nil where it is not there, or has another type.
  private static func value<Value: Decodable>(of name: String, in keys: Keys) -> Value? {
    try? keys.decode(Value.self, forKey: Key(name))
  }

  private static func isWrong<Value: Decodable>(_ name: String, _ type: Value.Type, in keys: Keys) -> Bool {
    let value: Value? = value(of: name, in: keys)
    return keys.contains(Key(name)) && value == nil
  }

  private static func notes(_ keys: Keys) -> [String] {
    var notes = usageNotes(keys)
    if isWrong(InfoKey.temporaryUsages, [String: String].self, in: keys) {
      notes.append(
        "\(InfoKey.temporaryUsages) is no dictionary of strings and counts as absent: nobody is asked for full "
          + "accuracy for a purpose.")
    }
    if isWrong(InfoKey.backgroundModes, [String].self, in: keys) {
      notes.append(
        "\(InfoKey.backgroundModes) is no array of strings and counts as absent: updates do not go on in the "
          + "background.")
    }
    return notes
  }

  private static func usageNotes(_ keys: Keys) -> [String] {
    // Nobody asks for Always without the text for While Using but by the oldest rules (behaviour 1.8).
    let consequences = [
      (InfoKey.whenInUse, ""), (InfoKey.alwaysAndWhenInUse, ": Always is not asked for"),
      (InfoKey.always, ": under the rules of iOS 8 to 10 Always is not asked for"),
    ]
    var notes: [String] = []
    for (name, consequence) in consequences where keys.contains(Key(name)) {
      let text: String? = value(of: name, in: keys)
      switch text?.allSatisfy(\.isWhitespace) {
      case nil: notes.append("\(name) is no string and counts as absent\(consequence).")
      case true?: notes.append("\(name) is empty: the question does not say what the location is for.")
      case false?: break
      }
    }
    let whenInUse: String? = value(of: InfoKey.whenInUse, in: keys)
    if whenInUse == nil {
      notes.append(
        "Without a text of \(InfoKey.whenInUse) the app cannot ask under the rules since iOS 11, and has locations "
          + "only where \"corelocation grant\" allows it.")
    }
    return notes
  }
}
