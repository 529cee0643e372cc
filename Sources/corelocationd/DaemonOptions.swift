import CLinux
import Glibc
import LocationRuntime

/// What the program was started with.
struct DaemonOptions {
  var isSystemWide = false
  /// Of the system's service, for which this one only starts and ends its person's apps; nil for a service.
  var supervisedSocketPath: String?
  var socketPath: String?
  var stateFolder: String?
  var source = "auto"
  var policyPath: String?
  var permissionsPath: String?
  /// Set where the program only says something and ends.
  var text: String?

  struct Problem: Error {
    var sentence: String
  }

  static let help = """
    Usage: corelocationd [OPTION]...

    The location service that all apps share: it owns the receivers, asks permission, remembers the answers and tells
    each app what it may know. Apps find it at its socket.

    Options:
      --system            serve every user of the machine, as the system's service
      --user              serve the user who runs it (the default)
      --supervise SOCKET  be no service but start, suspend and end this user's installed apps for the system's service
                          at that socket (/run/corelocation/socket); --state is then where apps note what they have
                          done (default: corelocation/supervisor in XDG_STATE_HOME)
      --socket PATH       listen there (default: /run/corelocation/socket, or corelocation/socket in XDG_RUNTIME_DIR)
      --state FOLDER      keep grants and the last fix there (default: /var/lib/corelocation, or
                          corelocation in XDG_STATE_HOME)
      --source SPEC       where locations come from: gpsd:HOST, nmea:PATH, fixed:LAT,LON, auto (the default) and more
      --policy FILE       the policy (default: /etc/corelocation/policy.json); SIGHUP reads it anew
      --permissions FILE  answers for a machine with nobody to ask (default: /etc/corelocation/permissions.json)
      --help              print this
      --version           print the version

    It tells what it does on standard error, never where anybody is.

    """

  /// By the conventions of getopt_long(3).
  init() throws(Problem) {
    let names = [
      "system", "user", "supervise", "socket", "state", "source", "policy", "permissions", "help", "version",
    ]
    let takesValue: Set = ["supervise", "socket", "state", "source", "policy", "permissions"]
    let texts = names.map { strdup($0) }
    defer { texts.forEach { free($0) } }
    var table = zip(names, texts).map { name, text in
      option(
        name: text, has_arg: takesValue.contains(name) ? required_argument : no_argument, flag: nil, val: 0)
    }
    table.append(option())
    while true {
      var index: Int32 = 0
      let found = getopt_long(CommandLine.argc, CommandLine.unsafeArgv, "", table, &index)
      if found == -1 { break }
      guard found == 0 else { throw Problem(sentence: "Try \"corelocationd --help\".") }
      set(names[Int(index)], to: linux_option_value().map { String(cString: $0) } ?? "")
    }
    let operands = CommandLine.arguments.dropFirst(Int(linux_operand_index()))
    guard operands.isEmpty else {
      throw Problem(
        sentence: "unexpected \"\(operands.joined(separator: " "))\". Try \"corelocationd --help\".")
    }
    if isSystemWide, supervisedSocketPath != nil {
      throw Problem(sentence: "--supervise is for one user's apps, and not for --system. Try \"corelocationd --help\".")
    }
  }

  private mutating func set(_ name: String, to value: String) {
    switch name {
    case "system": isSystemWide = true
    case "user": isSystemWide = false
    case "supervise": supervisedSocketPath = value
    case "socket": socketPath = value
    case "state": stateFolder = value
    case "source": source = value
    case "policy": policyPath = value
    case "permissions": permissionsPath = value
    case "help": text = Self.help
    default: text = "corelocationd \(ProjectVersion.text)\n"
    }
  }
}
