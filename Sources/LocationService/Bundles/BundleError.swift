/// Why a folder is no app that can be installed. `description` is a sentence for its developer: which file, what was
/// expected, what to do.
package struct BundleError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Problem: Hashable, Sendable {
    case notThere(String)
    case noBundle
    case noInfoPlist
    case unreadable(String)
    case noIdentifier
    case wrongIdentifier(String)
    /// A key that has to be a string is none.
    case noString(key: String)
    case wrongRequirements
    /// More entries than are kept.
    case longList(key: String, count: Int, countMax: Int)
    /// A text that is longer than may be shown.
    case longText(key: String, bytes: Int, bytesMax: Int)
    case wrongExecutableName(String)
    case noProgram(String)
    /// There is a `Contents/MacOS`, which is no place for programs on Linux.
    case programForMac
    case programElsewhere(String)
    case notExecutable
    case script
    /// Its first bytes are not those of a program file.
    case noProgramFile(isEmpty: Bool)
    case unshowablePath
  }

  package var path: String
  package var problem: Problem

  package init(path: String, problem: Problem) {
    self.path = path
    self.problem = problem
  }

  package var description: String {
    switch problem {
    case .notThere(let text): "\(path): there is no such bundle (\(text)). Name the folder NAME.app."
    case .noBundle: "\(path) is no bundle. Expected a folder called NAME.app, with an Info.plist and a program in it."
    case .noInfoPlist:
      "\(path) has no Info.plist. It stands in the bundle itself, in its Resources, or in its Contents."
    case .unreadable(let text): "\(path): \(text)."
    case .noIdentifier:
      "\(path) has no CFBundleIdentifier. Give the app one, a string such as org.example.walk."
    case .wrongIdentifier(let text):
      "\(path): CFBundleIdentifier \"\(Self.shown(text))\" is none. Expected letters, digits, dashes, underscores and "
        + "dots, at most 255, such as org.example.walk: no dash at the beginning, and something before, between and "
        + "after dots."
    case .noString(let key):
      "\(path): \(key) is no string, but a value of another type. Write <string>…</string>."
    case .longList(let key, let count, let countMax):
      "\(path): \(key) has \(count) entries, \(countMax) are allowed. Leave out what the app does not need."
    case .wrongRequirements:
      "\(path): UIRequiredDeviceCapabilities is neither an array of strings nor a dictionary of booleans."
    case .longText(let key, let bytes, let bytesMax):
      "\(path): a text of \(key) has \(bytes) bytes, \(bytesMax) are allowed. Make it shorter."
    case .wrongExecutableName(let text):
      "\(path): CFBundleExecutable \"\(Self.shown(text))\" is no file's name. Expected the name of the "
        + "program, without folders."
    case .noProgram(let text):
      "\(path): the bundle's program is not there (\(text)). Its name is CFBundleExecutable, else that of the bundle."
    case .programForMac:
      "\(path): the bundle's program is not there. Contents/MacOS holds programs of another system; build for Linux "
        + "into Contents/Linux."
    case .programElsewhere(let real):
      "\(path) leads out of the bundle, to \(real). Put a copy of the program there: what runs elsewhere is not this "
        + "app."
    case .notExecutable: "\(path) is no program: expected a regular file that may be executed (chmod +x)."
    case .script:
      "\(path) is a script, and a process that runs it is its interpreter, not this app. Make it a program file."
    case .noProgramFile(let isEmpty):
      "\(path) is \(isEmpty ? "empty" : "no program file of Linux (ELF)"), and cannot be run as this app. Put the "
        + "program there that the build has made, such as .build/release/NAME."
    case .unshowablePath:
      "\(path): its path holds control characters or turned writing, which could pass it off as another. Rename it."
    }
  }

  /// Enough to know it again. Chosen.
  private static let shownCharactersMax = 80

  private static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > shownCharactersMax else { return text }
    return String(String.UnicodeScalarView(scalars.prefix(shownCharactersMax))) + "…"
  }
}
