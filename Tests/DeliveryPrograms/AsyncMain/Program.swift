import CoreLocation

/// Managers in a program whose main function is asynchronous: made before its first suspension, after it, by main-actor
/// code, and in a detached task, where nothing can be delivered.
@main
@MainActor
struct Program {
  static func main() async {
    let hub = Hub()
    let early = Listener(named: "early", hub)
    await Task.yield()
    let late = Listener(named: "late", hub)
    let actor = MainActorTracker(hub)
    actor.start()
    let silent = await Task.detached { SilentListener(named: "detached") }.value
    // Until the three that can hear have each heard three locations.
    for await _ in hub.finished { break }
    print("detached heard \(silent.count)")
    withExtendedLifetime((early, late, actor)) {}
    exit(0)
  }
}

/// Ends the wait when all three have heard enough.
final class Hub: @unchecked Sendable {
  let finished: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let lock = NSLock()
  private var done: Set<String> = []

  init() {
    (finished, continuation) = AsyncStream.makeStream()
  }

  func heardEnough(_ name: String) {
    lock.lock()
    done.insert(name)
    let isComplete = done.count == 3
    lock.unlock()
    if isComplete { continuation.yield() }
  }
}

final class Listener: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  private let name: String
  private let hub: Hub
  private var count = 0
  private let manager: CLLocationManager

  init(named name: String, _ hub: Hub) {
    self.name = name
    self.hub = hub
    manager = CLLocationManager()
    super.init()
    manager.delegate = self
    manager.startUpdatingLocation()
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    count += 1
    guard count <= 3 else { return }
    let isMainActor = MainActor.assumeIsolated { true }
    print("\(name): location \(count), main actor \(isMainActor)")
    if count == 3 { hub.heardEnough(name) }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    print("\(name): failed \((error as NSError).code)")
  }
}

/// As apps write it: a main-actor class that is its manager's delegate.
@MainActor
final class MainActorTracker: NSObject, @preconcurrency CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let hub: Hub
  private var count = 0

  init(_ hub: Hub) {
    self.hub = hub
    super.init()
    manager.delegate = self
  }

  func start() {
    manager.startUpdatingLocation()
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    count += 1
    guard count <= 3 else { return }
    print("actor: location \(count)")
    if count == 3 { hub.heardEnough("actor") }
  }
}

final class SilentListener: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  private(set) var count = 0
  private let manager: CLLocationManager

  init(named name: String) {
    manager = CLLocationManager()
    super.init()
    manager.delegate = self
    manager.startUpdatingLocation()
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    count += 1
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    count += 1
  }
}
