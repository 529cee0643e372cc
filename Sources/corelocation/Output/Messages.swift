import Glibc
import LinuxIO
import LocationFormats

/// Everything for a person that is no result: standard error, so that standard output stays for programs.
enum Messages {
  /// Longer than any of this program's own.
  private static let scalarsMax = 4_000

  /// One message in one line, with the program's name before it. What a file, an argument or a device brought into it
  /// can neither rewrite the terminal nor pass for a line of its own.
  ///
  /// - Parameter hint: a second line, of this program's own words.
  static func say(_ sentence: String, hint: String? = nil) {
    LiveTable.leaveCurrent()
    let text = PrintableText.escaped(sentence, scalarsMax: scalarsMax)
    write("corelocation: \(text)\n" + (hint.map { "\($0)\n" } ?? ""))
  }

  /// The same, but only the first time in this run: a journey that is played several times has the same to say each
  /// time.
  static func sayOnce(_ sentence: String) {
    if said.withLock({ $0.insert(sentence).inserted }) { say(sentence) }
  }

  private static let said = Locked<Set<String>>([])

  /// `sayOnce` for hosts, which take a function.
  static let logOnce: @Sendable (String) -> Void = { sayOnce($0) }

  /// `say` for hosts, which take a function.
  static let log: @Sendable (String) -> Void = { say($0) }

  /// Whether a person watches progress: standard error is a terminal, and results do not run over it.
  static let showsProgress = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 0

  /// A line that the next one, or `endProgress`, overwrites.
  static func progress(_ text: String) {
    write("\r\u{1B}[K\(text)")
  }

  static func endProgress() {
    if showsProgress { write("\r\u{1B}[K") }
  }

  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    // Nobody can be told that telling failed.
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
