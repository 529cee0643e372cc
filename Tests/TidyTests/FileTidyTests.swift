import Testing

/// The rules of CONTRIBUTING.md that a machine can watch over, file by file.
@Suite("Every file keeps the house rules")
struct FileTidyTests {
  /// Tables of values that would only be worse for being folded or split, by path.
  static let tables: Set<String> = []

  static let written = ["Sources", "Tests", "Examples", "Benchmarks", "docs"]
  static let lineLimit = 600
  static let testLineLimit = 800
  static let functionLineLimit = 70
  static let columnLimit = 120

  @Test("the checkout is found: there are sources and tests")
  func found() throws {
    #expect(try RepositoryFile.all(in: ["Sources"], extensions: ["swift"]).count > 10)
    #expect(try RepositoryFile.all(in: ["Tests"], extensions: ["swift"]).contains { $0.name == "FileTidyTests.swift" })
  }

  @Test("no source is longer than 600 lines, no test longer than 800")
  func fileLength() throws {
    for file in try RepositoryFile.all(in: Self.written, extensions: ["swift", "c", "cpp", "h"])
    where !Self.tables.contains(file.path) {
      let limit = file.path.hasPrefix("Tests/") ? Self.testLineLimit : Self.lineLimit
      #expect(file.lines.count <= limit, "\(file.path) has \(file.lines.count) lines: split it by what it is about")
    }
  }

  @Test("no function is longer than 70 lines")
  func functionLength() throws {
    for file in try RepositoryFile.all(in: Self.written, extensions: ["swift"]) {
      for function in SwiftCode(masking: file.text).functionLengths {
        #expect(
          function.lines <= Self.functionLineLimit,
          "\(file.path):\(function.line): \(function.name) has \(function.lines) lines: name its parts")
      }
    }
  }

  @Test("no line of a source is longer than 120 columns")
  func lineLength() throws {
    for file in try RepositoryFile.all(in: ["Sources", "Tests", "Examples"], extensions: ["swift", "c", "cpp", "h"])
    where !Self.tables.contains(file.path) {
      for (index, line) in file.lines.enumerated() {
        #expect(line.count <= Self.columnLimit, "\(file.path):\(index + 1) has \(line.count) columns")
      }
    }
  }

  // `withLock` hands the function in and out, and each time wraps it once more than before.
  @Test("no function lies in a lock by itself, without a structure around it")
  func lockedFunctions() throws {
    for file in try RepositoryFile.all(in: ["Sources"], extensions: ["swift"]) {
      for (index, line) in file.lines.enumerated()
      where line.contains("Locked<(") && line.contains("->") || line.contains("Locked<(@") {
        Issue.record("\(file.path):\(index + 1) holds a function in a lock: put it in a structure")
      }
    }
  }

  @Test("every file ends with one newline, and no line with a blank")
  func lineEnds() throws {
    for file in try RepositoryFile.all(in: Self.written) where !file.text.isEmpty {
      let endsLine = file.text.hasSuffix("\n")
      let endsEmptyLine = file.text.hasSuffix("\n\n")
      #expect(endsLine, "\(file.path) does not end with a newline")
      #expect(!endsEmptyLine, "\(file.path) ends with an empty line")
      for (index, line) in file.lines.enumerated() where line.last?.isWhitespace == true {
        Issue.record("\(file.path):\(index + 1) ends with a blank")
      }
    }
  }

  @Test(
    "no file is a drawer for what has no place of its own",
    arguments: ["Utils", "Utilities", "Helpers", "Helper", "Common", "Misc", "Manager2"])
  func drawers(name: String) throws {
    for file in try RepositoryFile.all(in: Self.written) {
      let isDrawer = file.stem == name || file.stem.hasSuffix("+\(name)") || file.target == name
      #expect(!isDrawer, "\(file.path): name the file after what it holds")
    }
  }
}
