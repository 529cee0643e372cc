import LocationFormats
import Testing

@Suite("Decimal numbers")
struct DecimalNumberTests {
  @Test(
    "a number is the double nearest to what is written (bit patterns from CPython's float())",
    arguments: [
      ("35.780332647264004", 0x4041_E3E1_F0B0_0000), ("-121.32986694574356", 0xC05E_551C_8A40_0000),
      ("0.0342948235267376", 0x3FA1_8F17_52F0_590C), ("179.99999999999999", 0x4066_8000_0000_0000),
      ("9007199254740993", 0x4340_0000_0000_0000), ("9007199254740993.0", 0x4340_0000_0000_0000),
      ("1.7976931348623157e308", 0x7FEF_FFFF_FFFF_FFFF), ("4.9e-324", 0x0000_0000_0000_0001),
      ("2.2250738585072011e-308", 0x000F_FFFF_FFFF_FFFF), ("0.1", 0x3FB9_9999_9999_999A),
      ("123456789.123456789", 0x419D_6F34_547E_6B75), ("8.5e-7", 0x3EAC_8571_C468_7A3D),
      ("1234567890123456789", 0x43B1_2210_F47D_E981),
      ("0.000000000000000000123", 0x3C02_26CF_01AA_093E),
      ("90.000000000000000000001", 0x4056_8000_0000_0000),
      ("12345678901234567890123", 0x4484_EA15_B273_B38A), ("1e22", 0x4480_F0CF_064D_D592),
      ("1e23", 0x44B5_2D02_C7E1_4AF6), ("-0", 0x8000_0000_0000_0000),
      ("9223372036854775807e-19", 0x3FED_83C9_4FB6_D2AC),
      ("18446744073709551615e-19", 0x3FFD_83C9_4FB6_D2AC),
    ] as [(String, UInt64)])
  func isNearest(text: String, bits: UInt64) {
    #expect(DecimalNumber.parse(text)?.bitPattern == bits)
  }

  @Test(
    "forms that people and programs write",
    arguments: [
      ("47.5", 47.5), ("+47.5", 47.5), (" \t47.5\r\n", 47.5), (".5", 0.5), ("5.", 5), ("1e2", 100), ("1E+2", 100),
      ("-1e-2", -0.01), ("007", 7), ("1e-400", 0),
    ])
  func accepts(text: String, value: Double) {
    #expect(DecimalNumber.parse(text) == value)
  }

  @Test(
    "what is no decimal number is refused",
    arguments: [
      "", " ", "-", ".", "+.", "e5", "1e", "1e+", "nan", "NaN", "inf", "-Infinity", "0x1p3", "0x10", "1,5", "1_000",
      "1 000", "1.2.3", "12abc", "1e999", "--1", "1-", "\u{0}1", "1\u{0}2", "٤٧", "undefined",
      String(repeating: "1", count: 256),
    ])
  func refuses(text: String) {
    #expect(DecimalNumber.parse(text) == nil)
  }

  @Test("one comma stands for the dot where that is allowed, and only one (GX-05)")
  func comma() {
    #expect(DecimalNumber.parse("47,5", acceptsComma: true) == 47.5)
    #expect(DecimalNumber.parse("-0,0342948235267376", acceptsComma: true) == -0.0342948235267376)
    #expect(DecimalNumber.parse("0,00000000000000000012345", acceptsComma: true) == 0.00000000000000000012345)
    for text in ["1,234.5", "1.234,5", "1,2,3", ","] {
      #expect(DecimalNumber.parse(text, acceptsComma: true) == nil)
    }
  }

  @Test("random decimals of 1 to 22 digits are what the standard library makes of them")
  func randomDecimals() {
    let seed: UInt64 = 20_260_601
    var random = SeededNumbers(seed: seed)
    for _ in 0..<20_000 {
      var text = random.next(below: 2) == 0 ? "-" : ""
      let digits = 1 + random.next(below: 22)
      let point = random.next(below: digits + 1)
      for index in 0..<digits {
        if index == point { text += "." }
        text += String(random.next(below: 10))
      }
      if random.next(below: 4) == 0 { text += "e\(random.next(below: 50) - 25)" }
      #expect(DecimalNumber.parse(text)?.bitPattern == Double(text)?.bitPattern, "seed \(seed), \(text)")
    }
  }
}

/// The same numbers for the same seed: SplitMix64.
struct SeededNumbers {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  mutating func next(below bound: Int) -> Int {
    Int(next() % UInt64(bound))
  }
}
