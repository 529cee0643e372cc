import CoreLocation

/// Ways to own a manager. Each ends the program itself.
enum Scenarios {
  static func named(_ name: String) -> (() -> Void)? {
    switch name {
    case "main": onMain
    case "started-elsewhere": startedElsewhere
    case "own-thread": onOwnThread
    case "worker": onWorker
    case "nested": nested
    case "calls-back-in": callsBackIn
    case "slow": slow
    case "released-in-callback": releasedInCallback
    case "lags-behind": lagsBehind
    case "asks": asks
    case "asks-nobody": asksNobody
    default: nil
    }
  }

  /// Managers and delegates live as long as the program.
  nonisolated(unsafe) private static var owned: [AnyObject] = []

  private static func own(_ delegate: Listener) -> CLLocationManager {
    let manager = CLLocationManager()
    manager.delegate = delegate
    owned += [manager, delegate]
    return manager
  }

  private static func onMain() {
    own(Listener { count, _, _ in if count == 3 { exit(0) } }).startUpdatingLocation()
  }

  private static func startedElsewhere() {
    nonisolated(unsafe) let manager = own(Listener { count, _, _ in if count == 3 { exit(0) } })
    Thread.detachNewThread { manager.startUpdatingLocation() }
  }

  private static func onOwnThread() {
    let thread = Thread {
      Thread.current.threadDictionary["name"] = "own"
      own(Listener { count, _, _ in if count == 3 { exit(0) } }).startUpdatingLocation()
      RunLoop.current.run()
    }
    thread.start()
    owned.append(thread)
  }

  /// The worker's manager must stay silent while one of the main thread hears three locations.
  private static func onWorker() {
    DispatchQueue(label: "worker").async {
      own(Listener(named: "worker") { _, _, _ in }).startUpdatingLocation()
      DispatchQueue.main.async {
        own(Listener { count, _, _ in if count == 3 { exit(0) } }).startUpdatingLocation()
      }
    }
  }

  /// The first location's callback runs a run loop of its own until the third one has come in it.
  private static func nested() {
    nonisolated(unsafe) var heard = 0
    own(
      Listener { count, _, _ in
        heard = count
        guard count == 1 else { return }
        print("nested loop begins")
        while heard < 3 { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 1)) }
        print("nested loop ends after \(heard)")
        exit(0)
      }
    ).startUpdatingLocation()
  }

  /// The delegate stops, asks for one location, and starts again, all from inside its callbacks.
  private static func callsBackIn() {
    own(
      Listener { count, manager, _ in
        switch count {
        case 1:
          manager.stopUpdatingLocation()
          manager.requestLocation()
        case 2:
          manager.startUpdatingLocation()
        default:
          exit(0)
        }
      }
    ).startUpdatingLocation()
  }

  /// A thread that does not come back to its run loop for a while finds one array, oldest first.
  private static func slow() {
    nonisolated(unsafe) var firstCount = 0
    own(
      Listener { count, _, locations in
        if count == 1 {
          firstCount = locations.count
          // Until the whole recording has been played, which the test's own line end on standard input tells.
          _ = readLine()
          return
        }
        let times = locations.map(\.timestamp)
        print("\(firstCount + locations.count) in two calls, the second in order: \(times == times.sorted())")
        exit(0)
      }
    ).startUpdatingLocation()
  }

  /// A delegate that takes longer for each location than the next one needs to come, beside a timer that ends it all.
  private static func lagsBehind() {
    nonisolated(unsafe) var heard = 0
    nonisolated(unsafe) var ticks = 0
    own(
      Listener { _, _, locations in
        heard += locations.count
        // The delegate's own work, which takes its time; nothing is waited for.
        Thread.sleep(forTimeInterval: 0.03)
      }
    ).startUpdatingLocation()
    let timer = Timer(fire: Date(timeIntervalSinceNow: 0.02), interval: 0.02, repeats: true) { _ in
      ticks += 1
      guard ticks == 3 else { return }
      print("ticked 3 times while some were to come: \(heard < 40)")
      exit(0)
    }
    RunLoop.main.add(timer, forMode: .default)
  }

  /// Asks for permission and ends with the person's answer.
  private static func asks() {
    let delegate = Asker()
    let manager = CLLocationManager()
    owned += [delegate, manager]
    manager.delegate = delegate
    manager.requestWhenInUseAuthorization()
  }

  /// Asks where nobody can answer, and ends when its input does.
  private static func asksNobody() {
    asks()
    Thread.detachNewThread {
      while readLine() != nil {}
      // Whatever the main thread has to hear is heard first.
      DispatchQueue.main.async {
        print("input ended")
        exit(0)
      }
    }
  }

  /// The last reference to the manager goes while its delegate is being called.
  private static func releasedInCallback() {
    nonisolated(unsafe) var manager: CLLocationManager?
    let delegate = Listener { _, _, _ in
      manager = nil
      DispatchQueue.main.async {
        print("alive")
        exit(0)
      }
    }
    owned.append(delegate)
    manager = CLLocationManager()
    manager?.delegate = delegate
    manager?.startUpdatingLocation()
  }
}

/// Prints what it hears and on which thread, and hands each batch of locations on with its number.
final class Listener: NSObject, CLLocationManagerDelegate {
  private let name: String
  private var count = 0
  private let heard: (Int, CLLocationManager, [CLLocation]) -> Void

  init(named name: String = "main", _ heard: @escaping (Int, CLLocationManager, [CLLocation]) -> Void) {
    self.name = name
    self.heard = heard
  }

  private var thread: String {
    Thread.isMainThread ? "main" : Thread.current.threadDictionary["name"] as? String ?? "other"
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    print("\(name): authorization \(manager.authorizationStatus.rawValue) on \(thread)")
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    count += 1
    print("\(name): location \(count) on \(thread)")
    heard(count, manager, locations)
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    print("\(name): failed \((error as NSError).code) on \(thread)")
  }
}

/// Prints the status, and ends the program when it is decided.
final class Asker: NSObject, CLLocationManagerDelegate {
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    // The status first: the person may answer between two looks, and the accuracy then is the answer's too.
    let status = manager.authorizationStatus
    let accuracy = manager.accuracyAuthorization == .fullAccuracy ? "full" : "reduced"
    print("status \(status.rawValue) \(accuracy)")
    guard status != .notDetermined else { return }
    // A terminal that loses its program may lose its last words: they are read first.
    while isatty(STDIN_FILENO) == 1, readLine() != nil {}
    exit(0)
  }
}
