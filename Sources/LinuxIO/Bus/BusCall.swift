import CSystemd

/// A method of an object on the bus, with its arguments.
package struct BusCall: Sendable {
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [BusValue]

  package init(
    _ destination: String, path: String, interface: String, _ member: String, _ arguments: [BusValue] = []
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}

package struct BusReply: Hashable, Sendable {
  /// The unique name of the connection that answered.
  package var sender: String
  package var values: [BusValue]
}

/// Which signals are meant. The sender is a unique name, or the bus itself.
package struct BusSignal: Sendable {
  package var sender: String
  package var path: String?
  package var interface: String
  package var member: String
  /// The first argument, where only signals about it are meant.
  package var subject: String?

  package init(sender: String, path: String?, interface: String, _ member: String, subject: String? = nil) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.subject = subject
  }

  /// As the bus reads it. Names and paths hold no quote and no backslash; libsystemd and the bus read those
  /// differently, so that a value with one is refused.
  func rule() throws(BusError) -> String {
    var parts = [("type", "signal"), ("sender", sender), ("interface", interface), ("member", member)]
    if let path { parts.append(("path", path)) }
    if let subject { parts.append(("arg0", subject)) }
    guard !parts.contains(where: { $0.1.contains { "'\\".contains($0) } }) else {
      throw BusError(name: BusError.invalidArguments, text: "a quote in what to listen to")
    }
    return parts.map { key, value in "\(key)='\(value)'" }.joined(separator: ",")
  }
}

/// A signal that was heard.
package struct BusEvent: Hashable, Sendable {
  /// The object that it is about.
  package var path: String
  package var values: [BusValue]
}

/// A call whose answer has not come yet, used on the connection's queue. Libsystemd holds its address while the slot
/// lives.
final class PendingCall: Hashable, @unchecked Sendable {
  var slot: OpaquePointer?
  var finished: (() -> Void)?
  private var answer: ((Result<BusReply, BusError>) -> Void)?

  init(_ answer: @escaping (Result<BusReply, BusError>) -> Void) {
    self.answer = answer
  }

  static func answered(_ userdata: UnsafeMutableRawPointer, _ message: OpaquePointer?) {
    let call = Unmanaged<PendingCall>.fromOpaque(userdata).takeUnretainedValue()
    call.finish(message.map(result) ?? .failure(BusError(name: BusError.noReply, text: "an answer without a message")))
  }

  func fail(_ error: BusError) {
    finish(.failure(error))
  }

  func cancel() {
    slot = sd_bus_slot_unref(slot)
    answer = nil
    finished = nil
  }

  private func finish(_ result: Result<BusReply, BusError>) {
    let answer = answer
    finished?()
    cancel()
    answer?(result)
  }

  private static func result(_ message: OpaquePointer) -> Result<BusReply, BusError> {
    if let error = sd_bus_message_get_error(message) {
      return .failure(
        BusError(
          name: error.pointee.name.map { String(cString: $0) } ?? BusError.noReply,
          text: error.pointee.message.map { String(cString: $0) } ?? ""))
    }
    do throws(BusError) {
      let sender = sd_bus_message_get_sender(message).map { String(cString: $0) } ?? ""
      return .success(BusReply(sender: sender, values: try BusMessageValues.read(message)))
    } catch {
      return .failure(error)
    }
  }

  static func == (left: PendingCall, right: PendingCall) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A signal that is listened to, until it is cancelled or the connection closed; used on the connection's queue.
package final class BusSubscription: Hashable, @unchecked Sendable {
  var slot: OpaquePointer?
  var ended: (() -> Void)?
  private let heard: (BusEvent) -> Void

  init(_ heard: @escaping (BusEvent) -> Void) {
    self.heard = heard
  }

  static func heard(_ userdata: UnsafeMutableRawPointer, _ message: OpaquePointer?) {
    let subscription = Unmanaged<BusSubscription>.fromOpaque(userdata).takeUnretainedValue()
    // A signal that cannot be read is none.
    guard let message, let values = try? BusMessageValues.read(message) else { return }
    subscription.heard(
      BusEvent(path: sd_bus_message_get_path(message).map { String(cString: $0) } ?? "", values: values))
  }

  package func cancel() {
    slot = sd_bus_slot_unref(slot)
    ended?()
    ended = nil
  }

  package static func == (left: BusSubscription, right: BusSubscription) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
