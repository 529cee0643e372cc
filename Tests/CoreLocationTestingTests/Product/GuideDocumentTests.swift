import Foundation
import Testing

/// docs/testing-your-app.md shows the very files that are built and run as YourApp and YourAppTests.
@Suite("The guide to testing an app")
struct GuideDocumentTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let example = root.appendingPathComponent("Examples/TestingYourApp")

  /// Each block of code that names a file, with its text.
  private static func blocks() throws -> [(file: String, text: String)] {
    let guide = try String(contentsOf: root.appendingPathComponent("docs/testing-your-app.md"), encoding: .utf8)
    return guide.components(separatedBy: "```swift ").dropFirst().map { rest in
      let block = rest.components(separatedBy: "```")[0]
      let line = block.prefix { $0 != "\n" }
      return (String(line), String(block.dropFirst(line.count + 1)))
    }
  }

  @Test("Every listing is the file that it names; only where the package lies is the reader's own")
  func listings() throws {
    for (file, text) in try Self.blocks() {
      let built = try String(contentsOf: Self.example.appendingPathComponent(file), encoding: .utf8)
      #expect(text == built.replacingOccurrences(of: "\"../..\"", with: "\"../CoreLocation\""), "\(file)")
    }
  }

  @Test("Every file of the example stands in the guide")
  func files() throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: Self.example.path).filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix(".build")
    }
    #expect(try Self.blocks().map(\.file).sorted() == names.sorted() && names.count == 13)
  }
}
