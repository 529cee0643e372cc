import CSystemd
import Dispatch

/// A call of one of this program's own objects.
package struct BusRequest: Hashable, Sendable {
  /// The unique name of who calls.
  package var sender: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [BusValue]
}

package enum BusAnswer: Hashable, Sendable {
  case values([BusValue])
  case error(BusError)
}

/// This program's objects below a path, until it is cancelled; used on the connection's queue.
package final class BusService: @unchecked Sendable {
  private var slot: OpaquePointer?
  private let answer: (BusRequest) -> BusAnswer

  /// - Parameter answer: is called on the connection's queue for every call below `path`.
  package init(
    _ connection: BusConnection, below path: String, answer: @escaping (BusRequest) -> BusAnswer
  ) throws(BusError) {
    dispatchPrecondition(condition: .onQueue(connection.queue))
    self.answer = answer
    let result = sd_bus_add_fallback(
      connection.bus, &slot, path,
      { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        return Unmanaged<BusService>.fromOpaque(userdata).takeUnretainedValue().heard(message)
      }, Unmanaged.passUnretained(self).toOpaque())
    try BusConnection.check(result, "serving \(path)")
  }

  /// Nobody is answered any more. Before the last reference goes.
  package func cancel() {
    slot = sd_bus_slot_unref(slot)
  }

  private func heard(_ message: OpaquePointer) -> Int32 {
    guard sd_bus_message_is_method_call(message, nil, nil) > 0, let member = sd_bus_message_get_member(message) else {
      return 0
    }
    func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
    let request = BusRequest(
      sender: text(sd_bus_message_get_sender(message)), path: text(sd_bus_message_get_path(message)),
      interface: text(sd_bus_message_get_interface(message)), member: String(cString: member),
      arguments: (try? BusMessageValues.read(message)) ?? [])
    var reply: OpaquePointer?
    switch answer(request) {
    case .values(let values):
      guard sd_bus_message_new_method_return(message, &reply) >= 0, let reply else { return 1 }
      defer { sd_bus_message_unref(reply) }
      guard (try? BusMessageValues.append(values, to: reply)) != nil else { return 1 }
      sd_bus_send(nil, reply, nil)
    case .error(let failure):
      var error = sd_bus_error()
      sd_bus_error_set(&error, failure.name, failure.text)
      defer { sd_bus_error_free(&error) }
      sd_bus_reply_method_error(message, &error)
    }
    return 1
  }
}
