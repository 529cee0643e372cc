import LocationFormats
import LocationRuntime

/// The way of the commands that only the location service can carry out.
enum ServiceAccess {
  private static let textScalarsMax = 4_000

  /// Asks the service that this person's apps use, and prints what it answers.
  static func run(_ command: ServiceCommand) throws(CommandFailure) -> ExitStatus {
    let answer: CommandAnswer
    do throws(ToolConnection.Failure) {
      let path = try socketPath()
      answer = try ToolConnection(path: path).ask(command)
    } catch {
      throw .failed(error.description)
    }
    switch answer {
    case .done: break
    case .failed(let reason): throw .failed(reason)
    case .table(let columns, let rows): StandardOutput.shared.write(TableText.make(columns, rows))
    case .condition: throw .failed("the service has answered another question than this")
    case .sentences(let sentences):
      StandardOutput.shared.write(
        sentences.map { PrintableText.escaped($0, scalarsMax: textScalarsMax) + "\n" }.joined())
    }
    return .done
  }

  static func socketPath() throws(ToolConnection.Failure) -> String {
    guard let path = ServiceSocket.path(.current()) else {
      throw ToolConnection.Failure(
        description: "no location service runs or is installed here; start corelocationd, or name its socket in "
          + "CORELOCATION_SOCKET")
    }
    return path
  }
}

/// Columns under each other.
enum TableText {
  private static let cellScalarsMax = 500

  static func make(_ columns: [String], _ rows: [[String]]) -> String {
    let lines = ([columns] + rows).map { $0.map { PrintableText.escaped($0, scalarsMax: cellScalarsMax) } }
    let widths = columns.indices.map { column in
      lines.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    return lines.map { line in
      var text = ""
      for (column, cell) in line.enumerated() {
        let isLast = column == line.count - 1
        text += isLast ? cell : cell + String(repeating: " ", count: max(0, widths[column] - cell.count) + 2)
      }
      return text + "\n"
    }.joined()
  }
}
