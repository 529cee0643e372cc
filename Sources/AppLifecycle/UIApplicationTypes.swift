extension UIApplication {
  /// Where an app stands.
  public enum State: Int, Sendable {
    /// In the foreground and in use.
    case active = 0
    /// In the foreground, on its way to or from use.
    case inactive = 1
    case background = 2
  }

  /// Keys of the options that an app is launched with.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The app was started since something happened where the device went; its value is an `NSNumber`, true.
    public static let location = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocationKey")
  }

  /// Keys of the options that a URL is opened with. None has a meaning here.
  public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public static let universalLinksOnly = OpenExternalURLOptionsKey(
      rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
  }

  /// The URL to `open(_:options:completionHandler:)` where a person is to decide about this app.
  nonisolated public class var openSettingsURLString: String { "app-settings:" }

  nonisolated public static let didFinishLaunchingNotification = Notification.Name(
    "UIApplicationDidFinishLaunchingNotification")
  nonisolated public static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  nonisolated public static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  nonisolated public static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  nonisolated public static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")
  nonisolated public static let willTerminateNotification = Notification.Name(
    "UIApplicationWillTerminateNotification")
  nonisolated public static let backgroundRefreshStatusDidChangeNotification = Notification.Name(
    "UIApplicationBackgroundRefreshStatusDidChangeNotification")
}

/// One piece of work that the app asks not to be suspended during.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public var rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// No task.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// Whether the app is started or woken in the background (behaviour 3.11).
public enum UIBackgroundRefreshStatus: Int, Sendable {
  /// Not for this person to decide.
  case restricted = 0
  case denied = 1
  case available = 2
}
