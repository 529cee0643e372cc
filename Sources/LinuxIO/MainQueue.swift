import CLinux

/// The queue of the main actor, which a program that never returns from its main function has another thread run.
package enum MainQueue {
  /// Whether the calling thread runs it now.
  package static var isCurrent: Bool { String(cString: linux_current_queue_label()) == "com.apple.main-thread" }
}
