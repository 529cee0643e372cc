import Foundation
import LocationEngine
import Testing

@Suite("Policy from a file's fields")
struct PolicyTests {
  typealias Fields = [(name: String, value: PolicyFields.Value)]

  @Test("No fields give the policy of era 18; an era alone gives that era's rules")
  func eras() throws {
    #expect(try Policy(fields: []) == Policy(era: .iOS18))
    for era in Era.allCases {
      #expect(try Policy(fields: [("era", .number(Double(era.rawValue)))]) == Policy(era: era))
    }
  }

  @Test("What changed with iOS, era by era (behaviour 1.8, 1.10, 1.15, 1.21, 1.46)")
  func eraRules() {
    for era in [Era.iOS8, .iOS10] {
      let policy = Policy(era: era)
      #expect(policy.alwaysUsageKeys == .alwaysKey)
      #expect(policy.firstPrompt == .allowOrNot)
      #expect(policy.monitoringNeedsAlways)
      #expect(policy.alwaysEscalation == .doesNothing)
      #expect(!policy.firstPromptOffersPrecise)
    }
    for era in [Era.iOS13, .iOS18] {
      let policy = Policy(era: era)
      #expect(policy.alwaysUsageKeys == .combinedAndWhenInUseKeys)
      #expect(policy.firstPrompt == .onceWhileUsingOrNot)
      #expect(!policy.monitoringNeedsAlways)
      #expect(policy.alwaysEscalation == .promptsAtOnce)
      #expect(policy.firstPromptOffersPrecise == (era == .iOS18))
    }
  }

  @Test("A field changes itself only, and the era counts wherever it stands")
  func singleFields() throws {
    var expected = Policy(era: .iOS10)
    expected.requestLocationTimeoutSeconds = 3
    expected.alwaysEscalation = .becomesProvisional
    expected.monitoringNeedsAlways = false
    let fields: Fields = [
      ("requestLocationTimeoutSeconds", .number(3)), ("alwaysEscalation", .text("becomesProvisional")),
      ("monitoringNeedsAlways", .flag(false)), ("era", .number(10)),
    ]
    #expect(try Policy(fields: fields) == expected)
  }

  @Test(
    "An unknown name, a wrong type and a value out of range each name the field",
    arguments: [
      ("graceSeconds", PolicyFields.Value.number(1)), ("", .number(1)), ("INUSEGRACESECONDS", .number(1)),
      ("era", .number(9)), ("era", .number(18.5)), ("era", .text("18")), ("era", .flag(true)),
      ("inUseGraceSeconds", .text("5")), ("inUseGraceSeconds", .flag(true)), ("inUseGraceSeconds", .number(-1)),
      ("inUseGraceSeconds", .number(.nan)), ("inUseGraceSeconds", .number(.infinity)),
      ("requestLocationTimeoutSeconds", .number(1.1e9)), ("accuracyImprovementRatio", .number(1.01)),
      ("accuracyImprovementRatio", .number(-0.1)), ("coarseGridDegrees", .number(0)),
      ("coarseGridDegrees", .number(11)),
      ("coarseAccuracyMeters", .number(0)), ("bestAccuracyMeters", .number(-1)), ("suspendedFixesMax", .number(0)),
      ("suspendedFixesMax", .number(2.5)), ("suspendedFixesMax", .number(1e300)), ("managersPerClientMax", .number(0)),
      ("monitoringNeedsAlways", .number(1)), ("firstPromptOffersPrecise", .text("true")),
      ("alwaysEscalation", .text("never")), ("alwaysUsageKeys", .flag(true)), ("firstPrompt", .text("AllowOrNot")),
    ])
  func refusals(name: String, value: PolicyFields.Value) {
    #expect {
      _ = try Policy(fields: [(name, value)])
    } throws: { error in
      guard let error = error as? PolicyFields.FieldError else { return false }
      return error.field == name && !error.expected.isEmpty
    }
  }

  // MARK: docs/policy.md

  /// The rows of the table: name and default as they are written.
  private func documentedFields() throws -> [(name: String, value: String)] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "docs/policy.md"), encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 5, cells[0].hasPrefix("`") else { return nil }
      return (cells[0].filter { $0 != "`" }, cells[1].filter { $0 != "`" })
    }
  }

  @Test("docs/policy.md has every field of the policy, no other, and the defaults that hold")
  func documentation() throws {
    let documented = try documentedFields()
    let fields = Mirror(reflecting: Policy().fields).children.compactMap { child in
      child.label.map { (name: $0, value: child.value is Era ? "18" : "\(child.value)") }
    }
    #expect(documented.map(\.name).sorted() == fields.map(\.name).sorted())
    for (name, value) in fields {
      let written = documented.first { $0.name == name }?.value
      if let number = Double(value) {
        #expect(written.flatMap(Double.init) == number, "\(name)")
      } else {
        #expect(written == value, "\(name)")
      }
    }
  }

  @Test("Every documented field is accepted with its documented default, and that changes nothing")
  func documentedDefaults() throws {
    for (name, text) in try documentedFields() {
      let value: PolicyFields.Value =
        Double(text).map { .number($0) } ?? (text == "true" || text == "false" ? .flag(text == "true") : .text(text))
      #expect(try Policy(fields: [(name, value)]) == Policy(), "\(name)")
    }
  }
}
