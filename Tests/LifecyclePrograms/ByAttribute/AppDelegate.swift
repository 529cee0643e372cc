import AppLifecycle

/// The shortest app, as most are written: it ends once it has been launched.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
  func applicationDidFinishLaunching(_ application: UIApplication) {
    let isOwn = application === UIApplication.shared && application.delegate === self
    FileHandle.standardOutput.write(Data("launched, its own: \(isOwn)\n".utf8))
    exit(0)
  }
}
