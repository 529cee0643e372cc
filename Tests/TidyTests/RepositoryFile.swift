import Foundation
import Testing

/// A text file of this checkout.
struct RepositoryFile: Sendable, CustomTestStringConvertible {
  /// From the root of the checkout, with slashes.
  var path: String
  var text: String

  var testDescription: String { path }

  var name: String { String(path.split(separator: "/").last ?? "") }

  /// The name without what follows its last dot.
  var stem: String { String(name.split(separator: ".").first ?? "") }

  /// Without the empty piece after the last newline.
  var lines: [Substring] {
    let pieces = text.split(separator: "\n", omittingEmptySubsequences: false)
    return pieces.last == "" ? Array(pieces.dropLast()) : pieces
  }

  /// The folder of the target below `Sources` or `Tests`: `LocationEngine` for `Sources/LocationEngine/Input.swift`.
  var target: String? {
    let pieces = path.split(separator: "/")
    return pieces.count > 2 ? String(pieces[1]) : nil
  }
}

extension RepositoryFile {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What a person writes, by the end of the name; recordings, tables and pictures are not text in this sense.
  static let textExtensions: Set<String> = [
    "swift", "c", "cpp", "h", "modulemap", "md", "json", "plist", "sh",
  ]

  /// Every text file in the given folders, in the order of their paths; folders that begin with a dot are left out.
  static func all(in folders: [String], extensions: Set<String> = textExtensions) throws -> [RepositoryFile] {
    var files: [RepositoryFile] = []
    for folder in folders {
      let url = root.appendingPathComponent(folder)
      guard
        let listing = FileManager.default.enumerator(
          at: url, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
      else { continue }
      for case let file as URL in listing where extensions.contains(file.pathExtension) {
        let path = file.standardizedFileURL.path.dropFirst(root.standardizedFileURL.path.count + 1)
        files.append(RepositoryFile(path: String(path), text: try String(contentsOf: file, encoding: .utf8)))
      }
    }
    return files.sorted { $0.path < $1.path }
  }

  static func named(_ path: String) throws -> RepositoryFile {
    let url = root.appendingPathComponent(path)
    return RepositoryFile(path: path, text: try String(contentsOf: url, encoding: .utf8))
  }
}
