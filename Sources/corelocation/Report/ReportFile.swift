import LinuxIO
import LocationRuntime

/// Where a report is written: a new file, or the place of an earlier report. Nothing else is overwritten: what a
/// command reads, where its results go, and what somebody else wrote stay as they are, and pipes, links and devices
/// what they are.
struct ReportFile {
  /// What a command reads, and by what it was named.
  typealias Input = (name: String, path: String)

  private static let expected = "expected a new file, or an earlier report"
  /// Stands near the beginning of each page, by which a report is known again.
  private static let mark = "<meta name=\"generator\" content=\"corelocation "
  private static let markBytesMax = 512

  let path: String

  /// Looks whether the page can be written, before there is one.
  init(path: String, inputs: [Input]) throws(CommandFailure) {
    guard path != "-" else {
      throw .wrongUsage("option --report: expected a file, found \"-\": standard output holds the results")
    }
    self.path = path
    try refuseWhatIsInUse(inputs)
    try refuseWhatIsThere()
    try tryToWriteBeside()
  }

  /// - Parameter page: must hold `ReportFile.generator` in its head.
  func write(_ page: String) throws(CommandFailure) {
    // Playing took its time, and somebody else may have put something here.
    try refuseWhatIsThere()
    do throws(PrivateFile.Failure) {
      try PrivateFile.replace(path, with: Array(page.utf8))
    } catch {
      throw unwritable(SystemError(call: "replace", number: error.code))
    }
  }

  /// Makes a page known as a report.
  static let generator = HTML.element(
    "meta", ["name": "generator", "content": "corelocation \(CommandLineProgram.version)"])

  private func unwritable(_ error: SystemError) -> CommandFailure {
    .failed("the report \(path) cannot be written: \(error.text)")
  }

  /// By device and number, so that another name of the same file does not hide it.
  private func refuseWhatIsInUse(_ inputs: [Input]) throws(CommandFailure) {
    guard let own = try? FileStatus(path: path, followsLink: true) else { return }
    func isOwn(_ path: String) -> Bool {
      (try? FileStatus(path: path, followsLink: true)).map(own.isSameFile) ?? false
    }
    if let input = inputs.first(where: { isOwn($0.path) }) {
      throw .wrongUsage(
        "option --report: expected a file of its own, found \"\(path)\", which \(input.name) names, too")
    }
    guard own.isRegular else { return }
    for (descriptor, name) in [(1, "standard output"), (2, "standard error")] where isOwn("/proc/self/fd/\(descriptor)")
    {
      throw .wrongUsage("option --report: expected a file of its own, found \"\(path)\", where \(name) goes")
    }
  }

  private func refuseWhatIsThere() throws(CommandFailure) {
    let status: FileStatus
    let beginning: [UInt8]
    do throws(SystemError) {
      guard let there = try Syscalls.status(ofName: path) else { return }
      status = there
      beginning = status.isRegular ? try Syscalls.firstBytes(of: path, countMax: Self.markBytesMax) : []
    } catch {
      throw unwritable(error)
    }
    guard status.isRegular else { throw .failed("\(path) is \(status.kindWords); \(Self.expected)") }
    guard beginning.isEmpty || String(decoding: beginning, as: UTF8.self).contains(Self.mark) else {
      throw .failed("\(path) is there and no report of this program; \(Self.expected)")
    }
  }

  /// The page is made beside the file and then takes its place: whether there is room and leave for that is known only
  /// once it was tried.
  private func tryToWriteBeside() throws(CommandFailure) {
    let beside = "\(path).\(Syscalls.processNumber).0.new"
    do throws(SystemError) {
      try Syscalls.createPrivateFile(beside)
    } catch {
      throw unwritable(error)
    }
    try? PrivateFile.remove(beside)
  }
}

extension FileStatus {
  /// Of what is no regular file, for people.
  fileprivate var kindWords: String {
    if isFolder { return "a folder" }
    if isSocket { return "a socket" }
    return isLink ? "a link" : "a pipe or a device"
  }
}
