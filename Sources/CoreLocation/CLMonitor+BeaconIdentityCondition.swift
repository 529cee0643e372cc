extension CLMonitor {
  /// Satisfied while a beacon of this identity is heard; nil numbers stand for any (behaviour 6.1).
  public struct BeaconIdentityCondition: CLCondition, Sendable {
    public let uuid: UUID
    public let major: UInt16?
    public let minor: UInt16?

    public init(uuid: UUID) {
      self.uuid = uuid
      major = nil
      minor = nil
    }

    public init(uuid: UUID, major: UInt16) {
      self.uuid = uuid
      self.major = major
      minor = nil
    }

    public init(uuid: UUID, major: UInt16, minor: UInt16) {
      self.uuid = uuid
      self.major = major
      self.minor = minor
    }

    private enum CodingKeys: String, CodingKey {
      case uuid, major, minor
    }

    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      uuid = try values.decode(UUID.self, forKey: .uuid)
      major = try values.decodeIfPresent(UInt16.self, forKey: .major)
      minor = try values.decodeIfPresent(UInt16.self, forKey: .minor)
    }

    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(uuid, forKey: .uuid)
      try values.encodeIfPresent(major, forKey: .major)
      try values.encodeIfPresent(minor, forKey: .minor)
    }
  }
}
