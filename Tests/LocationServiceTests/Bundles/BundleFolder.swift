import Foundation
import Glibc

/// A folder with bundles, which go with the test.
final class BundleFolder {
  let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  /// Without links, as a bundle's path is.
  var path: String { URL(fileURLWithPath: temporary.path).resolvingSymlinksInPath().path }

  /// - Parameters:
  ///   - keys: the Info.plist's content, XML between the tags of its dictionary.
  ///   - plist: where it stands in the bundle.
  ///   - program: where the program stands; nil for none.
  /// - Returns: the bundle's path.
  @discardableResult
  func make(
    _ name: String = "Walk.app", identifier: String? = "org.example.walk", keys: String = "",
    plist: String = "Info.plist", program: String? = "Walk", text: String = "\u{7F}ELF and so on"
  ) throws -> String {
    let own = identifier.map { "<key>CFBundleIdentifier</key><string>\($0)</string>" } ?? ""
    try temporary.write("<plist version=\"1.0\"><dict>\(own)\(keys)</dict></plist>\n", to: "\(name)/\(plist)")
    if let program { chmod(try temporary.write(text, to: "\(name)/\(program)"), 0o755) }
    return "\(path)/\(name)"
  }
}
