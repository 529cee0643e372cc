/// How much is read of what anybody may send: a flood of datagrams is left to the kernel, which drops it, and costs
/// this program little.
struct DatagramAllowance: Sendable {
  /// 128 KiB a second: ten serial ports at their fastest.
  static let bytesPerSecond = 1 << 17
  /// What each datagram costs besides its bytes.
  static let bytesPerDatagram = 64
  private static let second: Int64 = 1_000_000_000

  private var begin: Int64?
  private var byteCount = 0

  /// A datagram of so many bytes was read; the time is that of a clock that nobody sets. Gives how long nothing is to
  /// be read, 0 mostly.
  mutating func restMilliseconds(afterReading count: Int, atNanoseconds now: Int64) -> Int32 {
    let count = count + Self.bytesPerDatagram
    guard let begin, now - begin < Self.second, now >= begin else {
      self.begin = now
      byteCount = count
      return 0
    }
    byteCount += count
    guard byteCount >= Self.bytesPerSecond else { return 0 }
    return Int32((Self.second - (now - begin)) / 1_000_000) + 1
  }
}
