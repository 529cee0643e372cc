import LocationEngine

/// The three parts of an app's state, which are stored apart from each other.
enum StoredPart: String {
  case grant
  case lastFix
  case registrations

  /// What is not kept and what comes of it; `what` is what happened to it.
  func sentence(_ app: AppIdentifier, what: String) -> String {
    switch self {
    case .grant: "the permission of \(app.name) \(what) and will be asked for again"
    case .lastFix: "the last location of \(app.name) \(what); its next start begins without one"
    case .registrations: "what \(app.name) monitors \(what); its next start has to begin monitoring anew"
    }
  }
}
