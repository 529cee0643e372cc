import Foundation

/// The module's symbols by path, each written in the form of `surface.tsv`.
struct DeclaredSurface {
  private let symbolsByPath: [String: [SymbolGraph.Symbol]]
  private let requirements: Set<String>
  private let conformances: [String: Set<String>]
  private let superclasses: [String: String]

  init(_ graph: SymbolGraph) {
    symbolsByPath = Dictionary(grouping: graph.symbols) { $0.pathComponents.joined(separator: ".") }
    requirements = Set(graph.relationships.filter { $0.kind == "requirementOf" }.map(\.source))
    let names = Dictionary(
      graph.symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
      uniquingKeysWith: { first, _ in first })
    var conformances: [String: Set<String>] = [:]
    var superclasses: [String: String] = [:]
    for relation in graph.relationships {
      let target = names[relation.target] ?? Self.lastComponent(relation.targetFallback ?? relation.target)
      switch relation.kind {
      case "conformsTo": conformances[relation.source, default: []].insert(target)
      case "inheritsFrom": superclasses[relation.source] = target
      default: break
      }
    }
    self.conformances = conformances
    self.superclasses = superclasses
  }

  /// Public names of the module's own writing that are in no row.
  func pathsBeyond(_ rows: [SurfaceRow]) -> [String] {
    let listed = Set(rows.map(\.path))
    let written = symbolsByPath.filter { path, symbols in
      !listed.contains(path) && symbols.contains { !$0.identifier.precise.contains("::SYNTHESIZED::") }
    }
    return written.keys.sorted()
  }

  /// Nil if the row is declared as it says, else what was found.
  func difference(from row: SurfaceRow) -> String? {
    if row.name == "rawValue" { return rawValueDifference(from: row) }
    guard let symbols = symbolsByPath[row.path] else { return "missing" }
    let candidates = symbols.filter { isOfKind(row, $0) }
    guard !candidates.isEmpty else {
      return "of another kind: \(symbols.map(\.kind.identifier))"
    }
    let differences = candidates.map { candidate in difference(candidate, from: row) }
    return differences.contains(nil) ? nil : differences.compactMap { $0 }.first
  }

  /// The compiler writes `rawValue` together with `init(rawValue:)`, of which alone the symbol graph speaks.
  private func rawValueDifference(from row: SurfaceRow) -> String? {
    let rawType = row.declaration.split(separator: " ").dropFirst(3).first.map(String.init) ?? ""
    let initializers = symbolsByPath["\(row.owner).init(rawValue:)"] ?? []
    let texts = initializers.map(text(of:))
    guard texts.contains("public init?(rawValue: \(rawType))") else { return "\(texts)" }
    let types = symbolsByPath[row.owner] ?? []
    let isRawRepresentable = types.contains {
      conformances[$0.identifier.precise]?.contains("RawRepresentable") ?? false
    }
    return isRawRepresentable ? nil : "not RawRepresentable"
  }

  private func difference(_ symbol: SymbolGraph.Symbol, from row: SurfaceRow) -> String? {
    let isType = ["class", "struct", "enum", "protocol"].contains(row.kind)
    let expected = isType ? Self.split(row.declaration) : (row.declaration, [])
    let found = text(of: symbol)
    guard (isType ? Self.split(found).head : found) == expected.0 else { return found }
    if row.owner.hasPrefix("CLLocationManagerDelegate") || row.owner == "CLLocationPushServiceExtension" {
      guard requirements.contains(symbol.identifier.precise) else { return "no requirement: \(found)" }
    }
    return isType ? ancestryDifference(symbol, found: found, expected: expected.1) : nil
  }

  /// Declared ancestors must be there; of conformances that apps add themselves or lean on, no more than declared.
  private func ancestryDifference(
    _ symbol: SymbolGraph.Symbol, found: String, expected: [String]
  ) -> String? {
    let identifier = symbol.identifier.precise
    var ancestors = conformances[identifier] ?? []
    if let superclass = superclasses[identifier] { ancestors.insert(superclass) }
    ancestors.formUnion(Self.split(found).ancestors)
    let rawTypes: Set = ["Int", "Int32", "UInt"]
    let missing = expected.filter { !rawTypes.contains($0) && !ancestors.contains($0) }
    guard missing.isEmpty else { return "without \(missing)" }
    guard symbol.kind.identifier != "swift.class" || !found.contains("actor ") else { return nil }
    var guarded: Set = ["Sendable"]
    if symbol.kind.identifier == "swift.struct" {
      guarded.formUnion(["Equatable", "Hashable", "Decodable", "Encodable"])
    }
    var allowed = Set(expected)
    if allowed.contains("Hashable") { allowed.insert("Equatable") }
    if allowed.contains("CLCondition") { allowed.formUnion(["Decodable", "Encodable", "Sendable"]) }
    let extra = ancestors.intersection(guarded).subtracting(allowed)
    return extra.isEmpty ? nil : "with \(extra.sorted()), which Apple does not declare"
  }

  private func isOfKind(_ row: SurfaceRow, _ symbol: SymbolGraph.Symbol) -> Bool {
    let isStatic = row.declaration.contains("static ") || row.declaration.contains("open class ")
    let expected =
      switch row.kind {
      case "property": isStatic ? "swift.type.property" : "swift.property"
      case "method": isStatic ? "swift.type.method" : "swift.method"
      case "initializer": "swift.init"
      case "case": "swift.enum.case"
      case "constant": "swift.var"
      case "function": "swift.func"
      default: "swift.\(row.kind)"
      }
    return symbol.kind.identifier == expected
  }

  /// The declaration with its access and deprecation, without what callers do not see.
  private func text(of symbol: SymbolGraph.Symbol) -> String {
    let fragments = (symbol.declarationFragments ?? []).map(\.spelling).joined()
    var text = fragments.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for word in ["override ", "required ", "convenience ", "weak ", "nonisolated(nonsending) ", " { get set }"] {
      text = text.replacingOccurrences(of: word, with: "")
    }
    if !text.hasPrefix("final class") { text = text.replacingOccurrences(of: "final ", with: "") }
    let owner = symbol.pathComponents.dropLast().joined(separator: ".")
    text = text.replacingOccurrences(of: "Self.", with: owner + ".")
    let isDeprecated = symbol.availability?.contains { $0.isUnconditionallyDeprecated == true } ?? false
    return (isDeprecated ? "@available(*, deprecated) " : "") + symbol.accessLevel + " " + text
  }

  /// `public struct A: B, C` as its head and its ancestors.
  private static func split(_ declaration: String) -> (head: String, ancestors: [String]) {
    let start = declaration.range(of: "@available(*, deprecated) ")?.upperBound ?? declaration.startIndex
    guard let colon = declaration.range(of: ":", range: start..<declaration.endIndex) else {
      return (declaration, [])
    }
    let ancestors = declaration[colon.upperBound...].split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return (
      declaration[..<colon.lowerBound].trimmingCharacters(in: .whitespaces), ancestors
    )
  }

  private static func lastComponent(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }
}
