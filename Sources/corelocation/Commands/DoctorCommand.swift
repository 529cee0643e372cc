import LocationEngine
import LocationFormats
import LocationProviders
import LocationRuntime

/// `corelocation doctor`: why is there no location?
enum DoctorCommand {
  static let command = Command(
    name: "doctor", summary: "Tells why there is no location, and what helps",
    options: [
      CommandLineArguments.sourceOption,
      .init("app", "NAME|PATH", "ask for this app: its bundle identifier, or a path of it or of its Info.plist"),
      .init("wait", "S", "seconds to listen at most (10)"),
      CommandLineArguments.jsonOption,
    ],
    notes: [
      "Without --source CORELOCATION_SOURCE counts, else what apps use: the location service, or what the machine has.",
      "A line a check: ok, look (worth a look) or cause, and what helps. No place is printed.",
      "Exit status: 0 when locations come, 4 when none does.",
    ],
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  private static func run(_ arguments: CommandLineArguments) throws(CommandFailure) -> ExitStatus {
    let environment = ProcessEnvironment.current()
    var wish = DoctorExamination.Wish()
    wish.waitSeconds = try arguments.number("wait", in: 0.1...3_600, "seconds from 0.1 to 3600") ?? wish.waitSeconds
    wish.app = arguments.value("app")
    wish.source = arguments.value("source")
    // What is wrong in a variable is a finding; what is wrong in this call is wrong usage.
    if wish.source != nil { _ = try arguments.source(environment) }
    if let path = PolicyFile.pathInForce(environment) {
      do throws(PolicyFile.Problem) {
        wish.policy = try PolicyFile.read(path)
      } catch {
        throw .failed(error.description)
      }
    }
    let findings = DoctorExamination(wish, environment: environment).run()
    let isJSON = arguments.has("json")
    for line in DoctorChecks.lines(findings) {
      StandardOutput.shared.write { isJSON ? append(json: line, to: &$0) : append(text: line, to: &$0) }
    }
    if !isJSON {
      StandardOutput.shared.write(findings.haveLocations ? "Locations come.\n" : "No location comes.\n")
    }
    return findings.haveLocations ? .done : .noLocationInTime
  }

  /// Several names of others may stand in a line.
  private static let lineScalarsMax = 4_000

  private static func append(text line: DoctorLine, to bytes: inout [UInt8]) {
    let mark = line.mark.rawValue
    bytes.append(
      text: mark + String(repeating: " ", count: 7 - mark.count)
        + PrintableText.escaped(line.text, scalarsMax: lineScalarsMax) + "\n")
    if let cure = line.cure {
      bytes.append(text: "       -> \(PrintableText.escaped(cure, scalarsMax: lineScalarsMax))\n")
    }
  }

  private static func append(json line: DoctorLine, to bytes: inout [UInt8]) {
    bytes.append(text: "{\"check\":")
    bytes.append(string: line.check.rawValue)
    bytes.append(text: ",\"mark\":")
    bytes.append(string: line.mark.rawValue)
    bytes.append(text: ",\"text\":")
    bytes.append(string: line.text)
    bytes.append(text: ",\"cure\":")
    if let cure = line.cure { bytes.append(string: cure) } else { bytes.append(text: "null") }
    bytes.append(text: "}\n")
  }
}
