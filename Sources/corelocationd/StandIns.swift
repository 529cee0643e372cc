import Glibc
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime

extension DaemonProgram {
  static func openStore(in folder: String) throws(StartFailure) -> any DaemonStore { StandInStore() }
  static func identify(_ stream: LocalStream, _ configuration: DaemonConfiguration) throws(RefusedClient)
    -> ClientIdentity
  {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/\(stream.peer.processNumber)/exe", &buffer, buffer.count)
    guard count > 0 else { throw RefusedClient("no exe") }
    let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return ClientIdentity(
      app: AppIdentifier(path, userNumber: stream.peer.userNumber), userNumber: stream.peer.userNumber,
      processNumber: stream.peer.processNumber, kind: "executable", executablePath: path)
  }
}
final class StandInStore: DaemonStore {
  let grants = Locked<[AppIdentifier: Grant]>([:])
  func load(_ app: AppIdentifier) -> StoredAppState { StoredAppState(grant: grants.withLock { $0[app] ?? Grant() }) }
  func store(_ grant: Grant, for app: AppIdentifier) { grants.withLock { $0[app] = grant } }
  func store(_ lastFix: Fix, for app: AppIdentifier) {}
  var areServicesEnabled: Bool { true }
  func obstacle() -> String? { nil }
  func remember(_ identity: ClientIdentity, _ description: AppDescription) {}
  func beginAccess(of app: AppIdentifier, isPrecise: Bool, at time: WallTime) -> Int64? { nil }
  func endAccess(_ number: Int64, at time: WallTime) {}
  func close() {}
}
