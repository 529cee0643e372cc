import Foundation
import Testing

/// Every case of the field is a test of the product, written as an app's own tests are: with what is public.
///
/// | cases | file |
/// |---|---|
/// | CL-01, CL-07, CL-08 | `PermissionCases` |
/// | CL-02, CL-03, CL-10, CL-11, SP-1, SP-3 | `LocationCases` |
/// | CL-05, CL-06, SP-7, SP-8 | `BackgroundCases` |
/// | RB-01, RB-02, RB-05 | `CircleCases` |
/// | RB-04, RB-07, SP-4 | `BeaconCases` |
/// | RB-08 | `ConditionCases` |
/// | SP-2 | `HeadingCases` |
///
/// What CL-02 says of run loops is tested in programs that have them, by `DeliveryTests`.
@Suite("The cases of the field")
struct CaseIndexTests {
  private static let cases = [
    "CL-01", "CL-02", "CL-03", "CL-05", "CL-06", "CL-07", "CL-08", "CL-10", "CL-11", "RB-01", "RB-02", "RB-04",
    "RB-05", "RB-07", "RB-08", "SP-1", "SP-2", "SP-3", "SP-4", "SP-7", "SP-8",
  ]
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private static func sources() throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix("CaseIndex")
    }
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
      })
  }

  @Test("Each is a test whose name begins with its number, in the file that the list says")
  func everyCase() throws {
    let sources = try Self.sources()
    for name in Self.cases {
      let files = sources.filter { $0.value.contains("@Test(\"\(name): ") || $0.value.contains("\n    \"\(name): ") }
      #expect(files.count == 1, "\(name) is in \(files.keys.sorted())")
    }
  }

  @Test("They take nothing but what an app's own tests may take")
  func publicOnly() throws {
    let allowed = ["AppLifecycle", "CoreLocation", "CoreLocationTesting", "Testing"]
    for (name, source) in try Self.sources() {
      let imports = source.split(separator: "\n").filter { $0.contains("import ") && !$0.hasPrefix("///") }
      #expect(imports.allSatisfy { line in allowed.contains { line == "import \($0)" } }, "\(name): \(imports)")
    }
  }
}
