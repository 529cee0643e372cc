import Foundation
import Glibc
import LocationEngine
import Testing

@testable import LocationService

@Suite("A bundle is read where Foundation finds it, and judged before it is believed")
struct AppBundleTests {
  struct Layout: CustomTestStringConvertible, Sendable {
    var plist: String
    var program: String
    var testDescription: String { "\(plist), \(program)" }
  }

  @Test(
    "Each layout that Bundle.main knows on Linux is read (CFBundleExecutable, else the bundle's name)",
    arguments: [
      Layout(plist: "Info.plist", program: "Walk"), Layout(plist: "Resources/Info.plist", program: "Walk"),
      Layout(plist: "Contents/Info.plist", program: "Contents/Linux/Walk"),
    ], [nil, "stroll"] as [String?])
  func layouts(layout: Layout, executable: String?) throws {
    let folder = try BundleFolder()
    let program = executable.map { layout.program.replacingOccurrences(of: "Walk", with: $0) } ?? layout.program
    let keys = executable.map { "<key>CFBundleExecutable</key><string>\($0)</string>" } ?? ""
    let path = try folder.make(keys: keys, plist: layout.plist, program: program)
    let bundle = try AppBundle(at: path)
    #expect(bundle.path == path)
    #expect(bundle.executablePath == "\(path)/\(program)")
    #expect(bundle.description.identifier == AppIdentifier("org.example.walk"))
    #expect(bundle.description.isInstalled)
  }

