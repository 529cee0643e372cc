import CoreLocation
import CoreLocationTesting
import Testing

/// Issue 8, 1: statics outlive a relaunch and stay with the device that touched them first.
@Suite("What was made in a process that has ended")
struct EndedProcessTests {
  private static let home = CLLocationCoordinate2D(latitude: 47.5, longitude: 19.05)

  private final class LiveApp: Sendable {
    init(_ note: @escaping @Sendable (String) -> Void) {
      Task {
        var count = 0
        do {
          for try await update in CLLocationUpdate.liveUpdates() where update.location != nil { count += 1 }
          note("the loop has ended after \(count)")
        } catch {
          note("\(error)")
        }
      }
    }
  }

  private final class MonitorApp: Sendable {
    init(_ note: @escaping @Sendable (String) -> Void) {
      Task {
        let monitor = await CLMonitor("places")
        await monitor.add(CLMonitor.CircularGeographicCondition(center: home, radius: 200), identifier: "home")
        for try await event in await monitor.events { note(event.identifier) }
        note("ended")
      }
    }
  }

  private final class Notes: @unchecked Sendable {
    private let (stream, continuation) = AsyncStream.makeStream(of: String.self)

    func add(_ note: String) { continuation.yield(note) }
    func next() async -> String? {
      var iterator = stream.makeAsyncIterator()
      return await iterator.next()
    }
  }

  private final class DelegateApp {
    let manager = CLLocationManager()
  }

  @Test("is listened to no longer: its iterations end, and the next process's are waited for")
  func iterationsEnd() async throws {
    let device = SimulatedDevice(permission: .always, at: Self.home)
    let notes = Notes()
    device.launch { _ in LiveApp(notes.add) }
    try await device.listening(1)
    try await device.advance(by: .seconds(5))
    device.terminate()
    // A fix a second from the first on.
    #expect(await notes.next() == "the loop has ended after 5")
    try await device.advance(by: .seconds(5))

    device.launchAgain()
    try await device.listening(1)
    try await device.advance(by: .seconds(5))
    device.terminate()
    #expect(await notes.next() == "the loop has ended after 5")
  }

  @Test("hears of no monitor any more, and the next process's is waited for")
  func monitorsEnd() async throws {
    let device = SimulatedDevice(permission: .always, at: Self.home)
    let notes = Notes()
    device.launch { _ in MonitorApp(notes.add) }
    try await device.listening(1)
    try await device.advance(by: .seconds(60))
    #expect(await notes.next() == "home")
    device.terminate()
    #expect(await notes.next() == "ended")
  }

  @Test("hears nothing where it asks for more, and the developer reads so, once a process")
  func managers() throws {
    let device = SimulatedDevice(permission: .always, at: Self.home)
    let manager = device.launch { _ in DelegateApp() }.manager
    device.terminate()
    device.launchAgain()
    manager.stopUpdatingLocation()
    #expect(!device.log.joined().contains("a process that has ended"))
    manager.startUpdatingLocation()
    manager.requestLocation()
    device.advance(by: .seconds(5))
    #expect(device.log.count { $0.contains("made in a process that has ended asks for more") } == 1)
  }

  @Test("fails loudly on another device, and once its own has ended")
  func otherDevices() async {
    await #expect(processExitsWith: .failure) {
      let first = SimulatedDevice(permission: .always)
      let manager = first.run { CLLocationManager() }
      SimulatedDevice(permission: .always).run { manager.startUpdatingLocation() }
    }
    await #expect(processExitsWith: .failure) {
      let manager = SimulatedDevice(permission: .always).run { CLLocationManager() }
      manager.requestLocation()
    }
    await #expect(processExitsWith: .success) {
      let manager = SimulatedDevice(permission: .always).run { CLLocationManager() }
      manager.stopUpdatingLocation()
    }
  }
}
