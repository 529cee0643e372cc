/// How the machine's Bluetooth stands for whoever wants to hear beacons.
package enum BlueZStanding: Hashable, Sendable {
  /// There is no bus to ask on.
  case noBus
  /// BlueZ is not on the bus.
  case noService
  /// BlueZ, or the bus's policy, gives no answer; with what it said.
  case refused(String)
  case noAdapter
  /// There is an adapter, and it is switched off.
  case off
  /// The adapter does not listen for this program.
  case failing
  /// It may be listened with, by an advertisement monitor where BlueZ takes one, else by discovery.
  case ready(takesMonitors: Bool)
}
