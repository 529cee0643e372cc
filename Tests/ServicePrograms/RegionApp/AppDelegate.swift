import AppLifecycle
import CoreLocation

/// An installed app that has a region watched, and notes in the file `heard` beside its bundle all that it hears, a
/// line each, at once. What it does besides, or else, stands in the file `behaviour` there, by words:
///
///   die         it is killed inside the callback for what it has watched; `die=left_0` for "left 0" only
///   task        it begins a background task when it enters the background, and never ends it
///   follow      it follows the device, too
///   background  it may do so in the background
///   visits      it has visits watched; its region is far away, and keeps the receivers on
///   changes     it has significant changes watched; likewise
///   hang        it never returns from the callback for what it has watched; `hang=exited` for that only
///   abandon     it starts a process that gets away from it, and says which
///   spin        a thread of it never rests
///   activity    it holds a CLBackgroundActivitySession from its start on, and tells how that stands
///   late        the same, once it is told to
///   service     it holds a CLServiceSession for Always from its start on
///   monitor     it has a condition watched in place of its region, as a reader of its CLMonitor
///   idle        it has nothing watched
///
/// SIGUSR1 tells it to drop its activity session, SIGUSR2 to begin one.
final class AppDelegate: UIResponder, UIApplicationDelegate, @preconcurrency CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let sessions = Sessions()
  private let folder = Bundle.main.bundleURL.deletingLastPathComponent()
  private var behaviour: Set<Substring> = []
  private var file: FileHandle?

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let path = folder.appendingPathComponent("heard").path
    if !FileManager.default.fileExists(atPath: path) { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    // O_APPEND: two processes never write into each other's lines.
    let descriptor = open(path, O_WRONLY | O_APPEND)
    file = FileHandle(fileDescriptor: descriptor)
    let text = try? String(contentsOf: folder.appendingPathComponent("behaviour"), encoding: .utf8)
    behaviour = Set((text ?? "").split(whereSeparator: \.isWhitespace))
    let isForLocation = (options?[.location] as? NSNumber)?.boolValue ?? false
    note("launched \(isForLocation ? "location" : "person") \(getpid())")
    manager.delegate = self
    _ = NotificationCenter.default.addObserver(
      forName: UIApplication.backgroundRefreshStatusDidChangeNotification, object: application, queue: nil
    ) { [weak self] _ in MainActor.assumeIsolated { self?.note("refresh changed") } }
    if behaviour.contains("spin") { Thread.detachNewThread { Self.spin() } }
    if behaviour.contains("abandon") { abandon() }
    takeSessions()
    watch()
    return true
  }

  private static let home = CLLocationCoordinate2D(latitude: 47.502_056_67, longitude: 19.205_761_67)

  private nonisolated static func spin() {
    var count: UInt64 = 0
    while getpid() > 0 { count &+= 1 }
  }

  /// In a session of its own, with nothing in its environment that would tell whose it is.
  private func abandon() {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", "setsid env -i sleep 600 >/dev/null 2>&1 & echo $!"]
    let output = Pipe()
    shell.standardOutput = output
    guard (try? shell.run()) != nil else { return note("abandoned none") }
    let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    note("abandoned \(words.trimmingCharacters(in: .whitespacesAndNewlines))")
  }

  /// Before anything else, since what the last process held is remembered for a moment only.
  private func takeSessions() {
    sessions.note = { [weak self] in self?.note($0) }
    if behaviour.contains("activity") { sessions.beginActivity() }
    if behaviour.contains("activity") || behaviour.contains("late") { sessions.obeySignals() }
    if behaviour.contains("service") { sessions.beginService() }
    guard behaviour.contains("monitor") else { return }
    sessions.openMonitor(at: Self.home) { [weak self] in self?.hear("condition \($0)") }
  }

  private func watch() {
    guard !behaviour.contains("monitor"), !behaviour.contains("idle") else { return }
    let isElsewhere = behaviour.contains("visits") || behaviour.contains("changes")
    var center = Self.home
    if isElsewhere { center.latitude += 1 }
    manager.startMonitoring(for: CLCircularRegion(center: center, radius: 100, identifier: "home"))
    if behaviour.contains("background") { manager.allowsBackgroundLocationUpdates = true }
    if behaviour.contains("follow") { manager.startUpdatingLocation() }
    if behaviour.contains("visits") { manager.startMonitoringVisits() }
    if behaviour.contains("changes") { manager.startMonitoringSignificantLocationChanges() }
  }

  // MARK: Life

  func applicationDidBecomeActive(_ application: UIApplication) { note("active") }

  func applicationDidEnterBackground(_ application: UIApplication) {
    note("background \(Int(min(application.backgroundTimeRemaining, 1e6)))")
    guard behaviour.contains("task") else { return }
    _ = application.beginBackgroundTask(withName: "upload") { [weak self] in self?.note("expired") }
  }

  func applicationWillTerminate(_ application: UIApplication) { note("goodbye") }

  // MARK: Location

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    note("status \(manager.authorizationStatus.rawValue)")
  }

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    note("watched \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
    note("state \(state.rawValue)")
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) { hear("entered") }
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) { hear("exited") }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    hear("\(visit.departureDate == .distantFuture ? "arrived" : "left") \(Self.metersNorth(visit.coordinate))")
  }

  /// To the next hundred, so that it names a place.
  private static func metersNorth(_ coordinate: CLLocationCoordinate2D) -> Int {
    Int(((coordinate.latitude - home.latitude) * 1_112).rounded()) * 100
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    if behaviour.contains("changes") {
      for location in locations { hear("moved \(Self.metersNorth(location.coordinate))") }
      return
    }
    for location in locations { note("fix \(Int((location.timestamp.timeIntervalSince1970 * 10).rounded()))") }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) { note("failed \(error)") }

  private func hear(_ what: String) {
    note(what)
    if isTold(to: "die", at: what) { kill(getpid(), SIGKILL) }
    while isTold(to: "hang", at: what) { pause() }
    note("returned \(what)")
    // Runs when the callback has returned and what follows from that is done.
    DispatchQueue.main.async { [self] in MainActor.assumeIsolated { note("settled \(what)") } }
  }

  private func isTold(to word: Substring, at what: String) -> Bool {
    behaviour.contains(word) || behaviour.contains("\(word)=\(what.replacingOccurrences(of: " ", with: "_"))")
  }

  private func note(_ line: String) {
    file?.write(Data((line + "\n").utf8))
  }
}
