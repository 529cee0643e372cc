import CoreLocation

/// What comes back of an object that was archived and read with secure coding.
func roundTrip<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object? {
  let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
}

/// Reads `entries` as if they were the archive of an object of this class: what a damaged or foreign archive holds.
func decode<Object: NSObject & NSSecureCoding>(
  _ type: Object.Type, from entries: [String: any NSSecureCoding & NSObject]
) throws -> Object? {
  let archiver = NSKeyedArchiver(requiringSecureCoding: true)
  archiver.encode(ForeignArchive(entries), forKey: NSKeyedArchiveRootObjectKey)
  let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
  unarchiver.decodingFailurePolicy = .setErrorAndReturn
  unarchiver.setClass(type, forClassName: NSStringFromClass(ForeignArchive.self))
  return unarchiver.decodeObject(of: type, forKey: NSKeyedArchiveRootObjectKey)
}

final class ForeignArchive: NSObject, NSSecureCoding {
  let entries: [String: any NSSecureCoding & NSObject]

  init(_ entries: [String: any NSSecureCoding & NSObject]) {
    self.entries = entries
  }

  static var supportsSecureCoding: Bool { true }

  init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    for (key, value) in entries { coder.encode(value, forKey: key) }
  }
}
