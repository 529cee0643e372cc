import Foundation
import LocationEngine
import LocationRuntime
import Testing

/// Files that a person or another program may put where settings are read. Each of them once ended or stopped the
/// process; a wrong answer here is a crash or a hang of the test.
@Suite("A settings file that is not what it should be")
struct HostileFileTests {
  private func describe(_ plist: String, locale: String? = nil) -> (app: AppDescription, lines: [String]) {
    var environment = ProcessEnvironment(executablePath: "/opt/walk")
    environment.infoPlistPath = plist
    environment.locale = locale
    let lines = Lines()
    let app = InfoPlist.describe(environment) { lines.add($0) }
    return (app, lines.all)
  }

  private func nested(_ depth: Int, before: String = "") -> String {
    before + "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>org.example.walk</string><key>a</key>"
      + String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth) + "</dict></plist>"
  }

  @Test("Sixty levels of an XML property list are read")
  func deepEnough() throws {
    let folder = try TemporaryFolder()
    let (app, lines) = describe(try folder.write(nested(60), to: "Info.plist"))
    #expect(app.identifier.name == "org.example.walk")
    #expect(lines == [])
  }

  @Test("Comments, instructions, a document type and marked sections are no levels, and hide nothing that is read")
  func noLevels() throws {
    let folder = try TemporaryFolder()
    let head =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
      + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<!-- "
      + String(repeating: "<array>", count: 100) + " -->\n"
    let text = nested(3, before: head).replacingOccurrences(
      of: "org.example.walk", with: "<![CDATA[" + String(repeating: "<x>", count: 100) + "]]>")
    let (app, lines) = describe(try folder.write(text, to: "Info.plist"))
    #expect(app.identifier.name == String(repeating: "<x>", count: 100))
    #expect(lines == [])
  }

  @Test(
    "An XML property list that nests a hundred thousand levels declares nothing, however it is wrapped",
    arguments: [
      "", "<?xml version=\"1.0\"?>", "<!-->", "<!--><![CDATA[ -->", "<!DOCTYPE plist \"<!--\">",
      "<!DOCTYPE plist \"> <!-- \">", "<!DOCTYPE plist [ <!-- ]>", "<?x?>", "\u{FEFF}",
      "<?xml version=\"1.0\" encoding=\"utf-7\"?>",
    ])
  func deep(before: String) throws {
    let folder = try TemporaryFolder()
    let (app, lines) = describe(try folder.write(nested(100_000, before: before), to: "Info.plist"))
    #expect(app.identifier.name == "/opt/walk")
    #expect(lines.count == 1)
  }

  @Test("An instruction that Foundation ends elsewhere hides no levels")
  func hiddenByInstruction() throws {
    let folder = try TemporaryFolder()
    let text = "<plist><array><?>" + String(repeating: "<array>", count: 100_000)
    #expect(describe(try folder.write(text, to: "Info.plist")).lines.count == 1)
  }

  @Test("The older format, as in strings files, is not read beyond some hundred brackets", arguments: ["(", "{a="])
  func deepOldFormat(opening: String) throws {
    let folder = try TemporaryFolder()
    let deep = String(repeating: opening, count: 100_000)
    #expect(describe(try folder.write(deep, to: "deep.plist")).lines.count == 1)
    let plist = try folder.write(nested(1), to: "Info.plist")
    try folder.write("a = " + deep, to: "de.lproj/InfoPlist.strings")
    let (app, lines) = describe(plist, locale: "de_DE.UTF-8")
    #expect(app.identifier.name == "org.example.walk")
    #expect(lines.count == 1)
    #expect(lines.first?.contains("InfoPlist.strings") == true)
  }

  @Test("A strings file in UTF-16, as Apple's tools wrote them, is read", arguments: [true, false])
  func utf16(isBigEndian: Bool) throws {
    let folder = try TemporaryFolder()
    let key = "NSLocationWhenInUseUsageDescription"
    let plist = try folder.write(
      "<plist version=\"1.0\"><dict><key>\(key)</key><string>Shows you.</string></dict></plist>", to: "Info.plist")
    try folder.write("", to: "de.lproj/InfoPlist.strings")
    let units = "\u{FEFF}\"\(key)\" = \"Zeigt dich – überall.\";\n".utf16
    let bytes = units.flatMap { unit in
      isBigEndian ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/de.lproj/InfoPlist.strings"))
    let (app, lines) = describe(plist, locale: "de")
    #expect(app.whenInUseUsage == "Zeigt dich – überall.")
    #expect(lines == [])
  }

  // MARK: Binary property lists

  /// Objects as bytes, with one-byte references and two-byte offsets; the top is the first.
  private func binary(_ objects: [[UInt8]]) -> Data {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    func long(_ number: Int) -> [UInt8] { (0..<8).reversed().map { UInt8(number >> ($0 * 8) & 0xFF) } }
    let tableStart = bytes.count
    bytes += table + [0, 0, 0, 0, 0, 0, 2, 1] + long(objects.count) + long(0) + long(tableStart)
    return Data(bytes)
  }

  private func describeBinary(_ data: Data) throws -> (app: AppDescription, lines: [String]) {
    let folder = try TemporaryFolder()
    let path = folder.path + "/Info.plist"
    try data.write(to: URL(fileURLWithPath: path))
    return describe(path)
  }

  @Test("A binary property list is read")
  func binaryGood() throws {
    let content = ["CFBundleIdentifier": "org.example.binary", "list": ["a", "b"]] as [String: Any]
    let data = try PropertyListSerialization.data(fromPropertyList: content, format: .binary, options: 0)
    #expect(try describeBinary(data).app.identifier.name == "org.example.binary")
    // {"a": "b"}: a dictionary with one key, object 1, and one value, object 2.
    #expect(try describeBinary(binary([[0xD1, 1, 2], [0x51, 0x61], [0x51, 0x62]])).lines == [])
  }

  @Test("A binary property list that holds itself, nests 200 levels or unfolds without end declares nothing")
  func binaryDeep() throws {
    // An array whose one element is itself.
    #expect(try describeBinary(binary([[0xA1, 0]])).lines.count == 1)
    #expect(try describeBinary(binary([[0xD1, 1, 0], [0x51, 0x61]])).lines.count == 1)
    let chain = (0..<200).map { [0xA1, UInt8($0 + 1)] } + [[0xA0]]
    #expect(try describeBinary(binary(chain)).lines.count == 1)
    // Each array holds the next one twice: 2 to the power of 60 in all.
    let doubling = (0..<60).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0xA0]]
    #expect(try describeBinary(binary(doubling)).lines.count == 1)
  }

  @Test("A binary property list that is cut off or points outside itself declares nothing")
  func binaryDamaged() throws {
    let good = binary([[0xD1, 1, 2], [0x51, 0x61], [0x51, 0x62]])
    for count in 6..<good.count { #expect(try describeBinary(good.prefix(count)).lines.count == 1, "\(count) bytes") }
    #expect(try describeBinary(binary([[0xA1, 9]])).lines.count == 1)
    // An array of 2 to the power of 64, less 1.
    let endless: [UInt8] = [0xAF, 0x13] + [UInt8](repeating: 0xFF, count: 8)
    #expect(try describeBinary(binary([endless])).lines.count == 1)
  }

  // MARK: Not files

  @Test("A pipe without a writer, a device without an end, a folder and a huge file are no Info.plist and no policy")
  func notRegular() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let huge = try folder.write(String(repeating: " ", count: 1 << 20) + "{}", to: "huge")
    for (path, words) in [
      (pipe, "not a regular file"), ("/dev/zero", "not a regular file"), (folder.path, "not a regular file"),
      (huge, "more than 1048576 bytes"), (folder.path + "/missing", "No such file or directory"),
    ] {
      let lines = describe(path).lines
      #expect(lines.count == 1)
      #expect(lines.first?.contains(words) == true, "\(lines)")
      do {
        _ = try PolicyFile.read(path)
        Issue.record("\(path) was accepted")
      } catch {
        #expect(error.description.contains(words), "\(error.description)")
      }
    }
  }

  @Test("A policy that nests a hundred thousand levels is refused", arguments: ["[", "{\"era\":"])
  func deepPolicy(opening: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("{\"era\":" + String(repeating: opening, count: 100_000), to: "policy.json")
    #expect(throws: PolicyFile.Problem.self) { try PolicyFile.read(file) }
  }

  @Test("What is wrong is said in words: what was expected, and the line in a strings file")
  func words() throws {
    let folder = try TemporaryFolder()
    let wrong = describe(try folder.write("<plist>\n<dict>\n<wrong/>\n</dict></plist>", to: "wrong.plist")).lines
    #expect(wrong.first?.contains("expected a property list (XML or binary)") == true, "\(wrong)")
    #expect(wrong.first?.contains("Error") == false, "\(wrong)")
    let plist = try folder.write(nested(1), to: "Info.plist")
    try folder.write("a = b;\n c = ;\n", to: "de.lproj/InfoPlist.strings")
    let strings = describe(plist, locale: "de_DE.UTF-8").lines
    #expect(strings.first?.contains("(line 2)") == true, "\(strings)")
    #expect(strings.first?.contains("Error") == false, "\(strings)")
  }
}
