import FoundationEssentials
import Glibc
import LinuxIO
import LocationEngine

/// A policy as a JSON object of field names and values: `{"era": 8, "requestLocationTimeoutSeconds": 5}`.
package enum PolicyFile {
  package struct Problem: Error, CustomStringConvertible {
    package var description: String
  }

  /// The file whose policy holds in this process: the one that CORELOCATION_POLICY names, else the machine's; nil where
  /// there is neither. One that is there and cannot be read is an error, and no default.
  package static func pathInForce(_ environment: ProcessEnvironment) -> String? {
    let machinePath = "/etc/corelocation/policy.json"
    return environment.policyPath ?? (access(machinePath, F_OK) == 0 ? machinePath : nil)
  }

  package static func read(_ path: String) throws(Problem) -> Policy {
    let file: SmallFile
    do {
      file = try SmallFile(path: path)
    } catch {
      throw Problem(description: "\(path): the policy file cannot be read (\(error.text)).")
    }
    let fields: [String: Field]
    do {
      fields = try JSONDecoder().decode([String: Field].self, from: Data(file.bytes))
    } catch {
      throw Problem(
        description: "\(path): expected a JSON object of policy fields, such as {\"era\": 13}; this is none.")
    }
    do {
      return try Policy(fields: fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) })
    } catch {
      throw Problem(description: "\(path): \"\(error.field)\": expected \(error.expected).")
    }
  }

  /// What is neither a flag, a number that can be held nor a text counts as a text that no field takes: the field then
  /// says what it expects.
  private struct Field: Decodable {
    var value: PolicyFields.Value

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        value = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        value = .number(number)
      } else {
        value = .text((try? container.decode(String.self)) ?? "")
      }
    }
  }
}
