import Dispatch

/// The machine's radios and whether each is blocked, by a switch or by a program (the kernel's rfkill).
///
/// `/dev/rfkill` tells every radio when it is opened, and each change after it; where it may not be opened, the state
/// is read from `/sys/class/rfkill`, again whenever its files are seen to change. The kernel itself writes them without
/// a word to those who watch them, so that this hears programs, not hardware switches. Belongs to its serial queue,
/// except for `isEveryRadioBlocked`.
package final class RadioSwitches: @unchecked Sendable {
  /// A machine without radios is not in airplane mode.
  package static func isEveryRadioBlocked(_ radios: some Collection<Bool>) -> Bool {
    !radios.isEmpty && radios.allSatisfy { $0 }
  }

  /// An event is 8 bytes; newer kernels give a ninth where it is asked for: the radio's number, its type, what
  /// happened, and the two blocks (the kernel's rfkill.h).
  private static let eventBytes = 8
  private static let deleted: UInt8 = 1
  /// More radios than any machine has.
  private static let radiosMax = 256

  private let changed: () -> Void
  private let state = Locked<[UInt32: Bool]>([:])
  private var source: (any DispatchSourceRead)?
  /// Of the folder and of each radio in it, where the device may not be opened.
  private var watches: [FolderWatch] = []

  /// - Parameters:
  ///   - device: `/dev/rfkill`, or what speaks like it.
  ///   - folder: `/sys/class/rfkill`, or one like it.
  ///   - changed: is called on the queue when a radio was blocked, freed, added or taken away.
  package init(device: String, folder: String, queue: DispatchQueue, changed: @escaping () -> Void) {
    self.changed = changed
    guard let number = try? Syscalls.openForReadingAtOnce(device) else {
      readAndWatch(folder, queue)
      return
    }
    let descriptor = FileDescriptor(number)
    _ = readEvents(descriptor.number)
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
    source.setEventHandler { [weak self] in self?.canRead(descriptor.number) }
    source.setCancelHandler { withExtendedLifetime(descriptor) {} }
    source.activate()
    self.source = source
  }

  deinit { source?.cancel() }

  /// From any thread.
  package var isEveryRadioBlocked: Bool { state.withLock { Self.isEveryRadioBlocked($0.values) } }

  package var count: Int { state.withLock { $0.count } }

  /// Watched first and read then, so that nothing that happens in between is lost.
  private func readAndWatch(_ folder: String, _ queue: DispatchQueue) {
    let folders = [folder] + Syscalls.names(in: folder).sorted().prefix(Self.radiosMax).map { "\(folder)/\($0)" }
    watches = folders.compactMap { watched in
      try? FolderWatch(
        folder: watched, queue: queue, hearsWrites: true,
        matches: { watched == folder || $0 == "soft" || $0 == "hard" },
        changed: { [weak self] in self?.folderChanged(folder, queue) })
    }
    state.withLock { $0 = Self.read(folder: folder) }
  }

  private func folderChanged(_ folder: String, _ queue: DispatchQueue) {
    let before = isEveryRadioBlocked
    readAndWatch(folder, queue)
    if isEveryRadioBlocked != before { changed() }
  }

  private func canRead(_ file: Int32) {
    let before = isEveryRadioBlocked
    // Its end would be told again and again.
    if !readEvents(file) { source?.cancel() }
    if isEveryRadioBlocked != before { changed() }
  }

  /// What is there; false at the end.
  private func readEvents(_ file: Int32) -> Bool {
    var event = [UInt8](repeating: 0, count: Self.eventBytes)
    while true {
      do {
        let count = try event.withUnsafeMutableBytes { try Syscalls.readAvailable(file, into: $0) }
        guard let count else { return true }
        guard count == Self.eventBytes else { return false }
      } catch {
        return false
      }
      take(event)
    }
  }

  private func take(_ event: [UInt8]) {
    let number = event[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    state.withLock { radios in
      if event[5] == Self.deleted {
        radios[number] = nil
      } else if radios[number] != nil || radios.count < Self.radiosMax {
        radios[number] = event[6] != 0 || event[7] != 0
      }
    }
  }

  private static func read(folder: String) -> [UInt32: Bool] {
    var radios: [UInt32: Bool] = [:]
    for (number, name) in Syscalls.names(in: folder).sorted().prefix(radiosMax).enumerated() {
      let blocks = ["soft", "hard"].compactMap { firstByte(of: "\(folder)/\(name)/\($0)") }
      if !blocks.isEmpty { radios[UInt32(number)] = blocks.contains { $0 != UInt8(ascii: "0") } }
    }
    return radios
  }

  /// What blocks the radios of a kind, such as `bluetooth`, as the folder shows it now.
  package static func blocks(ofKind kind: String, folder: String) -> (bySoftware: Bool, byHardware: Bool) {
    var blocks = (bySoftware: false, byHardware: false)
    for name in Syscalls.names(in: folder).sorted().prefix(radiosMax) {
      let radio = "\(folder)/\(name)"
      guard let file = try? SmallFile(path: "\(radio)/type", bytesMax: 64), file.bytes.starts(with: Array(kind.utf8)),
        file.bytes.dropFirst(kind.utf8.count).allSatisfy({ $0 == UInt8(ascii: "\n") })
      else { continue }
      if firstByte(of: "\(radio)/soft") == UInt8(ascii: "1") { blocks.bySoftware = true }
      if firstByte(of: "\(radio)/hard") == UInt8(ascii: "1") { blocks.byHardware = true }
    }
    return blocks
  }

  private static func firstByte(of path: String) -> UInt8? {
    guard InputFile.isRegular(path: path), let file = try? InputFile(path: path) else { return nil }
    var byte: [UInt8] = [0]
    let count = byte.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
    return count == 1 ? byte[0] : nil
  }
}
