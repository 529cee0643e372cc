import LinuxIO

/// What the kernel says of one process, as far as an identity is made of it.
struct ProcessFacts: Hashable {
  var number: Int32
  var startTicks: UInt64
  var status: ProcessText.Status
  /// Without the mark of a file that has been replaced since.
  var executablePath: String
  var executableFile: FileStatus
  var controlGroup: ControlGroup
  var label: SecurityLabel
  /// The folder that the process sees as root, as this process names it.
  var rootPath: String
  var hasOwnMounts: Bool
  var hasOwnUsers: Bool
  var flatpak: FlatpakMark

  /// What Flatpak's file in the root of a sandbox says.
  enum FlatpakMark: Hashable {
    case absent
    /// There is one that may not be read, or that names no application.
    case nameless
    case named(FlatpakInfo)
  }
}

/// Reads processes from `/proc`, or from a folder laid out like it.
package struct ProcessReader: Sendable {
  package var procRoot: String
  /// The namespaces of the machine: of its first process where that may be seen, else of this one.
  private let machineMounts: String?
  private let machineUsers: String?

  package init(procRoot: String = "/proc") {
    self.procRoot = procRoot
    machineMounts = Self.machineNamespace("mnt", procRoot: procRoot)
    machineUsers = Self.machineNamespace("user", procRoot: procRoot)
  }

  /// A service with folders of its own (as its hardened unit gives it) must not take these for the machine's.
  private static func machineNamespace(_ kind: String, procRoot: String) -> String? {
    let first = try? FileStatus.target(ofLink: "\(procRoot)/1/ns/\(kind)")
    return first ?? (try? FileStatus.target(ofLink: "\(procRoot)/self/ns/\(kind)"))
  }

  func startTicks(of number: Int32) throws(PeerIdentityError) -> UInt64 {
    let text = try text("stat", of: number)
    guard let ticks = ProcessText.startTicks(stat: text) else {
      throw .damaged(path: path("stat", of: number), expected: "22 fields or more, as proc(5) has them")
    }
    return ticks
  }

  /// Where the program's link leads, word for word.
  func executableLink(of number: Int32) throws(PeerIdentityError) -> String {
    try target("exe", of: number)
  }

  func facts(of number: Int32) throws(PeerIdentityError) -> ProcessFacts {
    let startTicks = try startTicks(of: number)
    guard let status = ProcessText.status(try text("status", of: number)) else {
      throw .damaged(path: path("status", of: number), expected: "a line Uid: with four numbers")
    }
    let hasOwnMounts = try target("ns/mnt", of: number) != machineMounts
    let hasOwnUsers = try target("ns/user", of: number) != machineUsers
    let program = try program(of: number, hasOwnMounts: hasOwnMounts)
    return ProcessFacts(
      number: number, startTicks: startTicks, status: status, executablePath: program.path,
      executableFile: program.file, controlGroup: ControlGroup(text: try text("cgroup", of: number)),
      label: try label(of: number), rootPath: try target("root", of: number), hasOwnMounts: hasOwnMounts,
      hasOwnUsers: hasOwnUsers, flatpak: hasOwnMounts ? flatpakMark(of: number) : .absent)
  }

  /// The folder to look for what a process names.
  func rootPrefix(of number: Int32, hasOwnMounts: Bool) -> String {
    hasOwnMounts ? path("root", of: number) : ""
  }

  // MARK: The program

  private func program(
    of number: Int32, hasOwnMounts: Bool
  ) throws(PeerIdentityError) -> (path: String, file: FileStatus) {
    let link = try executableLink(of: number)
    guard link.hasPrefix("/"), !link.hasPrefix("/memfd:") else {
      throw .programWithoutFile(processNumber: number, link: link)
    }
    guard link.unicodeScalars.allSatisfy(Self.isShowable) else { throw .unshowablePath(number) }
    let file: FileStatus
    do {
      file = try FileStatus(path: path("exe", of: number), followsLink: true)
    } catch {
      throw failure("exe", of: number, error)
    }
    let named = rootPrefix(of: number, hasOwnMounts: hasOwnMounts) + link
    if link.hasSuffix(Self.replacedMark),
      (try? FileStatus(path: named, followsLink: false))?.isSameFile(as: file) != true
    {
      return (String(link.dropLast(Self.replacedMark.count)), file)
    }
    return (link, file)
  }

  /// The kernel's mark of a program whose name is gone or leads to another file, as after an update.
  private static let replacedMark = " (deleted)"

  /// Names are shown in questions and lists: control characters and turned writing could make them look like others,
  /// and bytes that are no text all look alike.
  private static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: scalar != "\u{FFFD}"
    }
  }

  // MARK: Confinement

  private func label(of number: Int32) throws(PeerIdentityError) -> SecurityLabel {
    for name in ["attr/apparmor/current", "attr/current"] {
      do throws(SmallFile.Failure) {
        return SecurityLabel(text: try contents(name, of: number))
      } catch {
        // EINVAL is what the kernel answers where no module gives labels.
        if error.isMissing || error == .system(SystemError(call: "read", number: Self.invalid)) { continue }
        throw failure(name, of: number, error)
      }
    }
    return .none
  }

  private static let invalid: Int32 = 22

  /// Only looked for where a process has folders of its own, as every Flatpak has: a file of that name in the root of
  /// the machine means nothing.
  private func flatpakMark(of number: Int32) -> ProcessFacts.FlatpakMark {
    do throws(SmallFile.Failure) {
      // Never through a link: the folder is of the process's making.
      let file = try SmallFile(path: path("root/.flatpak-info", of: number), bytesMax: 65_536, followsLink: false)
      return FlatpakInfo(text: String(decoding: file.bytes, as: UTF8.self)).map { .named($0) } ?? .nameless
    } catch {
      let isThere = (try? FileStatus(path: path("root/.flatpak-info", of: number), followsLink: false)) != nil
      return isThere ? .nameless : .absent
    }
  }

  // MARK: Reading

  private func path(_ name: String, of number: Int32) -> String { "\(procRoot)/\(number)/\(name)" }

  private func contents(_ name: String, of number: Int32) throws(SmallFile.Failure) -> String {
    String(decoding: try SmallFile(path: path(name, of: number)).bytes, as: UTF8.self)
  }

  private func text(_ name: String, of number: Int32) throws(PeerIdentityError) -> String {
    do {
      return try contents(name, of: number)
    } catch {
      throw failure(name, of: number, error)
    }
  }

  private func target(_ name: String, of number: Int32) throws(PeerIdentityError) -> String {
    do {
      return try FileStatus.target(ofLink: path(name, of: number))
    } catch {
      throw failure(name, of: number, error)
    }
  }

  private func failure(_ name: String, of number: Int32, _ error: SmallFile.Failure) -> PeerIdentityError {
    if case .system(let error) = error { return failure(name, of: number, error) }
    return .unreadable(path: path(name, of: number), reason: error.text)
  }

  private func failure(_ name: String, of number: Int32, _ error: SystemError) -> PeerIdentityError {
    error.isMissing || error.isNoProcess
      ? .processEnded(number) : .unreadable(path: path(name, of: number), reason: error.text)
  }
}