  @Test("Usage strings, modes, purposes, accuracy and requirements are read")
  func keys() throws {
    let folder = try BundleFolder()
    let path = try folder.make(
      keys: """
        <key>NSLocationWhenInUseUsageDescription</key><string>Shows where you are.</string>
        <key>NSLocationDefaultAccuracyReduced</key><true/>
        <key>NSLocationTemporaryUsageDescriptionDictionary</key><dict><key>Route</key><string>Finds it.</string></dict>
        <key>UIBackgroundModes</key><array><string>audio</string><string>location</string></array>
        <key>UIRequiredDeviceCapabilities</key><array><string>gps</string><string>armv7</string></array>
        """)
    let bundle = try AppBundle(at: path)
    #expect(bundle.description.whenInUseUsage == "Shows where you are.")
    #expect(bundle.description.prefersReducedAccuracy)
    #expect(bundle.description.temporaryUsages == [.init(purposeKey: "Route", text: "Finds it.")])
    #expect(bundle.description.hasLocationBackgroundMode)
    #expect(bundle.backgroundModes == ["audio", "location"])
    #expect(
      bundle.requirements == [
        DeviceRequirement(capability: "gps", isPresent: true), DeviceRequirement(capability: "armv7", isPresent: true),
      ])
  }

  @Test("A text or a name that is too long is told with its key and its file, and not printed whole")
  func longTexts() throws {
    let folder = try BundleFolder()
    let long = String(repeating: "a", count: 16_385)
    for (keys, key) in [
      ("<key>NSLocationWhenInUseUsageDescription</key><string>\(long)</string>", "NSLocationWhenInUseUsageDescription"),
      (
        "<key>NSLocationTemporaryUsageDescriptionDictionary</key><dict><key>a</key><string>\(long)</string></dict>",
        "NSLocationTemporaryUsageDescriptionDictionary"
      ),
    ] {
      let path = try folder.make(keys: keys)
      let error = #expect(throws: BundleError.self) { try AppBundle(at: path) }
      #expect(error?.path == "\(path)/Info.plist")
      #expect(error?.problem == .longText(key: key, bytes: 16_385, bytesMax: 16_384))
    }
    let named = try folder.make(identifier: "org." + long)
    let error = #expect(throws: BundleError.self) { try AppBundle(at: named) }
    #expect((error?.description.count ?? .max) < named.count + 500)
  }

  @Test("A list that is too long is told with its key, its file and the bound")
  func longLists() throws {
    let folder = try BundleFolder()
    let strings = (1...65).map { "<string>a\($0)</string>" }.joined()
    let entries = (1...65).map { "<key>a\($0)</key><string>b</string>" }.joined()
    for (key, value) in [
      ("UIRequiredDeviceCapabilities", "<array>\(strings)</array>"),
      ("UIBackgroundModes", "<array>\(strings)</array>"),
      ("NSLocationTemporaryUsageDescriptionDictionary", "<dict>\(entries)</dict>"),
    ] {
      let path = try folder.make(keys: "<key>\(key)</key>\(value)")
      let error = #expect(throws: BundleError.self) { try AppBundle(at: path) }
      #expect(error?.path == "\(path)/Info.plist")
      #expect(error?.problem == .longList(key: key, count: 65, countMax: 64))
    }
  }

  @Test(
    "A name of a wrong type is told as that, and not as one that is not there",
    arguments: ["CFBundleExecutable", "CFBundleIdentifier"], ["<integer>1</integer>", "<array/>", "<true/>"])
  func wrongTypes(key: String, value: String) throws {
    let folder = try BundleFolder()
    let own = key == "CFBundleIdentifier" ? nil : "org.example.walk"
    #expect(problem(try folder.make(identifier: own, keys: "<key>\(key)</key>\(value)")) == .noString(key: key))
  }

  private static let usage = "<key>NSLocationWhenInUseUsageDescription</key><string>Shows where you are.</string>"

  @Test(
    "What counts as absent or says nothing is noted by its key",
    arguments: [
      ("", ["Without a text of NSLocationWhenInUseUsageDescription"]), (usage, []),
      (
        "<key>NSLocationAlwaysUsageDescription</key><string>To remind you.</string>",
        ["Without a text of NSLocationWhenInUseUsageDescription"]
      ),
      (
        "<key>NSLocationWhenInUseUsageDescription</key><integer>1</integer>",
        ["NSLocationWhenInUseUsageDescription is no string", "Without a text of NSLocationWhenInUseUsageDescription"]
      ),
      (
        usage + "<key>NSLocationAlwaysAndWhenInUseUsageDescription</key><string> </string>",
        ["NSLocationAlwaysAndWhenInUseUsageDescription is empty"]
      ),
      (usage + "<key>UIBackgroundModes</key><string>location</string>", ["UIBackgroundModes is no array of strings"]),
      (usage + "<key>UIBackgroundModes</key><dict/>", ["UIBackgroundModes is no array of strings"]),
      (usage + "<key>UIBackgroundModes</key><array/>", []),
      (
        usage + "<key>NSLocationTemporaryUsageDescriptionDictionary</key><array/>",
        ["NSLocationTemporaryUsageDescriptionDictionary is no dictionary of strings"]
      ),
    ])
  func notes(keys: String, beginnings: [String]) throws {
    let folder = try BundleFolder()
    let notes = try AppBundle(at: try folder.make(keys: keys)).notes
    #expect(notes.count == beginnings.count && zip(notes, beginnings).allSatisfy { $0.hasPrefix($1) }, "\(notes)")
  }

  @Test("A path through a link leads to the bundle itself")
  func link() throws {
    let folder = try BundleFolder()
    let path = try folder.make()
    #expect(symlink(path, folder.path + "/Link.app") == 0)
    #expect(try AppBundle(at: folder.path + "/Link.app").path == path)
  }

  private func problem(_ path: String) -> BundleError.Problem? {
    do throws(BundleError) {
      _ = try AppBundle(at: path)
      return nil
    } catch {
      #expect(error.description.contains("/"), "it names a file")
      return error.problem
    }
  }

  @Test("What is no bundle is refused with a reason")
  func refused() throws {
    let folder = try BundleFolder()
    #expect(problem(folder.path + "/None.app") == .notThere("No such file or directory"))
    #expect(problem(folder.path) == .noBundle)
    try folder.temporary.write("text", to: "File.app")
    #expect(problem(folder.path + "/File.app") == .noBundle)
    try folder.temporary.write("text", to: "Empty.app/other")
    #expect(problem(folder.path + "/Empty.app") == .noInfoPlist)
    #expect(problem(try folder.make("A.app", identifier: nil)) == .noIdentifier)
    let nameless = ["", ".", "..", "-x", "-", "org..walk", ".org", "org.", "a/b", "/", "unit:a", "../x", "a b"]
    let unshowable = ["a\nb", "a\tb", "a\u{7F}b", "w\u{301}alk", "walk\u{202E}"]
    for name in nameless + unshowable + [String(repeating: "a", count: 256)] {
      #expect(problem(try folder.make("B.app", identifier: name, program: "B")) == .wrongIdentifier(name))
    }
    for name in ["a", "org.example.Walk-2_b", "a.-b", String(repeating: "a", count: 255)] {
      #expect(problem(try folder.make("B.app", identifier: name, program: "B")) == nil)
    }
    let depth = String(repeating: "<array>", count: 5_000)
    #expect(problem(try folder.make("C.app", keys: "<key>a</key>\(depth)", program: "C")) != nil)
  }

  @Test("A program that cannot be this app's alone is refused")
  func programs() throws {
    let folder = try BundleFolder()
    #expect(problem(try folder.make("A.app", program: nil)) == .noProgram("No such file or directory"))
    let mac = try folder.make("B.app", plist: "Contents/Info.plist", program: "Contents/MacOS/B")
    #expect(problem(mac) == .programForMac)
    let out = try folder.make("C.app", program: nil)
    #expect(symlink("/bin/ls", out + "/C") == 0)
    let real = URL(fileURLWithPath: "/bin/ls").resolvingSymlinksInPath().path
    #expect(problem(out) == .programElsewhere(real))
    let plain = try folder.make("D.app", program: "D")
    #expect(chmod(plain + "/D", 0o644) == 0)
    #expect(problem(plain) == .notExecutable)
    #expect(problem(try folder.make("E.app", program: "E", text: "#!/bin/sh\n")) == .script)
    #expect(problem(try folder.make("E.app", program: "E", text: "")) == .noProgramFile(isEmpty: true))
    for text in ["#", "echo walk\n", "\u{7F}EL", "MZ\u{90}\u{0}", "\u{0}asm\u{1}"] {
      #expect(problem(try folder.make("E.app", program: "E", text: text)) == .noProgramFile(isEmpty: false))
    }
    let keys = "<key>CFBundleExecutable</key><string>../Walk.app/Walk</string>"
    #expect(problem(try folder.make("F.app", keys: keys)) == .wrongExecutableName("../Walk.app/Walk"))
  }

  @Test(
    "Requirements of neither form are a mistake, not none", arguments: ["<string>gps</string>", "<integer>1</integer>"])
  func wrongRequirements(value: String) throws {
    let folder = try BundleFolder()
    let keys = "<key>UIRequiredDeviceCapabilities</key>\(value)"
    #expect(problem(try folder.make(keys: keys)) == .wrongRequirements)
  }
}

