import Glibc

/// What a path names.
package enum FileKind: Hashable, Sendable {
  case regular
  case directory
  case characterDevice
  case pipe
  case other
}

extension Syscalls {
  /// Nil where there is no such file, or none that may be looked at.
  package static func kind(of path: String) -> FileKind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .regular
    case S_IFDIR: .directory
    case S_IFCHR: .characterDevice
    case S_IFIFO: .pipe
    default: .other
    }
  }

  /// Of a character device: what its driver is numbered, and which of its devices this is.
  static func deviceNumbers(of path: String) -> (major: UInt32, minor: UInt32)? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    // As the C library writes both into one number, which its own macros take apart.
    let number = UInt64(status.st_rdev)
    let major = (number >> 8) & 0xFFF | (number >> 32) & 0xFFFF_F000
    let minor = number & 0xFF | (number >> 12) & 0xFFFF_FF00
    return (UInt32(major), UInt32(minor))
  }

  /// The path, and what each link on the way to its file names instead, whether or not that is there.
  package static func namesLeading(to path: String) -> [String] {
    var names = [path]
    while names.count <= linksMax, let last = names.last, let target = target(ofLink: last) {
      names.append(target.hasPrefix("/") ? target : "\(FolderWatch.split(last).folder)/\(target)")
    }
    return names
  }

  /// The kernel follows no more (path_resolution(7)).
  private static let linksMax = 40

  /// Opens a device or pipe for reading without waiting. A pipe is opened for writing too, so that it does not end when
  /// a writer goes; where that is not allowed it is opened for reading alone.
  static func openDevice(_ path: String) throws(SystemError) -> Int32 {
    let flags = O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    var file = retrying { SystemFaults.fails(.open) ? -1 : open(path, O_RDWR | flags) }
    if file < 0 && (errno == EACCES || errno == EROFS || errno == EPERM) {
      file = retrying { SystemFaults.fails(.open) ? -1 : open(path, O_RDONLY | flags) }
    }
    guard file >= 0 else { throw SystemError(call: "open") }
    return file
  }

  /// Opens for reading without waiting, now or later.
  static func openForReadingAtOnce(_ path: String) throws(SystemError) -> Int32 {
    let file = retrying { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
    guard file >= 0 else { throw SystemError(call: "open") }
    return file
  }

  static func isTerminal(_ file: Int32) -> Bool {
    isatty(file) == 1
  }

  /// How large a terminal is; nil for what is none. One that does not know says 0, as for 80 columns of 24 rows.
  package static func terminalSize(_ file: Int32) -> (rows: Int, columns: Int)? {
    guard isTerminal(file) else { return nil }
    var size = winsize()
    guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return (24, 80) }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  // MARK: Serial ports

  /// Bytes as they come, 8 data bits, no parity, no modem lines, at `speed`; what came at another speed is dropped.
  static func makeRaw(_ file: Int32, speed: SerialSpeed) throws(SystemError) {
    var settings = termios()
    guard tcgetattr(file, &settings) == 0 else { throw SystemError(call: "tcgetattr") }
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL) | tcflag_t(CREAD)
    settings.c_cflag &= ~(tcflag_t(CSTOPB) | tcflag_t(HUPCL))
    guard cfsetispeed(&settings, speed.code) == 0, cfsetospeed(&settings, speed.code) == 0 else {
      throw SystemError(call: "cfsetspeed")
    }
    guard retrying({ tcsetattr(file, TCSANOW, &settings) }) == 0 else { throw SystemError(call: "tcsetattr") }
    tcflush(file, TCIFLUSH)
  }

  /// Nobody else may open the terminal from now on, or again. A refusal harms nobody.
  static func setExclusive(_ file: Int32, _ isExclusive: Bool) {
    _ = ioctl(file, UInt(isExclusive ? TIOCEXCL : TIOCNXCL))
  }

  // MARK: Folders and links

  /// The names in a folder, without the two dots; empty where it may not be read.
  package static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// The path without links; nil where it does not exist.
  package static func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  static func target(ofLink path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { readlink(path, $0.assumingMemoryBound(to: CChar.self), buffer.count) } ?? -1
    }
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  static var processIdentifier: Int32 { getpid() }

  // MARK: Watching folders

  /// The folder has gone, or so many changes came that some were lost.
  static var watchIsOver: UInt32 { UInt32(IN_IGNORED) | UInt32(IN_Q_OVERFLOW) }

  static func makeWatch(of folder: String, hearsWrites: Bool) throws(SystemError) -> Int32 {
    let file = SystemFaults.fails(.watch) ? -1 : inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard file >= 0 else { throw SystemError(call: "inotify_init1") }
    // IN_ATTRIB: rights are given to a new device after it has come.
    let writes = hearsWrites ? IN_MODIFY : 0
    let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | writes)
    guard inotify_add_watch(file, folder, mask) >= 0 else {
      let error = SystemError(call: "inotify_add_watch")
      close(file)
      throw error
    }
    return file
  }
}

/// A speed of a serial port, in baud: one of those that receivers are made for.
package enum SerialSpeed: Int, Hashable, Sendable, CaseIterable {
  case baud4800 = 4800
  case baud9600 = 9600
  case baud19200 = 19200
  case baud38400 = 38400
  case baud57600 = 57600
  case baud115200 = 115200

  var code: speed_t {
    switch self {
    case .baud4800: speed_t(B4800)
    case .baud9600: speed_t(B9600)
    case .baud19200: speed_t(B19200)
    case .baud38400: speed_t(B38400)
    case .baud57600: speed_t(B57600)
    case .baud115200: speed_t(B115200)
    }
  }
}
