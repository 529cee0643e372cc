/// What `--help` says, in general and of each command.
enum Help {
  static let generalOptions = [
    CommandLineArguments.Option("version", nil, "print the version")
  ]

  static var general: String {
    var text = "Usage: corelocation COMMAND [OPTION]...\n\n"
    text +=
      "Says where this machine is, follows it, and plays journeys through Core Location's own rules.\n\nCommands:\n"
    text += table(Command.all.map { ($0.name, $0.summary) })
    text += "\nOptions:\n"
    text += table([("--help", "print this, or after a command what it takes"), ("--version", "print the version")])
    text += "\nResults go to standard output, everything else to standard error. Exit status: 0 done, 1 failed,\n"
    text += "2 wrong usage, 3 permission denied, 4 no location in time.\n"
    return text
  }

  static func text(for command: Command) -> String {
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
