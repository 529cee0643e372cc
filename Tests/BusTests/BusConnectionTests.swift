import LinuxIO
import XCTest

/// The bus connection beside a real bus and a service on it.
final class BusConnectionTests: XCTestCase {
  private static let name = "org.example.echo"

  private func result(
    of call: BusCall, on connection: BusConnection, timeoutSeconds: Double = 10
  ) throws -> Result<BusReply, BusError> {
    let answers = EventLog<Result<BusReply, BusError>>()
    connection.queue.sync {
      connection.call(call, timeoutSeconds: timeoutSeconds) { answers.add($0) }
    }
    return try XCTUnwrap(answers.wait("an answer to \(call.member)") { !$0.isEmpty }.first)
  }

  private func client(of bus: PrivateBus, closed: EventLog<BusError> = EventLog()) throws -> BusConnection {
    let queue = DispatchQueue(label: "client")
    return try queue.sync { try BusConnection(address: bus.address, queue: queue) { closed.add($0) } }
  }

  private func echo(_ values: [BusValue] = []) -> BusCall {
    BusCall(Self.name, path: "/org/example/echo", interface: "org.example.Echo", "Echo", values)
  }

  func test_every_kind_of_value_arrives_as_it_was_sent() throws {
    let bus = try PrivateBus()
    let service = try FakeService(Self.name, on: bus.address) { .values($0.arguments) }
    let client = try client(of: bus)
    let values: [BusValue] = [
      .byte(255), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
      .int64(.min), .uint64(.max), .double(-Double.greatestFiniteMagnitude), .string("grüße, 地図"),
      .objectPath("/a/b_1"), .signature("a{sv}"), .array(of: "s", []),
      .array(of: "(iu)", [.structure([.int32(-1), .uint32(1)])]),
      .dictionary(["one": .uint32(1), "two": .array(of: "ay", [.array(of: "y", [.byte(7)])])]),
      .variant(.variant(.structure([.string(""), .double(0.1)]))),
    ]
    XCTAssertEqual(try result(of: echo(values), on: client).get().values, values)
    client.queue.sync { client.close() }
    service.stop()
  }

  func test_more_than_a_socket_holds_arrives_whole_and_in_order() throws {
    let bus = try PrivateBus()
    let service = try FakeService(Self.name, on: bus.address) { .values($0.arguments) }
    let client = try client(of: bus)
    let numbers = EventLog<UInt32>()
    // 100 texts of 100,000 bytes: fifty times what a socket takes here.
    let text = String(repeating: "0123456789", count: 10_000)
    client.queue.sync {
      for number in 0..<UInt32(100) {
        client.call(echo([.uint32(number), .string(text)]), timeoutSeconds: 20) { answer in
          guard case .success(let reply) = answer, reply.values.count == 2, reply.values[1].text == text else { return }
          numbers.add(UInt32(reply.values[0].unsigned ?? 0))
        }
      }
    }
    XCTAssertEqual(numbers.wait("100 answers", seconds: 20) { $0.count == 100 }, Array(0..<100))
    client.queue.sync { client.close() }
    service.stop()
  }

  func test_an_error_keeps_its_name_and_text() throws {
    let bus = try PrivateBus()
    let service = try FakeService(Self.name, on: bus.address) { _ in .error("org.example.Error.Odd", "quite odd") }
    let client = try client(of: bus)
    XCTAssertEqual(
      try result(of: echo(), on: client), .failure(BusError(name: "org.example.Error.Odd", text: "quite odd")))
    client.queue.sync { client.close() }
    service.stop()
  }

  func test_a_service_that_nobody_knows_is_absent() throws {
    let bus = try PrivateBus()
    let client = try client(of: bus)
    guard case .failure(let error) = try result(of: echo(), on: client) else { return XCTFail("an answer of nobody") }
    XCTAssertEqual(error.name, "org.freedesktop.DBus.Error.ServiceUnknown")
    XCTAssertTrue(error.meansAbsence)
    client.queue.sync { client.close() }
  }

