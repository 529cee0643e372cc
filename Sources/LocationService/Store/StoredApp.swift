import LocationEngine
import LocationModel

/// What the store knows of one app.
package struct StoredApp: Hashable, Sendable {
  package var identifier: AppIdentifier
  package var grant: Grant
  /// When the person decided; nil where nobody has, or where it is not known.
  package var decidedAt: WallTime?
  /// What kind of app it was when it was last seen, in the words of whoever told them apart.
  package var kind: String?
  /// The program that was seen last.
  package var executablePath: String?
  /// What its Info.plist said when it was last seen.
  package var description: AppDescription?

  package init(
    identifier: AppIdentifier, grant: Grant = Grant(), decidedAt: WallTime? = nil, kind: String? = nil,
    executablePath: String? = nil, description: AppDescription? = nil
  ) {
    self.identifier = identifier
    self.grant = grant
    self.decidedAt = decidedAt
    self.kind = kind
    self.executablePath = executablePath
    self.description = description
  }
}
