/// How deep the elements of an XML text nest, without reading it: what a reader that accepts the text would meet.
struct XMLDepth {
  private(set) var max = 0
  /// Whether the text names no other encoding than UTF-8, and its document type neither declares anything nor quotes
  /// what this reader and Foundation's could tell apart differently.
  private(set) var isPlain = true

  init(_ bytes: [UInt8]) {
    var depth = 0
    var rest = bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if rest.starts(with: "<!--".utf8) {
        rest = Self.skip(rest.dropFirst(4), past: "-->")
      } else if rest.starts(with: "<![CDATA[".utf8) {
        rest = Self.skip(rest.dropFirst(9), past: "]]>")
      } else if rest.starts(with: "<?".utf8) {
        // Foundation ends "<?>" at once inside an element, and not before the next "?>" outside.
        isPlain = isPlain && !rest.starts(with: "<?>".utf8)
        let after = Self.skip(rest.dropFirst(2), past: "?>")
        if rest.starts(with: "<?xml".utf8) { isPlain = isPlain && Self.isUTF8(rest[..<after.startIndex]) }
        rest = after
      } else if rest.starts(with: "<!".utf8) {
        let after = Self.skip(rest, past: ">")
        isPlain = isPlain && Self.isPlain(rest.dropFirst(2)[..<after.startIndex])
        rest = after
      } else {
        let after = Self.skip(rest, past: ">")
        let tag = rest[..<after.startIndex]
        if tag.starts(with: "</".utf8) {
          depth = Swift.max(depth - 1, 0)
        } else if !tag.suffix(2).starts(with: "/>".utf8) {
          depth += 1
          max = Swift.max(max, depth)
        }
        rest = after
      }
    }
  }

  private static func skip(_ bytes: ArraySlice<UInt8>, past end: String) -> ArraySlice<UInt8> {
    let end = Array(end.utf8)
    var rest = bytes
    while let start = rest.firstIndex(of: end[0]) {
      rest = rest[start...]
      if rest.starts(with: end) { return rest.dropFirst(end.count) }
      rest = rest.dropFirst()
    }
    return rest.suffix(0)
  }

  private static func isPlain(_ documentType: ArraySlice<UInt8>) -> Bool {
    let quotes = documentType.count { $0 == UInt8(ascii: "\"") }
    return quotes.isMultiple(of: 2) && !documentType.contains { "<['".utf8.contains($0) }
  }

  /// Whether an XML declaration names no encoding, or UTF-8. (UTF-16 has been made UTF-8 by then.)
  private static func isUTF8(_ declaration: ArraySlice<UInt8>) -> Bool {
    let words = String(decoding: declaration, as: UTF8.self).lowercased().split { " \t\r\n='\"?".contains($0) }
    guard let name = words.firstIndex(of: "encoding") else { return true }
    return words[words.index(after: name)...].first.map { ["utf-8", "us-ascii"].contains($0) } ?? false
  }
}
