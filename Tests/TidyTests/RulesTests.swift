import Testing

@Suite("The tidy tests' search for words and imports")
struct RulesTests {
  @Test(
    "a token is found as a whole word or sign, not within a longer word",
    arguments: [
      ("let a = try! b", "try!", true), ("Task { }", "Task", true), ("MyTask { }", "Task", false),
      ("TaskGroup", "Task", false), ("Tasks, Task", "Task", true), ("a.random()", ".random(", true),
      ("class!", "as!", false), ("x as! Y", "as!", true), ("", "Task", false),
    ])
  func token(line: String, token: String, expected: Bool) {
    #expect(line.containsToken(token) == expected)
  }

  @Test("every form of an import names its module")
  func imports() {
    let source = """
      import A
      @_exported import B
      @preconcurrency @testable import C
      package import D
      import struct E.F
      let important = 1
      f(import: 2)
      """
    #expect(source.importedModules == ["A", "B", "C", "D", "E"])
  }
}