@Suite("A device is a device for an app, or the reason is told (seeds 000 and 001, UIRequiredDeviceCapabilities)")
struct DeviceCapabilitiesTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var requirements: [DeviceRequirement]
    var hasReceiver: Bool
    var missing: [String]
    var excluded: [String]
    var testDescription: String {
      requirements.map { "\($0.capability)=\($0.isPresent)" }.joined(separator: " ") + " gps here: \(hasReceiver)"
    }
  }

  private static func needs(_ name: String, _ isPresent: Bool = true) -> DeviceRequirement {
    DeviceRequirement(capability: name, isPresent: isPresent)
  }

  static let cases = [
    Case(requirements: [], hasReceiver: false, missing: [], excluded: []),
    Case(requirements: [needs("location-services")], hasReceiver: false, missing: [], excluded: []),
    Case(requirements: [needs("gps")], hasReceiver: true, missing: [], excluded: []),
    Case(requirements: [needs("gps")], hasReceiver: false, missing: ["gps"], excluded: []),
    Case(requirements: [needs("gps", false)], hasReceiver: false, missing: [], excluded: []),
    Case(requirements: [needs("gps", false)], hasReceiver: true, missing: [], excluded: ["gps"]),
    Case(
      requirements: [needs("location-services", false), needs("gps")], hasReceiver: false, missing: ["gps"],
      excluded: ["location-services"]),
    Case(requirements: [needs("armv7"), needs("camera", false)], hasReceiver: false, missing: [], excluded: []),
  ]

  @Test("Each entry is met, missing or ruled out; what is none of location's decides nothing", arguments: cases)
  func gate(entry: Case) {
    let device = DeviceCapabilities(hasSatelliteReceiver: entry.hasReceiver)
    var found = UnmetRequirements(missing: [], excluded: [])
    do throws(UnmetRequirements) { try device.check(entry.requirements) } catch { found = error }
    #expect(found == UnmetRequirements(missing: entry.missing, excluded: entry.excluded))
    for name in entry.missing + entry.excluded { #expect(found.description.contains(name)) }
  }

  @Test("What is not looked at is named, in order")
  func ignored() {
    let device = DeviceCapabilities(hasSatelliteReceiver: true)
    let list = ["armv7", "gps", "telephony", "location-services"].map { Self.needs($0) }
    #expect(device.ignored(list) == ["armv7", "telephony"])
  }
}
