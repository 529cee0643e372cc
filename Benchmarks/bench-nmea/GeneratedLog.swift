import BenchmarkSupport

/// Draws the log of a moving receiver from a seed: the mix of sentences of real logs (56 % GSV, 15 % GSA, 8 % GGA, 8 %
/// VTG, 7.5 % RMC, 3 % GLL, the rest GST, ZDA and a manufacturer's own), about 61 bytes a sentence, one cycle a second.
struct GeneratedLog {
  private(set) var bytes: [UInt8] = []
  private(set) var sentenceCount = 0
  private(set) var fixCount = 0
  private var state: UInt64

  init(seed: UInt64, byteCount: Int) {
    state = seed
    bytes.reserveCapacity(byteCount + 2000)
    while bytes.count < byteCount {
      addCycle(second: fixCount)
      fixCount += 1
    }
  }

  /// SplitMix64.
  private mutating func next(below limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ (word >> 31)) % UInt64(limit))
  }

  private mutating func addCycle(second: Int) {
    let time = two(second / 3600 % 24) + two(second / 60 % 60) + two(second % 60) + ".00"
    let days = second / 86_400
    let date = two(1 + days % 28) + two(1 + days / 28 % 12) + "26"
    let place =
      "47" + two(next(below: 60)) + "." + five(next(below: 100_000)) + ",N,019" + two(next(below: 60)) + "."
      + five(next(below: 100_000)) + ",E"
    let speed = "\(next(below: 60)).\(three(next(below: 1000)))"
    let course = "\(next(below: 360)).\(two(next(below: 100)))"
    let dilution = "\(1 + next(below: 2)).\(two(next(below: 100)))"
    if second % 16 != 0 { add("GNRMC,\(time),A,\(place),\(speed),\(course),\(date),,,A") }
    add("GNVTG,\(course),T,,M,\(speed),N,\(next(below: 111)).\(three(next(below: 1000))),K,A")
    add("GNGGA,\(time),\(place),1,12,\(dilution),\(100 + next(below: 900)).\(next(below: 10)),M,39.6,M,,")
    for talker in ["GP", "GL"] {
      let used = (1...10).map { _ in two(1 + next(below: 32)) }.joined(separator: ",")
      add("\(talker)GSA,A,3,\(used),,,2.\(two(next(below: 100))),\(dilution),1.\(two(next(below: 100)))")
    }
    addSky("GP", sentenceCount: 4)
    addSky("GL", sentenceCount: 3)
    if second % 5 < 2 { add("GNGLL,\(place),\(time),A,A") }
    if second % 8 == 0 { add("GNGST,\(time),8.2,,,,3.\(next(below: 10)),2.\(next(below: 10)),5.\(next(below: 10))") }
    if second % 8 == 1 { add("GNZDA,\(time),\(date.prefix(2)),\(date.dropFirst(2).prefix(2)),2026,00,00") }
    if second % 16 == 2 { add("PSTI,00,2,0,\(next(below: 100)),,,\(next(below: 1000))") }
  }

  private mutating func addSky(_ talker: String, sentenceCount: Int) {
    for number in 1...sentenceCount {
      var text = "\(talker)GSV,\(sentenceCount),\(number),\(two(sentenceCount * 4))"
      for index in 0..<4 {
        let satellite = (talker == "GL" ? 64 : 0) + number * 4 - 3 + index
        text += ",\(two(satellite)),\(two(next(below: 91))),\(three(next(below: 360))),"
        if next(below: 4) > 0 { text += two(15 + next(below: 36)) }
      }
      add(text)
    }
  }

  private mutating func add(_ text: String) {
    var sum: UInt8 = 0
    for byte in text.utf8 { sum ^= byte }
    let digits = String(sum, radix: 16, uppercase: true)
    bytes.append(UInt8(ascii: "$"))
    bytes.append(contentsOf: text.utf8)
    bytes.append(contentsOf: "*\(digits.count == 1 ? "0" : "")\(digits)\r\n".utf8)
    sentenceCount += 1
  }

  private func two(_ number: Int) -> String { padded(number, 2) }
  private func three(_ number: Int) -> String { padded(number, 3) }
  private func five(_ number: Int) -> String { padded(number, 5) }

  private func padded(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
