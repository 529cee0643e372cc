import LinuxIO
import LocationEngine
import LocationRuntime

/// Where the service finds what each installed app has noted as done (`AcknowledgementFile`), in its state folder.
package struct AcknowledgementFolder: Sendable {
  private let folder: String

  package init(stateFolder: String) {
    folder = stateFolder + "/acknowledged"
  }

  /// By the bytes of the app's name, so that no name leads anywhere else.
  package func path(of app: AppIdentifier) -> String {
    let digits = Array("0123456789abcdef")
    let name = app.name.utf8.prefix(100).map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
    return "\(folder)/\(name)"
  }

  func numbers(of app: AppIdentifier) -> [UInt64] { AcknowledgementFile.numbers(at: path(of: app)) }

  /// An empty file for the app's next process.
  func begin(_ app: AppIdentifier) throws(SystemError) {
    do throws(SystemError) { try Syscalls.makeFolder(folder) } catch  where error.isThere {}
    try Syscalls.makeEmptyFile(path(of: app))
  }
}
