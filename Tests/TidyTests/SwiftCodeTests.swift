import Testing

@Suite("The tidy tests' own reading of Swift")
struct SwiftCodeTests {
  @Test(
    "comments and strings are blanked, code and lines stay",
    arguments: [
      ("a // try! b", "a          "),
      ("a /* b /* c */ d */ e", "a                   e"),
      ("a(\"{\") + b", "a(   ) + b"),
      ("\"x\\\"y\" + b", "       + b"),
      ("#\"a\"b\"# + c", "        + c"),
      ("\"\\(f(\")\"))\" + c", "            + c"),
      ("\"\"\"\n  \"quoted\" {\n  \"\"\" + c", "   \n            \n      + c"),
      ("#if a\n\"", "#if a\n "),
    ])
  func masking(source: String, expected: String) {
    #expect(SwiftCode(masking: source).text == expected)
  }

  @Test("a function is as long as the lines from its keyword to its closing brace")
  func lengths() {
    let source = """
      struct S {
        init() {
          a()
        }
        func one() { let b = "}" }
        mutating func two<T>(
          _ t: T, then: () -> Void = { }
        ) -> [Int]
        where T: P {
          if a { b() } // }
          func inner() {
          }
        }
        deinit {
        }
      }
      """
    #expect(
      SwiftCode(masking: source).functionLengths == [
        FunctionLength(name: "init", line: 2, lines: 3),
        FunctionLength(name: "one", line: 5, lines: 1),
        FunctionLength(name: "two", line: 6, lines: 8),
        FunctionLength(name: "inner", line: 11, lines: 2),
        FunctionLength(name: "deinit", line: 14, lines: 2),
      ])
  }

  @Test("requirements of a protocol and calls of an initializer have no body")
  func bodiless() {
    let source = """
      protocol P {
        func one()
        init(a: Int)
        func two(b: [Int]) -> Int
        var c: Int { get }
      }
      let x = (S.init, map(S.init), .init(a: 1))
      func last() {
        self.init(a: 1)
      }
      """
    #expect(SwiftCode(masking: source).functionLengths == [FunctionLength(name: "last", line: 8, lines: 3)])
  }
}
