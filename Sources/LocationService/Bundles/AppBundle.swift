import LinuxIO
import LocationEngine
import LocationRuntime

/// An app as people install it: a folder `Name.app` with an Info.plist and a program.
///
/// Where they stand in it is what Foundation's `Bundle.main` finds on Linux, so that the app reads the same file:
///
/// | Info.plist | program |
/// |---|---|
/// | `Name.app/Info.plist` | `Name.app/PROGRAM` |
/// | `Name.app/Resources/Info.plist` | `Name.app/PROGRAM` |
/// | `Name.app/Contents/Info.plist` | `Name.app/Contents/Linux/PROGRAM` |
///
/// PROGRAM is `CFBundleExecutable`, else `Name`.
package struct AppBundle: Hashable, Sendable {
  /// Of the folder, without links.
  package var path: String
  /// Of the program, without links: what the kernel calls a process that runs it.
  package var executablePath: String
  /// What the app declares; its identifier is the bundle's, and it is installed.
  package var description: AppDescription
  /// `UIBackgroundModes`, all of them.
  package var backgroundModes: [String]
  /// `UIRequiredDeviceCapabilities`, in the order of the file, a dictionary's by name.
  package var requirements: [DeviceRequirement]
  /// What will not work as the Info.plist is, a sentence each. Only who reads the bundle is told.
  package var notes: [String] = []

  package init(
    path: String, executablePath: String, description: AppDescription, backgroundModes: [String] = [],
    requirements: [DeviceRequirement] = []
  ) {
    self.path = path
    self.executablePath = executablePath
    self.description = description
    self.backgroundModes = backgroundModes
    self.requirements = requirements
  }

  package static let suffix = ".app"

  /// Reads and judges a bundle.
  ///
  /// - Parameters:
  ///   - path: of the folder.
  ///   - locale: whose translation of the usage texts is taken; nil for the file's own.
  ///   - log: hears of a translation that cannot be read.
  package init(
    at path: String, locale: String? = nil, log: (String) -> Void = { _ in }
  ) throws(BundleError) {
    let folder = try Self.folder(path)
    let (plist, programFolder) = try Self.layout(of: folder)
    let info: BundleInfo
    do throws(PropertyListFile.Problem) {
      info = try PropertyListFile.read(BundleInfo.self, from: plist, expected: InfoPlist.expected)
      description = try InfoPlist.read(plist, executablePath: folder, locale: locale, log: log)
    } catch {
      throw BundleError(path: plist, problem: .unreadable(error.text))
    }
    if let problem = info.problem { throw BundleError(path: plist, problem: problem) }
    guard let identifier = info.identifier else { throw BundleError(path: plist, problem: .noIdentifier) }
    guard IdentityRules.isBundleIdentifier(identifier) else {
      throw BundleError(path: plist, problem: .wrongIdentifier(identifier))
    }
    if let problem = Self.excess(of: description, info) { throw BundleError(path: plist, problem: problem) }
    description.identifier = AppIdentifier(identifier)
    description.isInstalled = true
    self.path = folder
    requirements = info.requirements
    backgroundModes = info.backgroundModes
    notes = info.notes
    executablePath = try Self.program(
      named: info.executableName ?? Self.name(of: folder), in: programFolder, of: folder, plist: plist)
  }

  /// What the store would not take.
  private static func excess(of description: AppDescription, _ info: BundleInfo) -> BundleError.Problem? {
    let limits = StoreLimits()
    let capabilities = info.requirements.map(\.capability)
    let lists = [
      (InfoKey.temporaryUsages, description.temporaryUsages.count, limits.temporaryUsagesMax),
      (InfoKey.backgroundModes, info.backgroundModes.count, limits.bundleListMax),
      (InfoKey.requiredDeviceCapabilities, capabilities.count, limits.bundleListMax),
    ]
    for (key, count, countMax) in lists where count > countMax {
      return .longList(key: key, count: count, countMax: countMax)
    }
    var texts = [
      (InfoKey.whenInUse, description.whenInUseUsage),
      (InfoKey.alwaysAndWhenInUse, description.alwaysAndWhenInUseUsage), (InfoKey.always, description.alwaysUsage),
    ]
    texts += description.temporaryUsages.flatMap { usage in
      [usage.purposeKey, usage.text].map { (InfoKey.temporaryUsages, $0) }
    }
    texts += info.backgroundModes.map { (InfoKey.backgroundModes, $0) }
    texts += capabilities.map { (InfoKey.requiredDeviceCapabilities, $0) }
    return texts.lazy.map { key, text in (key, bytes: text?.utf8.count ?? 0) }.first { $0.bytes > limits.textBytesMax }
      .map { .longText(key: $0.0, bytes: $0.bytes, bytesMax: limits.textBytesMax) }
  }

  private static func name(of folder: String) -> String {
    let last = folder.lastIndex(of: "/").map { folder[folder.index(after: $0)...] } ?? folder[...]
    return String(last.dropLast(suffix.count))
  }

  private static func folder(_ path: String) throws(BundleError) -> String {
    let folder: String
    do {
      folder = try Syscalls.realPath(of: path)
    } catch {
      throw BundleError(path: path, problem: .notThere(error.text))
    }
    guard (try? FileStatus(path: folder, followsLink: true))?.isFolder == true, folder.hasSuffix(suffix),
      !name(of: folder).isEmpty
    else { throw BundleError(path: path, problem: .noBundle) }
    // The path is shown in lists and names the program's process: see PeerProcess.
    guard PlainText.printable(folder) == folder else { throw BundleError(path: folder, problem: .unshowablePath) }
    return folder
  }

  private static func layout(of folder: String) throws(BundleError) -> (plist: String, programFolder: String) {
    let places = [
      ("\(folder)/Info.plist", folder), ("\(folder)/Resources/Info.plist", folder),
      ("\(folder)/Contents/Info.plist", "\(folder)/Contents/Linux"),
    ]
    guard let found = places.first(where: { (try? FileStatus(path: $0.0, followsLink: true)) != nil }) else {
      throw BundleError(path: folder, problem: .noInfoPlist)
    }
    return found
  }

  /// The program has to be the bundle's own: one that a link leads out to, an interpreter among them, is other apps'
  /// program too, and each of their processes would be this app.
  private static func program(
    named name: String, in folder: String, of bundle: String, plist: String
  ) throws(BundleError) -> String {
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw BundleError(path: plist, problem: .wrongExecutableName(name))
    }
    let path = "\(folder)/\(name)"
    let real: String
    let status: FileStatus
    do {
      real = try Syscalls.realPath(of: path)
      status = try FileStatus(path: real, followsLink: true)
    } catch {
      let isForMac = (try? FileStatus(path: "\(bundle)/Contents/MacOS", followsLink: true)) != nil
      throw BundleError(path: path, problem: isForMac ? .programForMac : .noProgram(error.text))
    }
    guard real.hasPrefix(bundle + "/") else { throw BundleError(path: path, problem: .programElsewhere(real)) }
    guard status.isRegular, status.isExecutable else { throw BundleError(path: real, problem: .notExecutable) }
    guard PlainText.printable(real) == real else { throw BundleError(path: real, problem: .unshowablePath) }
    if let problem = try problem(ofProgram: real) { throw BundleError(path: real, problem: problem) }
    return real
  }

  /// The first bytes of a program file. (elf(5))
  private static let programMark = Array("\u{7F}ELF".utf8)

  /// Whatever the kernel runs through another program, as scripts are, is that other program's process.
  private static func problem(ofProgram path: String) throws(BundleError) -> BundleError.Problem? {
    let bytes: [UInt8]
    do {
      bytes = try Syscalls.firstBytes(of: path, countMax: programMark.count)
    } catch {
      throw BundleError(path: path, problem: .unreadable("cannot be read (\(error.text))"))
    }
    if bytes.starts(with: "#!".utf8) { return .script }
    return bytes == programMark ? nil : .noProgramFile(isEmpty: bytes.isEmpty)
  }
}
