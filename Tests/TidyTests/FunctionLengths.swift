/// A function and how many lines it takes from its `func` or `init` to its closing brace.
struct FunctionLength: Equatable {
  var name: String
  /// Counted from 1.
  var line: Int
  var lines: Int
}

extension SwiftCode {
  /// Every function, initializer and deinitializer with a body, nested ones included, in the order of the source.
  var functionLengths: [FunctionLength] {
    var lengths: [FunctionLength] = []
    var line = 1
    var index = 0
    while index < characters.count {
      if characters[index] == "\n" { line += 1 }
      if let keyword = functionKeyword(at: index), let end = endOfBody(after: index + keyword.count) {
        let newlines = characters[index...end].count { $0 == "\n" }
        let name = keyword == "func" ? word(after: index + keyword.count) : keyword
        lengths.append(FunctionLength(name: name, line: line, lines: newlines + 1))
      }
      index += 1
    }
    return lengths
  }

  /// The keyword that begins a function here. `self.init(…)` and `.init(…)` are calls.
  private func functionKeyword(at index: Int) -> String? {
    let before = index > 0 ? characters[index - 1] : " "
    if before.isPartOfWord || before == "." || before == "`" { return nil }
    return ["func", "init", "deinit"].first { keyword in
      let end = index + keyword.count
      guard end < characters.count, characters[index..<end].elementsEqual(keyword) else { return false }
      return !characters[end].isPartOfWord
    }
  }

  private func word(after start: Int) -> String {
    let rest = characters[start...].drop { $0 == " " }
    return String(rest.prefix { $0 != "(" && $0 != "<" && $0 != " " })
  }

  /// Where the brace stands that closes the body; nil for a declaration without one, as in a protocol.
  private func endOfBody(after start: Int) -> Int? {
    var parentheses = 0
    var braces = 0
    var index = start
    while index < characters.count {
      switch characters[index] {
      case "(", "[": parentheses += 1
      case ")", "]": parentheses -= 1
      case "{" where parentheses == 0: braces += 1
      case "}" where parentheses == 0:
        braces -= 1
        if braces == 0 { return index }
        if braces < 0 { return nil }
      case "\n" where parentheses == 0 && braces == 0:
        if beginsDeclaration(after: index) { return nil }
      default: break
      }
      // A closing parenthesis too many belongs to what stands around a call, not to a function.
      if parentheses < 0 { return nil }
      index += 1
    }
    return nil
  }

  /// True where the next line begins another declaration, so that the one before had no body.
  private func beginsDeclaration(after newline: Int) -> Bool {
    let rest = characters[(newline + 1)...].drop { $0.isWhitespace }
    if rest.first == "@" || rest.first == "#" { return true }
    return Self.declarationWords.contains(String(rest.prefix { $0.isPartOfWord }))
  }

  private static let declarationWords: Set<String> = [
    "func", "init", "deinit", "var", "let", "subscript", "case", "struct", "class", "enum", "actor", "protocol",
    "extension", "typealias", "associatedtype", "import", "static", "mutating", "nonmutating", "public", "package",
    "internal", "private", "fileprivate", "open", "override", "convenience", "required", "final", "nonisolated",
    "optional", "weak", "lazy", "indirect", "prefix", "infix", "postfix",
  ]
}

extension Character {
  var isPartOfWord: Bool { isLetter || isNumber || self == "_" }
}
