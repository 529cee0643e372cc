import Testing

/// A word that code may not hold, and why: the reason is what a failed test prints.
struct Ban: Sendable, CustomTestStringConvertible {
  var word: String
  var reason: String

  var testDescription: String { word }

  init(_ word: String, _ reason: String) {
    self.word = word
    self.reason = reason
  }

  func matches(_ line: some StringProtocol) -> Bool {
    line.containsToken(word)
  }
}

extension StringProtocol {
  /// True where `token` stands in the text and neither of its ends cuts a word in two.
  func containsToken(_ token: String) -> Bool {
    var rest = self[...]
    while let found = rest.firstRange(of: token) {
      let before = found.lowerBound > startIndex ? self[index(before: found.lowerBound)] : " "
      let after = found.upperBound < endIndex ? self[found.upperBound] : " "
      let cutsBefore = before.isPartOfWord && token.first?.isPartOfWord == true
      let cutsAfter = after.isPartOfWord && token.last?.isPartOfWord == true
      if !cutsBefore && !cutsAfter { return true }
      rest = self[index(after: found.lowerBound)...]
    }
    return false
  }
}

extension String {
  /// The modules that this source imports.
  var importedModules: [String] {
    split(separator: "\n").compactMap { line in
      let words = line.split { $0 == " " || $0 == "." }
      guard let keyword = words.firstIndex(of: "import"), words[..<keyword].allSatisfy(isImportAttribute) else {
        return nil
      }
      let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      return words[(keyword + 1)...].first { !kinds.contains($0) }.map(String.init)
    }
  }

  private func isImportAttribute(_ word: Substring) -> Bool {
    word.hasPrefix("@") || ["public", "package", "internal", "private", "fileprivate"].contains(String(word))
  }
}
