import CSystemd
import Dispatch
import LinuxIO
import XCTest

struct FakeCall: Sendable {
  var sender: String
  var path: String
  var interface: String
  var member: String
  var arguments: [BusValue]
}

enum FakeAnswer: Sendable {
  case values([BusValue])
  case error(String, String)
  case silence
}

/// A service on a bus that answers as a test says.
final class FakeService: @unchecked Sendable {
  typealias Answer = @Sendable (FakeCall) -> FakeAnswer

  let queue = DispatchQueue(label: "fake service")
  let connection: BusConnection
  private let answer: Answer

  /// Returns when the name is its own.
  init(_ name: String, on address: String, answer: @escaping Answer) throws {
    self.answer = answer
    connection = try queue.sync { [queue] in try BusConnection(address: address, queue: queue) { _ in } }
    let hasName = EventLog<Bool>()
    queue.sync {
      sd_bus_add_filter(
        connection.bus, nil,
        { message, userdata, _ in
          guard let message, let userdata else { return 0 }
          return Unmanaged<FakeService>.fromOpaque(userdata).takeUnretainedValue().heard(message)
        },  // Alive as long as the bus may call it, which is until the test process ends.
        Unmanaged.passRetained(self).toOpaque())
      let call = BusCall(
        "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "RequestName",
        [.string(name), .uint32(4)])
      connection.call(call, timeoutSeconds: 10) { result in
        // 1: the name has this owner now.
        if case .success(let reply) = result { hasName.add(reply.values == [.uint32(1)]) } else { hasName.add(false) }
      }
    }
    XCTAssertEqual(hasName.wait("the name \(name)") { !$0.isEmpty }, [true])
  }

  /// Leaves the bus, as a process that ends does.
  func stop() {
    queue.async { self.connection.close() }
  }

  func emit(_ member: String, of interface: String, at path: String, _ values: [BusValue]) {
    queue.sync {
      var message: OpaquePointer?
      sd_bus_message_new_signal(connection.bus, &message, path, interface, member)
      send(message, values)
      connection.progress()
    }
  }

  private func heard(_ message: OpaquePointer) -> Int32 {
    guard sd_bus_message_is_method_call(message, nil, nil) > 0, let interface = sd_bus_message_get_interface(message),
      let member = sd_bus_message_get_member(message), let path = sd_bus_message_get_path(message)
    else { return 0 }
    let call = FakeCall(
      sender: String(cString: sd_bus_message_get_sender(message)), path: String(cString: path),
      interface: String(cString: interface), member: String(cString: member),
      arguments: (try? BusMessageValues.read(message)) ?? [])
    var reply: OpaquePointer?
    switch answer(call) {
    case .silence: break
    case .values(let values):
      sd_bus_message_new_method_return(message, &reply)
      send(reply, values)
    case .error(let name, let text):
      var error = sd_bus_error()
      sd_bus_error_set(&error, name, text)
      sd_bus_message_new_method_error(message, &reply, &error)
      sd_bus_error_free(&error)
      send(reply, [])
    }
    return 1
  }

  private func send(_ message: OpaquePointer?, _ values: [BusValue]) {
    guard let message else { return XCTFail("no message") }
    do { try BusMessageValues.append(values, to: message) } catch { XCTFail("\(error)") }
    let result = sd_bus_send(connection.bus, message, nil)
    // A test that is over takes its bus along, and then nobody waits for this; one that is not misses the answer.
    if result != -ECONNRESET && result != -ENOTCONN { XCTAssertGreaterThanOrEqual(result, 0) }
    sd_bus_message_unref(message)
  }
}
