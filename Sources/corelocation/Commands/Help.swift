/// What `--help` says, in general and of each command.
enum Help {
  static let generalOptions = [
    CommandLineArguments.Option("version", nil, "print the version")
  ]

  static var general: String {
    var text = "Usage: corelocation COMMAND [OPTION]...\n\n"
    text +=
      "Says where this machine is, follows it, and plays journeys through Core Location's own rules.\n\nCommands:\n"
    text += table(Command.all.filter(\.isAvailable).map { ($0.name, $0.summary) })
    let later = Command.all.filter { !$0.isAvailable }.map(\.name)
    text += "\nNot available in this version:\n"
    for start in stride(from: 0, to: later.count, by: 9) {
      text += "  " + later[start..<min(start + 9, later.count)].joined(separator: " ") + "\n"
    }
    text += "\nOptions:\n"
    text += table([("--help", "print this, or after a command what it takes"), ("--version", "print the version")])
    text += "\nResults go to standard output, everything else to standard error. Exit status: 0 done, 1 failed,\n"
    text += "2 wrong usage, 3 permission denied, 4 no location in time.\n"
    return text
  }

  static func text(for command: Command) -> String {
    guard command.isAvailable else {
      return "corelocation \(command.name) is not available in this version.\n"
    }
    let operands = command.operands.isEmpty ? "" : " \(command.operands)"
    var text = "Usage: corelocation \(command.name)\(operands) [OPTION]...\n\n\(command.summary).\n\nOptions:\n"
    let options = command.options + [CommandLineArguments.Option("help", nil, "print this")]
    text += table(options.map { ("--\($0.name)" + ($0.value.map { " \($0)" } ?? ""), $0.help) })
    if !command.notes.isEmpty { text += "\n" + command.notes.joined(separator: "\n") + "\n" }
    return text
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, meaning in
      "  \(name)" + String(repeating: " ", count: width - name.count + 2) + meaning + "\n"
    }.joined()
  }
}
