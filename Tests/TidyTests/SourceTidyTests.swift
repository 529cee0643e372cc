import Testing

/// What sources may not say, and which of them may know of which module.
@Suite("The sources keep the house rules")
struct SourceTidyTests {
  /// Where policy and values live: the same inputs give the same effects, byte for byte.
  static let pureImports: [String: Set<String>] = [
    "LocationModel": ["CGeographic", "CIndexMemory"],
    "LocationEngine": ["LocationModel"],
  ]

  /// Apple's types need Foundation; below them it would only bring its weight.
  static let foundationTargets: Set<String> = ["CoreLocation", "CoreLocationTesting", "AppLifecycle"]

  @Test("values and engine import nothing that has a clock, a file or a thread", arguments: pureImports.keys.sorted())
  func imports(target: String) throws {
    let allowed = try #require(Self.pureImports[target])
    for file in try Self.sources(of: target) {
      let imported = Set(SwiftCode(masking: file.text).text.importedModules)
      let surplus = imported.subtracting(allowed).sorted()
      #expect(surplus.isEmpty, "\(file.path) imports \(surplus)")
    }
  }

  @Test(
    "values and engine use no clock, task, lock or chance",
    arguments: [
      Ban("Date", "time is an argument"), Ban("ContinuousClock", "time is an argument"),
      Ban("SuspendingClock", "time is an argument"), Ban("Task", "the host drives the engine"),
      Ban("async", "the engine answers at once"), Ban("await", "the engine answers at once"),
      Ban("actor", "the host guards the engine"), Ban("Thread", "the host drives the engine"),
      Ban("Mutex", "the host guards the engine"), Ban("Lock", "the host guards the engine"),
      Ban("Locked", "the host guards the engine"), Ban("UUID", "identifiers come from outside"),
      Ban("SystemRandomNumberGenerator", "chance has a seed"), Ban(".random(", "chance has a seed"),
      Ban(".shuffled()", "chance has a seed"), Ban(".randomElement()", "chance has a seed"),
      Ban("print", "effects are the only output"),
    ])
  func purity(ban: Ban) throws {
    for target in Self.pureImports.keys.sorted() {
      try Self.expect(ban, absentFrom: Self.sources(of: target))
    }
  }

  @Test("Foundation stays in the layer of Apple's types")
  func foundation() throws {
    for file in try RepositoryFile.all(in: ["Sources"], extensions: ["swift"]) {
      let imported = SwiftCode(masking: file.text).text.importedModules
      let isBelow = !Self.foundationTargets.contains(file.target ?? "")
      #expect(!(isBelow && imported.contains("Foundation")), "\(file.path): FoundationEssentials at most")
    }
  }

  @Test(
    "no source traps on what comes from outside",
    arguments: [
      Ban("try!", "input that fails is an error, not the end of the process"),
      Ban("as!", "input of another type is an error, not the end of the process"),
      Ban("fatalError(", "a mistake of ours is a precondition, anything else an error"),
    ])
  func traps(ban: Ban) throws {
    try Self.expect(ban, absentFrom: RepositoryFile.all(in: ["Sources"], extensions: ["swift"]))
  }

  @Test("no queue asks for more than the usual priority, which only root may have")
  func queuePriorities() throws {
    for word in ["userInitiated", "userInteractive"] {
      let ban = Ban(word, "Dispatch raises the thread above nice 0 and writes to the journal that it may not")
      try Self.expect(ban, absentFrom: RepositoryFile.all(in: ["Sources"], extensions: ["swift"]))
    }
  }

  @Test("no source holds a note of what is still to be done", arguments: ["TODO", "FIXME", "XXX", "HACK"])
  func leftovers(word: String) throws {
    for file in try RepositoryFile.all(in: ["Sources", "Examples", "Benchmarks"]) {
      for (index, line) in file.lines.enumerated() where line.containsToken(word) {
        Issue.record("\(file.path):\(index + 1) holds \(word): do it, or write it where plans are kept")
      }
    }
  }

  private static func sources(of target: String) throws -> [RepositoryFile] {
    let files = try RepositoryFile.all(in: ["Sources/\(target)"], extensions: ["swift"])
    try #require(!files.isEmpty, "there is no Sources/\(target)")
    return files
  }

  private static func expect(_ ban: Ban, absentFrom files: [RepositoryFile]) {
    for file in files {
      let lines = SwiftCode(masking: file.text).text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() where ban.matches(line) {
        Issue.record("\(file.path):\(index + 1) has \(ban.word): \(ban.reason)")
      }
    }
  }
}
