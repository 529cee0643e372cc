import Foundation
import Testing

@Suite("The documents keep the house rules")
struct DocumentTidyTests {
  static func documents() throws -> [RepositoryFile] {
    try ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(RepositoryFile.named)
      + RepositoryFile.all(in: ["docs"], extensions: ["md"])
  }

  @Test("a link to a file of this project leads to a file that is there")
  func links() throws {
    for document in try Self.documents() {
      let folder = RepositoryFile.root.appendingPathComponent(document.path).deletingLastPathComponent()
      for target in document.text.linkTargets where !target.contains("://") && !target.hasPrefix("#") {
        let file = folder.appendingPathComponent(String(target.prefix { $0 != "#" }))
        #expect(FileManager.default.fileExists(atPath: file.path), "\(document.path) links to \(target)")
      }
    }
  }

  @Test("a make target that a document names is a target of the Makefile")
  func makeTargets() throws {
    let makefile = try RepositoryFile.named("Makefile")
    let targets = Set(makefile.lines.compactMap { line in line.split(separator: ":").first.map(String.init) })
    for document in try Self.documents() {
      for name in document.text.names(after: "`make ") {
        #expect(targets.contains(name), "\(document.path) names make \(name)")
      }
    }
  }

  @Test("decisions are numbered without a gap, and each says context, choice and what lost")
  func decisions() throws {
    let decisions = try RepositoryFile.all(in: ["docs/decisions"], extensions: ["md"])
    for (index, decision) in decisions.enumerated() {
      let number = String(format: "%04d-", index + 1)
      #expect(decision.name.hasPrefix(number), "\(decision.path) is not number \(index + 1)")
      for heading in ["## Context", "## Choice", "## What lost, and why"] {
        #expect(decision.lines.contains { $0 == heading }, "\(decision.path) has no \"\(heading)\"")
      }
    }
  }

  @Test("the targets of Markdown's links are found")
  func linkTargets() {
    #expect("a [b](c.md) and [d](e/f.md#g), (h)".linkTargets == ["c.md", "e/f.md#g"])
    #expect("`make run` and `make test`, make it".names(after: "`make ") == ["run", "test"])
  }
}

extension String {
  /// What stands in the round brackets of Markdown's `[text](target)`.
  fileprivate var linkTargets: [String] {
    components(separatedBy: "](").dropFirst().map { piece in String(piece.prefix { $0 != ")" }) }
  }

  fileprivate func names(after mark: String) -> [String] {
    components(separatedBy: mark).dropFirst().map { piece in String(piece.prefix { $0.isLetter || $0 == "-" }) }
  }
}
