import LocationEngine
import LocationRuntime

/// What an app's Info.plist declares, as far as location services read it.
public struct AppInfo: Sendable {
  public var bundleIdentifier: String
  /// `NSLocationWhenInUseUsageDescription`
  public var whenInUseUsage: String?
  /// `NSLocationAlwaysAndWhenInUseUsageDescription`
  public var alwaysAndWhenInUseUsage: String?
  /// `NSLocationAlwaysUsageDescription`, the key of iOS 8 to 10
  public var alwaysUsage: String?
  /// `NSLocationTemporaryUsageDescriptionDictionary`: texts by purpose key.
  public var temporaryUsages: [String: String] = [:]
  /// `NSLocationDefaultAccuracyReduced`
  public var prefersReducedAccuracy = false
  /// `UIBackgroundModes` has `location`.
  public var hasLocationBackgroundMode: Bool
  /// `NSLocationRequireExplicitServiceSession`
  public var requiresExplicitServiceSession = false
  /// Whether the device knows the app as an installed bundle: launched, suspended, woken and started again. False is a
  /// plain program, which is in use until it ends.
  public var isInstalled: Bool

  /// An app with both usage texts, as most have them.
  public init(
    bundleIdentifier: String = "org.example.app", hasLocationBackgroundMode: Bool = false, isInstalled: Bool = true
  ) {
    self.bundleIdentifier = bundleIdentifier
    self.hasLocationBackgroundMode = hasLocationBackgroundMode
    self.isInstalled = isInstalled
    whenInUseUsage = "Shows where you are."
    alwaysAndWhenInUseUsage = "Tells you when you arrive."
  }

  /// What the Info.plist at a path declares. Throws a sentence that names the file and what is wrong with it.
  public init(infoPlist path: String) throws {
    let description: AppDescription
    do throws(PropertyListFile.Problem) {
      description = try InfoPlist.read(path, executablePath: "org.example.app", locale: nil, log: { _ in })
    } catch {
      throw SimulationFailure(sentence: "\(path): \(error.text).")
    }
    bundleIdentifier = description.identifier.name
    whenInUseUsage = description.whenInUseUsage
    alwaysAndWhenInUseUsage = description.alwaysAndWhenInUseUsage
    alwaysUsage = description.alwaysUsage
    temporaryUsages = Dictionary(
      description.temporaryUsages.map { ($0.purposeKey, $0.text) }, uniquingKeysWith: { first, _ in first })
    prefersReducedAccuracy = description.prefersReducedAccuracy
    hasLocationBackgroundMode = description.hasLocationBackgroundMode
    requiresExplicitServiceSession = description.requiresExplicitServiceSession
    isInstalled = true
  }

  var description: AppDescription {
    var app = AppDescription(identifier: AppIdentifier(bundleIdentifier))
    app.whenInUseUsage = whenInUseUsage
    app.alwaysAndWhenInUseUsage = alwaysAndWhenInUseUsage
    app.alwaysUsage = alwaysUsage
    app.temporaryUsages = temporaryUsages.sorted { $0.key < $1.key }
      .map { AppDescription.TemporaryUsage(purposeKey: $0.key, text: $0.value) }
    app.prefersReducedAccuracy = prefersReducedAccuracy
    app.hasLocationBackgroundMode = hasLocationBackgroundMode
    app.requiresExplicitServiceSession = requiresExplicitServiceSession
    app.isInstalled = isInstalled
    return app
  }
}

/// What the person had decided about the app before the test began.
public enum SimulatedPermission: Sendable {
  case notDetermined
  case denied
  case whenInUse
  case always

  var grant: Grant {
    switch self {
    case .notDetermined: Grant()
    case .denied: Grant(level: .denied)
    case .whenInUse: Grant(level: .whenInUse)
    case .always: Grant(level: .always, hasRequestedAlways: true)
    }
  }
}

/// Which generation of iOS the device follows where the rules have changed: keys, prompts, background time.
public enum SimulatedEra: Sendable {
  case iOS8
  case iOS10
  case iOS13
  case iOS18

  var era: Era {
    switch self {
    case .iOS8: .iOS8
    case .iOS10: .iOS10
    case .iOS13: .iOS13
    case .iOS18: .iOS18
    }
  }
}
