import LinuxIO

/// A service on a bus that says something from which it follows that the screen turned on.
enum DisplaySign: Hashable, Sendable, CaseIterable {
  /// The login manager (systemd-logind or elogind): the machine wakes, or some session is no longer idle.
  case login
  /// A screen saver of the desktop-independent kind, as KDE's and Xfce's.
  case screenSaver
  /// GNOME's, whose lock screen lights up before anybody unlocks it.
  case gnomeScreenSaver

  var service: String {
    switch self {
    case .login: "org.freedesktop.login1"
    case .screenSaver: "org.freedesktop.ScreenSaver"
    case .gnomeScreenSaver: "org.gnome.ScreenSaver"
    }
  }

  /// The login manager serves the machine, a screen saver one session.
  var isOfSession: Bool { self != .login }

  static let loginPath = "/org/freedesktop/login1"
  static let loginManager = "org.freedesktop.login1.Manager"

  /// Which signals of its owner tell of it.
  func signals(from owner: String) -> [BusSignal] {
    switch self {
    case .login:
      [
        BusSignal(sender: owner, path: Self.loginPath, interface: Self.loginManager, "PrepareForSleep"),
        BusSignal(
          sender: owner, path: Self.loginPath, interface: "org.freedesktop.DBus.Properties", "PropertiesChanged",
          subject: Self.loginManager),
      ]
    // Some say it at two paths.
    case .screenSaver: [BusSignal(sender: owner, path: nil, interface: service, "ActiveChanged")]
    case .gnomeScreenSaver:
      [
        BusSignal(sender: owner, path: nil, interface: service, "ActiveChanged"),
        BusSignal(sender: owner, path: nil, interface: service, "WakeUpScreen"),
      ]
    }
  }
}

/// What the signs say, taken together: several services tell of one turning on, shortly after each other.
struct DisplayJudgement {
  /// The login manager's idle hint covers all sessions, and is told again where one of them changes and the whole does
  /// not.
  private var wasIdle = false
  private var toldAt: Double?
  private let settleSeconds: Double

  /// - Parameter settleSeconds: what comes so soon after a turning on is the same one.
  init(settleSeconds: Double) {
    self.settleSeconds = settleSeconds
  }

  /// The idle hint as it was before anybody listened.
  mutating func note(isIdle: Bool) { wasIdle = isIdle }

  /// Whether the screen has turned on with this.
  mutating func take(_ member: String, _ values: [BusValue], atSeconds now: Double) -> Bool {
    switch member {
    case "ActiveChanged", "PrepareForSleep":
      guard values.first?.boolean == false else { return false }
    case "WakeUpScreen": break
    case "PropertiesChanged":
      guard values.count > 1, let isIdle = values[1].dictionary?["IdleHint"]?.boolean else { return false }
      defer { wasIdle = isIdle }
      guard wasIdle, !isIdle else { return false }
    default: return false
    }
    if let toldAt, now - toldAt < settleSeconds { return false }
    toldAt = now
    return true
  }
}
