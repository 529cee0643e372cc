import LinuxIO
import LocationEngine
import LocationRuntime

/// Where the service finds what each installed app has noted as done (`AcknowledgementFile`), in its state folder.
package struct AcknowledgementFolder: Hashable, Sendable {
  let folder: String

  package init(stateFolder: String) {
    folder = stateFolder + "/acknowledged"
  }

  /// A file's name has 255 bytes at most, and two for each of the app's.
  private static let nameBytesMax = 100
  /// Tells a folder from the file of an app whose name ends here.
  private static let folderSign = "+"

  /// By the bytes of the app's name, so that no name leads anywhere else. Each app has a file of its own: that of a
  /// long name lies in folders for its first bytes.
  package func path(of app: AppIdentifier) -> String {
    parts(of: app).joined(separator: "/")
  }

  private func parts(of app: AppIdentifier) -> [String] {
    var parts = [folder]
    var rest = Array(app.name.utf8)[...]
    while rest.count > Self.nameBytesMax {
      parts.append(Self.digits(rest.prefix(Self.nameBytesMax)) + Self.folderSign)
      rest = rest.dropFirst(Self.nameBytesMax)
    }
    return parts + [Self.digits(rest)]
  }

  private static func digits(_ bytes: ArraySlice<UInt8>) -> String {
    let digits = Array("0123456789abcdef")
    return bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
  }

  func numbers(of app: AppIdentifier) -> [UInt64] { AcknowledgementFile.numbers(at: path(of: app)) }

  /// The app is not installed any more.
  func forget(_ app: AppIdentifier) { Syscalls.removeFile(path(of: app)) }

  /// What apps have noted that are not installed.
  func forgetAll(but installed: [AppIdentifier]) {
    forget(in: folder, but: Set(installed.map(path)))
  }

  private func forget(in folder: String, but kept: Set<String>) {
    for name in Syscalls.names(in: folder) {
      let path = "\(folder)/\(name)"
      if name.hasSuffix(Self.folderSign) {
        forget(in: path, but: kept)
      } else if !kept.contains(path) {
        Syscalls.removeFile(path)
      }
    }
  }

  /// An empty file for the app's next process.
  func begin(_ app: AppIdentifier) throws(SystemError) {
    let parts = parts(of: app)
    for count in 1..<parts.count {
      do throws(SystemError) {
        try Syscalls.makeFolder(parts.prefix(count).joined(separator: "/"))
      } catch  where error.isThere {}
    }
    try Syscalls.makeEmptyFile(path(of: app))
  }
}
