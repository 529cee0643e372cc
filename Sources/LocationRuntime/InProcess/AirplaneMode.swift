import Dispatch
import Glibc
import LinuxIO

/// Whether the machine is in airplane mode, and each change of it: every radio is blocked, or the person has said so
/// with `corelocation airplane on` (behaviour 3.12). Costs nothing while nothing changes.
package final class AirplaneMode: @unchecked Sendable {
  /// Where it stands; tests have places of their own.
  package struct Places: Sendable {
    /// The person's switch: airplane mode is on where the file exists. Nil where there is no folder for it.
    package var switchPath: String?
    package var radioDevice = "/dev/rfkill"
    package var radioFolder = "/sys/class/rfkill"

    package init(switchPath: String?) {
      self.switchPath = switchPath
    }

    package static func ofThisMachine(_ environment: ProcessEnvironment) -> Places {
      Places(switchPath: environment.stateFolder.map { $0 + "/corelocation/airplane" })
    }
  }

  /// Why it is on, or that it is not.
  package struct State: Hashable, Sendable {
    package var isSwitchedOn = false
    package var radioCount = 0
    package var isEveryRadioBlocked = false

    package var isOn: Bool { isSwitchedOn || isEveryRadioBlocked }

    package init(isSwitchedOn: Bool = false, radioCount: Int = 0, isEveryRadioBlocked: Bool = false) {
      self.isSwitchedOn = isSwitchedOn
      self.radioCount = radioCount
      self.isEveryRadioBlocked = isEveryRadioBlocked
    }
  }

  private let places: Places
  private let changed: @Sendable (Bool) -> Void
  private let queue = DispatchQueue(label: "corelocation.airplane")

  // MARK: On the queue, and set once before anybody else has this object

  private var radios: RadioSwitches?
  private var folderWatch: FolderWatch?
  private var told = false

  /// - Parameter changed: hears at once where it is on, before this returns, and later each change.
  package init(_ places: Places, changed: @escaping @Sendable (Bool) -> Void = { _ in }) {
    self.places = places
    self.changed = changed
    queue.sync {
      radios = RadioSwitches(device: places.radioDevice, folder: places.radioFolder, queue: queue) { [weak self] in
        self?.look()
      }
      watchSwitch()
      look()
    }
  }

  /// From any thread.
  package var state: State {
    State(
      isSwitchedOn: places.switchPath.map { access($0, F_OK) == 0 } ?? false, radioCount: radios?.count ?? 0,
      isEveryRadioBlocked: radios?.isEveryRadioBlocked ?? false)
  }

  private func look() {
    let isOn = state.isOn
    guard isOn != told else { return }
    told = isOn
    changed(isOn)
  }

  /// The folder is made where it is missing, so that a later switch is heard; where it cannot be made there is no
  /// switch to hear of.
  private func watchSwitch() {
    guard let path = places.switchPath else { return }
    let (folder, name) = FolderWatch.split(path)
    try? PrivateFile.makeFolder(folder)
    folderWatch = try? FolderWatch(
      folder: folder, queue: queue, matches: { $0 == name }, changed: { [weak self] in self?.look() })
  }

  // MARK: The person's switch

  package typealias SwitchFailure = PrivateFile.Failure

  /// Every process of the person that listens for locations hears of it.
  package static func set(_ isOn: Bool, at path: String) throws(SwitchFailure) {
    guard isOn else { return try PrivateFile.remove(path) }
    try PrivateFile.makeFolder(FolderWatch.split(path).folder)
    try PrivateFile.replace(path, with: [])
  }
}
