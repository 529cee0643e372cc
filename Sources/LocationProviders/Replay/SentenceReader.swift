import LinuxIO
import LocationFormats
import LocationModel

/// The positions of an NMEA recording, one at a time, read while they are asked for.
///
/// A position without an accuracy of the receiver's own stays without: nothing is assumed, unlike for GPX.
package final class SentenceReader {
  private static let pieceBytes = 65_536

  /// The file as messages name it.
  package let name: String
  private let file: InputFile
  private let reader = NMEAReader(.recorded)
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 1)
  private var epochs: [NMEAEpoch] = []
  private var position = 0
  private var isAtEnd = false
  private var hasBytes = false
  private var hasGiven = false
  private var failure: ReplayError?

  package var counts: NMEACounts { reader.counts }

  package init(path: String) throws(ReplayError) {
    name = ReplayError.fileName(path)
    do throws(SystemError) {
      file = try InputFile(path: path)
    } catch {
      throw ReplayError.cannotOpen(path, error)
    }
    if let isDirectory = try? file.isDirectory(), isDirectory {
      throw ReplayError(reason: .isDirectory, file: name, explanation: "is a directory; expected an NMEA recording")
    }
  }

  deinit { piece.deallocate() }

  /// Puts the next position into `point`; the end comes of a recording that had one. With a patience it waits no
  /// longer for a pipe to go on.
  func read(into point: inout TrackPoint, patienceMilliseconds: Int32?) throws(ReplayError) -> TrackReader.Outcome {
    while true {
      while position < epochs.count {
        let epoch = epochs[position]
        position += 1
        if let fix = epoch.fix {
          hasGiven = true
          point = TrackPoint(fix)
          return .point
        }
      }
      if let failure, isAtEnd { throw failure }
      if isAtEnd {
        guard hasGiven else { throw nothingToPlay() }
        return .end
      }
      if let patienceMilliseconds, !file.hasInput(withinMilliseconds: patienceMilliseconds) { return .silence }
      readPiece()
    }
  }

  private func readPiece() {
    do throws(SystemError) {
      let count = try file.read(into: piece)
      if count > 0 {
        hasBytes = true
        let bytes = UnsafeRawBufferPointer(rebasing: piece[..<count])
        bytes.withMemoryRebound(to: UInt8.self) { reader.feed($0) }
      } else {
        isAtEnd = true
        reader.finish()
      }
    } catch {
      failure = ReplayError(reason: .cannotRead, file: name, explanation: "cannot be read: \(error.text)")
      isAtEnd = true
      reader.finish()
    }
    reader.takeEpochs(into: &epochs)
    position = 0
  }

  private func nothingToPlay() -> ReplayError {
    let error = ReplayError.noPosition(in: name, hasBytes: hasBytes, sentenceCount: counts.sentences)
    failure = error
    return error
  }
}

extension ReplayError {
  /// Of NMEA sentences without a position: a recording, or a stream that has ended.
  static func noPosition(in name: String, hasBytes: Bool, sentenceCount: Int) -> ReplayError {
    if !hasBytes {
      return ReplayError(reason: .isEmpty, file: name, explanation: "is empty; expected an NMEA recording")
    }
    guard sentenceCount > 0 else {
      return ReplayError(
        reason: .nothingToPlay, file: name,
        explanation: "is no NMEA recording: it has no sentence with a right checksum; expected lines such as $GPRMC,..."
      )
    }
    return ReplayError(
      reason: .nothingToPlay, file: name,
      explanation: "nothing to play: none of its \(sentenceCount) sentences tells a position")
  }
}

extension TrackPoint {
  fileprivate init(_ fix: Fix) {
    self.init(coordinate: fix.coordinate, time: fix.time)
    elevationMeters = fix.altitudeMeters
    if let height = fix.ellipsoidalAltitudeMeters, let altitude = fix.altitudeMeters {
      geoidHeightMeters = height - altitude
    }
    horizontalAccuracyMeters = fix.horizontalAccuracyMeters
    verticalAccuracyMeters = fix.verticalAccuracyMeters
    speedMetersPerSecond = fix.speedMetersPerSecond
    speedAccuracyMetersPerSecond = fix.speedAccuracyMetersPerSecond
    courseDegrees = fix.courseDegrees
    courseAccuracyDegrees = fix.courseAccuracyDegrees
  }
}
