/// Why an installed app is started. The one who starts it tells the app in its environment.
package enum LaunchReason: String, Hashable, Sendable, CaseIterable {
  /// A person wants it: it comes to the foreground.
  case person
  /// Something happened where the device went: it runs in the background, and finds `.location` in its launch options.
  case location

  /// The environment variable that holds the reason.
  package static let variable = "CORELOCATION_LAUNCH_REASON"
}
