/// Something that a `CLMonitor` can watch for.
public protocol CLCondition: Decodable, Encodable, Sendable {}
