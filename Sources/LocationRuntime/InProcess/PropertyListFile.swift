import FoundationEssentials
import LinuxIO

/// A property list from a file that nobody vouches for. Foundation's readers call themselves for each level of nesting
/// and end the process where the stack does, so that size and depth are judged before they see a byte.
package enum PropertyListFile {
  /// An Info.plist nests two or three levels; so many are still far from the end of a small thread's stack.
  static let depthMax = 64

  package struct Problem: Error, Hashable, Sendable {
    /// Such as "cannot be read (No such file or directory)", to stand after the path.
    package var text: String
  }

  /// - Parameter expected: what the file should have been, for people.
  package static func read<Content: Decodable>(
    _ type: Content.Type, from path: String, expected: String
  ) throws(Problem) -> Content {
    let file: SmallFile
    do {
      file = try SmallFile(path: path)
    } catch {
      throw Problem(text: "cannot be read (\(error.text))")
    }
    let bytes = try judged(file.bytes, expected: expected)
    do {
      return try PropertyListDecoder().decode(type, from: Data(bytes))
    } catch {
      let line = bytes.first { !isSpace($0) } == UInt8(ascii: "<") ? nil : line(in: error)
      throw Problem(text: "expected \(expected)" + (line.map { " (line \($0))" } ?? ""))
    }
  }

  /// The number in "Unexpected character ';' at line 2", which is how Foundation tells it. Of XML it always says line
  /// 1, so that it is not asked for that.
  private static func line(in error: any Error) -> Int? {
    guard case DecodingError.dataCorrupted(let context) = error, let cause = context.underlyingError else { return nil }
    let words = "\(cause)".split { !($0.isLetter || $0.isNumber) }
    return zip(words, words.dropFirst()).first { $0.0 == "line" }.flatMap { Int($0.1) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    " \t\r\n".utf8.contains(byte)
  }

  /// The bytes for the decoder, as UTF-8 where they are text.
  private static func judged(_ bytes: [UInt8], expected: String) throws(Problem) -> [UInt8] {
    if bytes.starts(with: Array("bplist".utf8)) {
      guard let list = BinaryPropertyList(bytes) else { throw Problem(text: "expected \(expected)") }
      guard list.isShallow(depthMax: depthMax) else { throw tooDeep }
      return bytes
    }
    guard let text = text(bytes) else { throw Problem(text: "expected \(expected), in UTF-8") }
    guard let root = text.first(where: { !isSpace($0) }), root == UInt8(ascii: "<") else {
      // The older format of strings files. Brackets within texts count too: which are within is for the reader to say.
      let openings = text.count { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "(") }
      guard openings <= 512 else { throw Problem(text: "has more than 512 opening brackets, which is not read") }
      return text
    }
    let depth = XMLDepth(text)
    guard depth.isPlain else {
      throw Problem(text: "expected \(expected), in UTF-8 and without declarations in its DOCTYPE")
    }
    // The plist element itself is no level of the list.
    guard depth.max <= depthMax + 1 else { throw tooDeep }
    return text
  }

  private static let tooDeep = Problem(text: "nests deeper than \(depthMax) levels, which is not read")

  /// UTF-8 without its mark, made from UTF-16 where its mark stands first; nil for what is neither.
  private static func text(_ bytes: [UInt8]) -> [UInt8]? {
    switch (bytes.first, bytes.dropFirst().first) {
    case (0xFF, 0xFE): return utf8(bytes, high: 1, low: 0)
    case (0xFE, 0xFF): return utf8(bytes, high: 0, low: 1)
    default:
      let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
      return String(validating: text, as: UTF8.self) == nil || text.contains(0) ? nil : text
    }
  }

  private static func utf8(_ bytes: [UInt8], high: Int, low: Int) -> [UInt8]? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let units = stride(from: 2, to: bytes.count, by: 2).map {
      UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + low])
    }
    guard !units.contains(0), let text = String(validating: units, as: UTF16.self) else { return nil }
    return Array(text.utf8)
  }
}
