/// What a person may tell the service to do with an app of theirs. `bundle` is the path of the bundle, from the root,
/// or its identifier.
package enum BundleCommand: Hashable, Sendable {
  /// Makes the bundle at a path known. `assumes` names device capabilities that count as present.
  case install(path: String, assumes: [String])
  /// The app is not known any more, nor is anything that was kept for it.
  case uninstall(bundle: String)
  /// Starts the app in the foreground, or brings it there. Arguments are for its program, and for a start only.
  case launch(bundle: String, arguments: [String] = [])
  case foreground(bundle: String)
  case background(bundle: String)
  /// Ends the app. `isForced` is the person's force-quit: at once, without a word to the app (behaviour 3.14).
  case terminate(bundle: String, isForced: Bool)
  /// Background App Refresh of one app, or (nil) of all (behaviour 3.11).
  case switchBackgroundRefresh(isOn: Bool, bundle: String?)
}

extension BundleCommand {
  /// The numbers of these commands among all.
  static let kinds: Set<UInt8> = [10, 11, 12, 13, 14, 15, 24, 25]

  init(kind: UInt8, from reader: inout WireReader) throws(WireError) {
    switch kind {
    case 10: self = .install(path: try reader.get(), assumes: try reader.get())
    case 11: self = .uninstall(bundle: try reader.get())
    case 12: self = .launch(bundle: try reader.get())
    case 13: self = .foreground(bundle: try reader.get())
    case 14: self = .background(bundle: try reader.get())
    case 15: self = .terminate(bundle: try reader.get(), isForced: try reader.get())
    case 24: self = .switchBackgroundRefresh(isOn: try reader.get(), bundle: try reader.get())
    case 25: self = .launch(bundle: try reader.get(), arguments: try reader.get())
    default: throw WireError("\(kind) is no command")
    }
  }

  func write(to writer: inout WireWriter) {
    switch self {
    case .install(let path, let assumes):
      writer.putNumber(UInt8(10))
      writer.put(path)
      writer.put(assumes)
    case .uninstall(let bundle): Self.put(11, bundle, to: &writer)
    // A service that knows of no arguments understands the first.
    case .launch(let bundle, let arguments) where arguments.isEmpty: Self.put(12, bundle, to: &writer)
    case .launch(let bundle, let arguments):
      Self.put(25, bundle, to: &writer)
      writer.put(arguments)
    case .foreground(let bundle): Self.put(13, bundle, to: &writer)
    case .background(let bundle): Self.put(14, bundle, to: &writer)
    case .terminate(let bundle, let isForced):
      Self.put(15, bundle, to: &writer)
      writer.put(isForced)
    case .switchBackgroundRefresh(let isOn, let bundle):
      writer.putNumber(UInt8(24))
      writer.put(isOn)
      writer.put(bundle)
    }
  }

  private static func put(_ kind: UInt8, _ bundle: String, to writer: inout WireWriter) {
    writer.putNumber(kind)
    writer.put(bundle)
  }
}
