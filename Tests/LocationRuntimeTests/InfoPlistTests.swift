import LocationEngine
import LocationRuntime
import Testing

@Suite("An app's Info.plist")
struct InfoPlistTests {
  private static func plist(_ body: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict>\(body)</dict></plist>\n"
  }

  private static let usage = plist(
    "<key>CFBundleIdentifier</key><string>org.example.walk</string>"
      + "<key>NSLocationWhenInUseUsageDescription</key><string>Shows you.</string>")

  private func describe(
    executable: String, plist: String? = nil, locale: String? = nil
  ) -> (app: AppDescription, lines: [String]) {
    var environment = ProcessEnvironment(executablePath: executable)
    environment.infoPlistPath = plist
    environment.locale = locale
    let lines = Lines()
    let app = InfoPlist.describe(environment) { lines.add($0) }
    return (app, lines.all)
  }

  @Test(
    "is found beside the executable, in Name.app beside it, in Resources, and above Contents/Linux",
    arguments: [
      ("walk", "Info.plist"), ("Walk.app/walk", "Walk.app/Info.plist"), ("walk", "walk.app/Info.plist"),
      ("Walk.app/walk", "Walk.app/Resources/Info.plist"),
      ("Walk.app/Contents/Linux/walk", "Walk.app/Contents/Info.plist"),
    ])
  func found(executable: String, plist: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.usage, to: plist)
    let app = describe(executable: folder.path + "/" + executable).app
    #expect(app.identifier.name == "org.example.walk")
    #expect(app.whenInUseUsage == "Shows you.")
  }

  @Test("that CORELOCATION_INFO_PLIST names comes before the one beside the executable")
  func named() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.usage, to: "Info.plist")
    let other = try folder.write(
      Self.plist("<key>CFBundleIdentifier</key><string>org.example.other</string>"), to: "other.plist")
    #expect(describe(executable: folder.path + "/walk", plist: other).app.identifier.name == "org.example.other")
  }

  @Test("that is missing declares nothing: the executable's path is the identity")
  func missing() throws {
    let folder = try TemporaryFolder()
    let app = describe(executable: folder.path + "/walk").app
    #expect(app == AppDescription(identifier: AppIdentifier(folder.path + "/walk")))
  }

  @Test("gives every key that location services read; a value of the wrong type counts as absent")
  func allKeys() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      Self.plist(
        """
        <key>NSLocationWhenInUseUsageDescription</key><integer>1</integer>
        <key>NSLocationAlwaysAndWhenInUseUsageDescription</key><string>a</string>
        <key>NSLocationAlwaysUsageDescription</key><string>b</string>
        <key>NSLocationTemporaryUsageDescriptionDictionary</key>
        <dict><key>Search</key><string>s</string><key>Guide</key><string>g</string></dict>
        <key>NSLocationDefaultAccuracyReduced</key><true/>
        <key>NSLocationRequireExplicitServiceSession</key><true/>
        <key>UIBackgroundModes</key><array><string>audio</string><string>location</string></array>
        """), to: "Info.plist")
    let app = describe(executable: folder.path + "/walk").app
    #expect(app.whenInUseUsage == nil)
    #expect(app.alwaysAndWhenInUseUsage == "a")
    #expect(app.alwaysUsage == "b")
    #expect(app.temporaryUsages.map(\.purposeKey) == ["Guide", "Search"])
    #expect(app.prefersReducedAccuracy)
    #expect(app.requiresExplicitServiceSession)
    #expect(app.hasLocationBackgroundMode)
  }

  @Test("that is no property list declares nothing, and one line names the file")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("not a plist {", to: "Info.plist")
    let (app, lines) = describe(executable: folder.path + "/walk")
    #expect(app.whenInUseUsage == nil)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(file) == true)
  }

  @Test("has its texts from InfoPlist.strings of the person's language, where the key is in the Info.plist (1.47)")
  func localized() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.usage, to: "Info.plist")
    try folder.write(
      "/* Deutsch */\n\"NSLocationWhenInUseUsageDescription\" = \"Zeigt dich.\";\n"
        + "NSLocationAlwaysUsageDescription = \"Immer.\";\n", to: "de.lproj/InfoPlist.strings")
    let german = describe(executable: folder.path + "/walk", locale: "de_DE.UTF-8").app
    #expect(german.whenInUseUsage == "Zeigt dich.")
    #expect(german.alwaysUsage == nil, "a translation does not stand in for a missing key")
    #expect(describe(executable: folder.path + "/walk", locale: "C.UTF-8").app.whenInUseUsage == "Shows you.")
  }
}
