/// Swift source with the insides of comments and string literals blanked, so that a search finds code only.
///
/// Lines stay where they are. Code inside a string's interpolation is blanked with the string: rules that hang on a
/// token overlook it there, and braces there are balanced anyway.
struct SwiftCode {
  private(set) var characters: [Character]

  var text: String { String(characters) }

  init(masking source: String) {
    var masker = SwiftMasker(source)
    masker.run()
    characters = masker.output
  }
}

/// Walks over source once and copies what is code.
private struct SwiftMasker {
  private let input: [Character]
  private var index = 0
  private(set) var output: [Character] = []

  init(_ source: String) {
    input = Array(source)
    output.reserveCapacity(input.count)
  }

  mutating func run() {
    while index < input.count {
      if looksAt("//") {
        while index < input.count, input[index] != "\n" { blank() }
      } else if looksAt("/*") {
        blankBlockComment()
      } else if let hashes = hashesBeforeQuote() {
        blankString(hashes: hashes)
      } else {
        output.append(input[index])
        index += 1
      }
    }
  }

  private func looksAt(_ word: String, from start: Int? = nil) -> Bool {
    var position = start ?? index
    for character in word {
      guard position < input.count, input[position] == character else { return false }
      position += 1
    }
    return true
  }

  private mutating func blank(_ count: Int = 1) {
    for _ in 0..<count where index < input.count {
      output.append(input[index] == "\n" ? "\n" : " ")
      index += 1
    }
  }

  /// Swift's block comments nest.
  private mutating func blankBlockComment() {
    var depth = 0
    repeat {
      if looksAt("/*") {
        depth += 1
        blank(2)
      } else if looksAt("*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    } while depth > 0 && index < input.count
  }

  /// How many number signs open a string literal here; nil where none begins.
  private func hashesBeforeQuote() -> Int? {
    var position = index
    while position < input.count, input[position] == "#" { position += 1 }
    return position < input.count && input[position] == "\"" ? position - index : nil
  }

  private mutating func blankString(hashes: Int) {
    let hash = String(repeating: "#", count: hashes)
    let quote = looksAt("\"\"\"", from: index + hashes) ? "\"\"\"" : "\""
    blank(hashes + quote.count)
    while index < input.count, !looksAt(quote + hash) {
      if looksAt("\\" + hash + "(") {
        blank(2 + hashes)
        blankInterpolation()
      } else if looksAt("\\" + hash) {
        blank(2 + hashes)
      } else if quote.count == 1, input[index] == "\n" {
        return
      } else {
        blank()
      }
    }
    blank(quote.count + hashes)
  }

  /// To the parenthesis that closes `\(`; strings inside may hold parentheses of their own.
  private mutating func blankInterpolation() {
    var depth = 1
    while depth > 0, index < input.count {
      if let hashes = hashesBeforeQuote() {
        blankString(hashes: hashes)
        continue
      }
      if input[index] == "(" { depth += 1 }
      if input[index] == ")" { depth -= 1 }
      blank()
    }
  }
}
