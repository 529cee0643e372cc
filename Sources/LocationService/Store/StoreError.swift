import Glibc
import LinuxIO

/// Why the store did not do what it was asked. Nothing was changed then: the file and what is read from it are as they
/// were. `description` is a sentence for a person: the file, what failed, what to do.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    case diskFull
    case diskReadOnly
    case notPermitted
    /// Another process has the store; who, where it can be told.
    case inUse(by: ProcessName?)
    /// Written by a later version of this software.
    case newerSchema(found: Int, known: Int)
    /// A database, but none of ours.
    case foreign
    /// What was read cannot be what was written.
    case damaged(String)
    /// Somebody removed or replaced the file while it was open.
    case replaced
    /// Folder or file belong to somebody else, or others may write them.
    case untrusted(String)
    /// A value that no receiver and no app can mean, such as a latitude that is no number.
    case unstorable(String)
    /// A bound of `StoreLimits` is reached.
    case limit(String)
    case system(String)
  }

  package var path: String
  /// What was to be done, such as "the permission of org.example.walk was not stored".
  package var consequence: String
  package var reason: Reason

  package init(path: String, consequence: String, reason: Reason) {
    self.path = path
    self.consequence = consequence
    self.reason = reason
  }

  package var description: String {
    "\(path): \(consequence), since \(cause). \(remedy)"
  }

  private var cause: String {
    switch reason {
    case .diskFull: "its disk is full"
    case .diskReadOnly: "its disk can only be read"
    case .notPermitted: "this is not permitted to \(Self.ownUser)"
    case .inUse(let holder): "\(holder.map(\.description) ?? "another process") has it open"
    case .newerSchema(let found, let known):
      "a newer version of this software wrote it (format \(found), known is \(known))"
    case .foreign: "it is the database of another program"
    case .damaged(let what): "it is damaged (\(what))"
    case .replaced: "the file was removed or replaced while the service had it open"
    case .untrusted(let why): why
    case .unstorable(let what): what
    case .limit(let what): what
    case .system(let text): "the system says: \(text)"
    }
  }

  private var remedy: String {
    switch reason {
    case .diskFull: "Make room on the disk and try again."
    case .diskReadOnly: "Mount the disk for writing (its errors may have closed it: see dmesg) and try again."
    case .notPermitted: "Give the file and its folder to that user (chown) and let it write them (chmod u+rwX)."
    case .inUse: "Stop that process first; one service at a time keeps a store."
    case .newerSchema: "Use that version, or move the file away to begin anew."
    case .foreign: "Move it away, or name another folder."
    case .damaged: "Start the service again: the file is then set aside and a new one begun."
    case .replaced: "Put it back, or start the service again to go on with what is there now."
    case .untrusted: "Mend that or move it away; what others may write they could grant themselves."
    case .unstorable: "This is a mistake of the program that sent it."
    case .limit: "Let the app take what waits for it, or remove what it no longer needs."
    case .system: "Look into the disk's health (dmesg) and try again."
    }
  }

  private static var ownUser: String { "user number \(geteuid())" }
}

extension StoreError.Reason {
  init(_ failure: DatabaseFailure) {
    switch failure.kind {
    case .full: self = .diskFull
    case .busy: self = .inUse(by: nil)
    case .damaged: self = .damaged(failure.message)
    case .readOnly: self = .diskReadOnly
    case .foreign: self = .foreign
    case .newerVersion(let found, let known): self = .newerSchema(found: found, known: known)
    case .other:
      self = failure.systemNumber == 0 ? .system(failure.message) : Self(systemNumber: failure.systemNumber)
    }
  }

  init(systemNumber: Int32) {
    switch systemNumber {
    case ENOSPC, EDQUOT: self = .diskFull
    case EROFS: self = .diskReadOnly
    case EACCES, EPERM: self = .notPermitted
    default: self = .system(String(cString: strerror(systemNumber)))
    }
  }
}
