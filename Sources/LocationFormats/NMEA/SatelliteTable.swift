/// One satellite as the receiver last described it, for `doctor`.
package struct SatelliteView: Equatable, Sendable {
  package var system: SatelliteSystem
  /// As NMEA numbers it within the system.
  package var number: Int
  package var elevationDegrees: Int?
  /// Clockwise from true north.
  package var azimuthDegrees: Int?
  /// Carrier to noise density, dB-Hz: the strongest of the satellite's signals. Nil while it is not received.
  package var signalDecibelHertz: Int?
  package var isUsed: Bool

  package init(
    system: SatelliteSystem, number: Int, elevationDegrees: Int?, azimuthDegrees: Int?, signalDecibelHertz: Int?,
    isUsed: Bool
  ) {
    self.system = system
    self.number = number
    self.elevationDegrees = elevationDegrees
    self.azimuthDegrees = azimuthDegrees
    self.signalDecibelHertz = signalDecibelHertz
    self.isUsed = isUsed
  }
}

/// The sky, keyed by system and number. Written without a search and without allocation, since more than half of all
/// sentences are about satellites.
///
/// A system's round begins with the first sentence of the signal that began the round before; satellites that a round
/// does not name are gone from view with its end.
final class SatelliteTable {
  private struct Entry {
    var elevation: Int16 = -1
    var azimuth: Int16 = -1
    var signal: Int16 = -1
    /// Of the system's rounds, the last that named it; 0 for none.
    var round: UInt16 = 0
    /// The last epoch that used it; 0 for none.
    var usedEpoch: UInt16 = 0
  }

  private struct Sky {
    var round: UInt16 = 0
    var firstSignal: UInt8 = 0
    /// All sentences of the first signal have come.
    var isWhole = false
    /// The last epoch that named satellites in use.
    var usedEpoch: UInt16 = 0
  }

  /// Numbers up to 511; larger ones are no satellite's.
  private static let numberCount = 512
  private static let systemCount = SatelliteSystem.allCases.count
  private let entries: UnsafeMutablePointer<Entry>
  private let skies: UnsafeMutablePointer<Sky>

  init() {
    entries = .allocate(capacity: Self.numberCount * Self.systemCount)
    entries.initialize(repeating: Entry(), count: Self.numberCount * Self.systemCount)
    skies = .allocate(capacity: Self.systemCount)
    skies.initialize(repeating: Sky(), count: Self.systemCount)
  }

  deinit {
    entries.deallocate()
    skies.deallocate()
  }

  /// `sentence` stays as it is. It is passed in place since a copy right after it was written costs as much as all else
  /// done here.
  func add(_ sentence: inout NMEASentence.GSV) {
    let talkerSystem = sentence.talker.system
    let system = talkerSystem ?? .unknown
    let sky = skies + Int(system.rawValue)
    if sentence.sentenceNumber == 1 && (sky.pointee.round == 0 || sky.pointee.firstSignal == sentence.signal) {
      sky.pointee.round = sky.pointee.round == .max ? 1 : sky.pointee.round + 1
      sky.pointee.firstSignal = sentence.signal
      sky.pointee.isWhole = false
    }
    let round = sky.pointee.round
    guard round != 0 else { return }
    let row = entries + Int(system.rawValue) * Self.numberCount
    for index in sentence.sightings.indices {
      let sighting = sentence.sightings[index]
      guard sighting.number > 0 && sighting.number < Self.numberCount else { continue }
      let entry = row + Int(sighting.number)
      if entry.pointee.round != round {
        entry.pointee.round = round
        entry.pointee.signal = sighting.signalDecibelHertz
      } else {
        entry.pointee.signal = max(entry.pointee.signal, sighting.signalDecibelHertz)
      }
      entry.pointee.elevation = sighting.elevationDegrees
      entry.pointee.azimuth = sighting.azimuthDegrees
    }
    if sentence.sentenceNumber >= sentence.sentenceCount && sky.pointee.firstSignal == sentence.signal {
      sky.pointee.isWhole = true
    }
  }

  /// `epoch` counts from 1. `sentence` stays as it is.
  func markUsed(_ sentence: inout NMEASentence.GSA, epoch: UInt16) {
    if let named = sentence.system ?? sentence.talker.system {
      // Also where it names none: then none of the system is used any more.
      skies[Int(named.rawValue)].usedEpoch = epoch
    }
    if let known = sentence.system ?? sentence.talker.system, known != .augmentation {
      let row = entries + Int(known.rawValue) * Self.numberCount
      for index in sentence.satellites.indices {
        let number = Int(sentence.satellites[index])
        if number > 0 && number < Self.numberCount { row[number].usedEpoch = epoch }
      }
      return
    }
    for index in sentence.satellites.indices {
      let number = Int(sentence.satellites[index])
      guard number > 0 && number < Self.numberCount else { continue }
      let system = row(of: SatelliteSystem(number: number))
      skies[system].usedEpoch = epoch
      entries[system * Self.numberCount + number].usedEpoch = epoch
    }
  }

  /// Augmentation satellites stand in the row of GPS, since GPS's sentences name them.
  @inline(__always)
  private func row(of system: SatelliteSystem) -> Int {
    Int((system == .augmentation ? .gps : system).rawValue)
  }

  /// All in view or in use, by system and number.
  var views: [SatelliteView] {
    var views: [SatelliteView] = []
    for system in SatelliteSystem.allCases {
      let sky = skies[Int(system.rawValue)]
      // Of a system that nothing was heard of, the row is not touched: the rows are long.
      guard sky.round != 0 || sky.usedEpoch != 0 else { continue }
      for number in 1..<Self.numberCount {
        let entry = entries[Int(system.rawValue) * Self.numberCount + number]
        let isNewest = entry.round != 0 && entry.round == sky.round
        let isOfLastRound = !sky.isWhole && entry.round != 0 && entry.round &+ 1 == sky.round
        let isUsed = entry.usedEpoch != 0 && entry.usedEpoch == sky.usedEpoch
        guard isNewest || isOfLastRound || isUsed else { continue }
        let isDescribed = isNewest || isOfLastRound
        views.append(
          SatelliteView(
            system: Self.named(system, number), number: number,
            elevationDegrees: Self.known(entry.elevation, isDescribed),
            azimuthDegrees: Self.known(entry.azimuth, isDescribed),
            signalDecibelHertz: Self.known(entry.signal, isDescribed), isUsed: isUsed))
      }
    }
    return views.sorted { ($0.system.rawValue, $0.number) < ($1.system.rawValue, $1.number) }
  }

  private static func known(_ value: Int16, _ isDescribed: Bool) -> Int? {
    isDescribed && value >= 0 ? Int(value) : nil
  }

  /// What GPS's sentences, and those of talkers for all systems, call by a number of another's range.
  private static func named(_ system: SatelliteSystem, _ number: Int) -> SatelliteSystem {
    guard system == .gps || system == .unknown else { return system }
    return number > 32 || system == .unknown ? SatelliteSystem(number: number) : .gps
  }
}
