import Glibc

/// What this person may read.
package enum FileAccess {
  package static func isReadable(_ path: String) -> Bool {
    access(path, R_OK) == 0
  }

  /// The first folder of a path that may not be entered, so that nothing can be said about what is in it; nil where
  /// the way is open, or ends in what is not there.
  package static func closedFolder(onWayTo path: String) -> String? {
    var folder = path.hasPrefix("/") ? "" : "."
    for name in FolderWatch.split(path).folder.split(separator: "/", omittingEmptySubsequences: true) {
      let parent = folder
      folder = parent == "." ? String(name) : "\(parent)/\(name)"
      if Syscalls.kind(of: folder) == .directory, access(folder, X_OK) != 0 { return folder }
    }
    return nil
  }
}