  func test_silence_ends_with_the_time_that_was_given() throws {
    let bus = try PrivateBus()
    let service = try FakeService(Self.name, on: bus.address) { _ in .silence }
    let client = try client(of: bus)
    guard case .failure(let error) = try result(of: echo(), on: client, timeoutSeconds: 0.05) else {
      return XCTFail("an answer to silence")
    }
    XCTAssertEqual(error.name, BusError.noReply)
    client.queue.sync { client.close() }
    service.stop()
  }

  func test_a_call_that_cannot_be_written_fails_and_harms_nothing() throws {
    let bus = try PrivateBus()
    let service = try FakeService(Self.name, on: bus.address) { .values($0.arguments) }
    let client = try client(of: bus)
    for bad in [BusValue.objectPath("no path"), .string("zero\0byte"), .array(of: "s", [.byte(1)])] {
      guard case .failure = try result(of: echo([bad]), on: client) else { return XCTFail("\(bad) was taken") }
    }
    XCTAssertEqual(try result(of: echo([.byte(1)]), on: client).get().values, [.byte(1)])
    client.queue.sync { client.close() }
    service.stop()
  }

  func test_a_connection_whose_bus_dies_says_so_once_and_fails_what_waits() throws {
    let bus = try PrivateBus()
    let closed = EventLog<BusError>()
    let client = try client(of: bus, closed: closed)
    _ = try result(of: echo(), on: client)
    bus.stop()
    XCTAssertEqual(closed.wait("the end of the bus") { !$0.isEmpty }.count, 1)
    XCTAssertTrue(client.queue.sync { client.isClosed })
  }

  func test_a_bus_that_is_not_there_is_an_error_at_once() {
    let queue = DispatchQueue(label: "client")
    func error(at address: String) -> BusError? {
      queue.sync {
        do throws(BusError) {
          _ = try BusConnection(address: address, queue: queue) { _ in }
          return nil
        } catch {
          return error
        }
      }
    }
    let nowhere = "unix:path=/nowhere/socket"
    XCTAssertEqual(error(at: nowhere)?.text, "connecting to \(nowhere): No such file or directory")
    XCTAssertNotNil(error(at: "nonsense"))
  }

  func test_a_rule_that_a_quote_would_change_is_refused() throws {
    let bus = try PrivateBus()
    let client = try client(of: bus)
    for subject in ["x',member='Other", #"back\slash"#] {
      let signal = BusSignal(sender: "org.freedesktop.DBus", path: nil, interface: "a.b", "Rang", subject: subject)
      let isRefused = client.queue.sync { (try? client.listen(to: signal) { _ in }) == nil }
      XCTAssertTrue(isRefused, subject)
    }
    client.queue.sync { client.close() }
  }

  func test_a_signal_is_heard_from_its_sender_only_and_not_after_the_cancellation() throws {
    let bus = try PrivateBus()
    let service = try FakeService(Self.name, on: bus.address) { .values($0.arguments) }
    let stranger = try FakeService("org.example.stranger", on: bus.address) { .values($0.arguments) }
    let client = try client(of: bus)
    let owner = try result(of: echo(), on: client).get().sender
    let heard = EventLog<[BusValue]>()
    let subscription = try client.queue.sync {
      try client.listen(
        to: BusSignal(sender: owner, path: nil, interface: "org.example.Echo", "Rang", subject: "mine")
      ) { heard.add($0.values) }
    }
    _ = try result(of: echo(), on: client)
    stranger.emit("Rang", of: "org.example.Echo", at: "/a", [.string("mine"), .uint32(1)])
    service.emit("Rang", of: "org.example.Echo", at: "/a", [.string("other"), .uint32(2)])
    service.emit("Rang", of: "org.example.Echo", at: "/a", [.string("mine"), .uint32(3)])
    XCTAssertEqual(heard.wait("a signal") { !$0.isEmpty }, [[.string("mine"), .uint32(3)]])
    client.queue.sync { subscription.cancel() }
    service.emit("Rang", of: "org.example.Echo", at: "/a", [.string("mine"), .uint32(4)])
    // The answer comes after the signal.
    _ = try result(of: echo(), on: client)
    XCTAssertEqual(heard.all.count, 1)
    client.queue.sync { client.close() }
    service.stop()
    stranger.stop()
  }
}
