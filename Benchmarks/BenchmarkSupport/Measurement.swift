import Glibc

/// What a run cost and what it computed. Rates come from processor time (user and system), so that other work on the
/// machine disturbs them little.
package enum Measurement {
  /// Processor seconds of this process so far.
  package static func processSeconds() -> Double {
    seconds(of: RUSAGE_SELF.rawValue)
  }

  /// Processor seconds of all child processes that have ended and been waited for.
  package static func childSeconds() -> Double {
    seconds(of: RUSAGE_CHILDREN.rawValue)
  }

  /// The most memory that this process has held so far, in bytes; nil where the kernel does not say.
  package static func peakMemoryBytes() -> Int? {
    memoryBytes(ofProcess: "self")
  }

  package static func memoryBytes(ofProcess process: String) -> Int? {
    guard let file = fopen("/proc/\(process)/status", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      if text.hasPrefix("VmHWM:"), let kilobytes = text.split(whereSeparator: \.isWhitespace).dropFirst().first {
        return Int(kilobytes).map { $0 * 1024 }
      }
    }
    return nil
  }

  package static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let middle = sorted.dropFirst(sorted.count / 2).first else { return .nan }
    return middle
  }

  private static func seconds(of who: Int32) -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(who), &usage)
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) * 1e-6
  }
}

/// FNV-1a over the bits of the results: two runs that print the same value computed the same.
package struct ResultHash {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  @inline(__always)
  package mutating func add(_ bits: UInt64) {
    value = (value ^ bits) &* 0x100_0000_01b3
  }

  @inline(__always)
  package mutating func add(_ number: Double) {
    add(number.bitPattern)
  }

  package var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A number with a given count of decimals.
package func decimals(_ number: Double, _ count: Int) -> String {
  var text = [CChar](repeating: 0, count: 64)
  withVaList([Int32(count), number]) { _ = vsnprintf(&text, text.count, "%.*f", $0) }
  return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
}
