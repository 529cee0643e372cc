/// The bounds of what the store keeps, so that no app fills a disk.
package struct StoreLimits: Hashable, Sendable {
  /// Regions of an app. The policy allows 20 (behaviour 5.1), or what the operator raised it to; this is the store's.
  package var regionsPerAppMax = 1_000
  /// Events that wait for an app. Chosen: four times the 256 that a connection holds before it is given up.
  package var pendingEventsPerAppMax = 1_024
  /// Bytes of one event. Chosen: twice the longest name of a region.
  package var eventBytesMax = 32_768
  /// Bytes of the engine's own state of an app. Chosen.
  package var engineStateBytesMax = 262_144
  /// Bytes of one text: a name, a path (PATH_MAX is 4,096), a usage text. Chosen.
  package var textBytesMax = 16_384
  /// Purposes in an app's temporary usage dictionary. Chosen.
  package var temporaryUsagesMax = 64
  /// Background modes, and required device capabilities, of an installed app. Chosen: Apple names about twenty modes.
  package var bundleListMax = 64
  /// Rows of the access log; the oldest go first. Chosen.
  package var accessLogRowsMax = 10_000
  /// How long the access log reaches back. Chosen.
  package var accessLogDaysMax = 30.0

  package init() {}
}
