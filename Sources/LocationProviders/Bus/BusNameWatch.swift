import Dispatch
import LinuxIO

/// One service on the system bus: the connection on which it is spoken to, who owns its name, and how long to wait
/// before the next try where there is no bus. Everything happens on one queue.
final class BusNameWatch: @unchecked Sendable {
  struct Settings: Sendable {
    /// Nil is the machine's system bus.
    var address: String?
    var answerSeconds: Double
    /// The wait before the second try; every later one is twice as long, up to the longest.
    var connectSeconds: Double
    var connectSecondsMax: Double
  }

  enum Event {
    /// Who owns the name now, its unique name; nil where nobody does. What others say counts for nothing.
    case ownerChanged(String?)
    /// There is no bus, or it has gone. `open` is to be called after so many seconds, where somebody still wants it.
    case lost(pauseSeconds: Double)
  }

  private let name: String
  private let settings: Settings
  private let queue: DispatchQueue
  private var event: ((Event) -> Void)?
  private(set) var connection: BusConnection?
  private(set) var owner: String?
  private var failuresInARow = 0

  init(_ name: String, settings: Settings, queue: DispatchQueue) {
    self.name = name
    self.settings = settings
    self.queue = queue
  }

  deinit {
    let connection = connection
    queue.async { connection?.close() }
  }

  /// Who hears of changes; called once, before `open`.
  func onEvent(_ event: @escaping (Event) -> Void) {
    self.event = event
  }

  func open() {
    do throws(BusError) {
      let connection = try BusConnection(address: settings.address ?? BusAddress.system, queue: queue) {
        [weak self] _ in self?.lost()
      }
      self.connection = connection
      // Lives as long as the connection.
      _ = try connection.watch(name: name) { [weak self] owner in self?.change(to: owner) }
      askForOwner(connection)
    } catch {
      connection?.close()
      lost()
    }
  }

  /// Without starting it: on a machine that has no such service nobody has asked for it.
  private func askForOwner(_ connection: BusConnection) {
    let call = BusCall(
      "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "GetNameOwner",
      [.string(name)])
    connection.call(call, timeoutSeconds: settings.answerSeconds) { [weak self] result in
      guard let self else { return }
      failuresInARow = 0
      if owner == nil { change(to: (try? result.get())?.values.first?.text) }
    }
  }

  private func change(to newOwner: String?) {
    owner = newOwner
    event?(.ownerChanged(newOwner))
  }

  private func lost() {
    connection = nil
    owner = nil
    let pause = settings.connectSeconds * Double(1 << min(failuresInARow, 16))
    failuresInARow += 1
    event?(.lost(pauseSeconds: min(pause, settings.connectSecondsMax)))
  }
}
