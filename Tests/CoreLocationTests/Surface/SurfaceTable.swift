import Foundation

/// One line of `surface.tsv`: a name that an app may use.
struct SurfaceRow: CustomStringConvertible {
  let owner: String
  let kind: String
  let name: String
  let declaration: String

  var path: String { owner == "-" ? name : "\(owner).\(name)" }

  var description: String { "\(path): \(declaration)" }

  /// The symbol graph leaves out names that begin with an underscore, and what only the compiler writes.
  var isInvisibleToSymbolGraph: Bool {
    owner.hasPrefix("_") || name.hasPrefix("_") || name == "init(_nsError:)"
      || name == "unownedExecutor"
  }
}

/// The tables beside this file.
enum SurfaceTable {
  static func applicable() throws -> [SurfaceRow] {
    try lines(of: "surface.tsv").map {
      SurfaceRow(owner: $0[0], kind: $0[1], name: $0[2], declaration: $0[3])
    }
  }

  static func excludedCount() throws -> Int {
    try lines(of: "surface-excluded.tsv").count
  }

  private static func lines(of file: String) throws -> [[String]] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst()
    return try lines.map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 4 else { throw SurfaceFailure("\(file): four fields expected: \(line)") }
      return fields
    }
  }
}

/// Why the surface could not be measured.
struct SurfaceFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
