/// The options and operands of one command, read by getopt_long's conventions.
///
/// `--name value` and `--name=value`; `--` ends the options; a name may be cut short where that leaves no doubt;
/// options and operands stand in any order, and of an option given twice the last counts, unless it may stand several
/// times (`all`). Beyond getopt_long, an
/// argument that begins like a negative number (`-33.8,151.2`) is an operand: no option of this program is a digit.
struct CommandLineArguments {
  struct Option {
    var name: String
    /// What stands for the value in the help; nil for an option that takes none.
    var value: String?
    var help: String

    init(_ name: String, _ value: String? = nil, _ help: String) {
      self.name = name
      self.value = value
      self.help = help
    }
  }

  private(set) var operands: [String] = []
  /// How many of them stand before a `--`, all where there is none.
  var countBeforeDashes: Int { dashesAt ?? operands.count }
  private var dashesAt: Int?
  private(set) var wantsHelp = false
  private var values: [String: [String]] = [:]

  /// What was written after an option, or empty for one that takes no value; nil where it was not given.
  func value(_ name: String) -> String? {
    values[name]?.last
  }

  /// What was written after each use of an option, in order.
  func all(_ name: String) -> [String] {
    values[name] ?? []
  }

  func has(_ name: String) -> Bool {
    values[name] != nil
  }

  /// Reads until the first thing that is wrong, or the first `--help`. With `stopsAtOperand` everything from the first
  /// operand on is an operand.
  init(
    _ arguments: some Sequence<String>, options: [Option], stopsAtOperand: Bool = false
  ) throws(CommandFailure) {
    let known = options + [Option("help", nil, "")]
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst(), !wantsHelp {
      if argument == "--" {
        dashesAt = operands.count
        operands += rest
        return
      }
      if Self.isOperand(argument) {
        operands.append(argument)
        if stopsAtOperand {
          operands += rest
          return
        }
      } else {
        try take(argument, known, &rest)
      }
    }
  }

  private static func isOperand(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), argument != "-" else { return true }
    let second = argument.utf8.dropFirst().first ?? 0
    return second == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second)
  }

  private mutating func take(
    _ argument: String, _ known: [Option], _ rest: inout ArraySlice<String>
  ) throws(CommandFailure) {
    if argument == "-h" {
      wantsHelp = true
      return
    }
    guard argument.hasPrefix("--") else { throw .wrongUsage("unknown option \(argument)") }
    let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let option = try Self.find(String(parts[0]), known)
    let attached = parts.count > 1 ? String(parts[1]) : nil
    if option.name == "help" { wantsHelp = true }
    guard let value = option.value else {
      if attached != nil { throw .wrongUsage("option --\(option.name) takes no value") }
      values[option.name] = [""]
      return
    }
    guard let given = attached ?? rest.popFirst() else {
      throw .wrongUsage("option --\(option.name) lacks its value: --\(option.name) \(value)")
    }
    values[option.name, default: []].append(given)
  }

  private static func find(_ name: String, _ known: [Option]) throws(CommandFailure) -> Option {
    if let exact = known.first(where: { $0.name == name }) { return exact }
    let candidates = known.filter { $0.name.hasPrefix(name) }
    guard let only = candidates.first else { throw .wrongUsage("unknown option --\(name)") }
    guard candidates.count == 1, !name.isEmpty else {
      let names = candidates.map { "--\($0.name)" }.joined(separator: ", ")
      throw .wrongUsage("option --\(name) could be any of \(names)")
    }
    return only
  }
}
