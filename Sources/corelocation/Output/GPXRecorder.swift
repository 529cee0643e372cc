import LinuxIO
import LocationEngine
import LocationFormats
import LocationModel

/// Writes the locations of a session to a new GPX file, one by one; the file is whole after each.
final class GPXRecorder: Sendable {
  private struct State {
    var count = 0
    /// Locations have stopped since the last point.
    var isInterrupted = false
    var failure: String?
  }

  private let path: String
  private let state = Locked(State())
  /// Touched under the lock only.
  private nonisolated(unsafe) let file: GrowingFile

  init(path: String) throws(CommandFailure) {
    self.path = path
    do throws(SystemError) {
      file = try GrowingFile(
        path: path, beginning: GPXWriter.header(creator: "corelocation \(CommandLineProgram.version)"),
        end: GPXWriter.footer)
    } catch {
      let cure = error.isThere ? "; expected a file that is not there yet" : ""
      throw .failed("\(path) cannot be made: \(error.text)\(cure)")
    }
  }

  /// Why recording has ended, if it had to.
  var failure: String? { state.withLock { $0.failure } }

  func heard(_ event: ManagerEvent) {
    state.withLock { state in
      switch event {
      case .locationsUpdated(let fixes, _):
        for fix in fixes { add(fix, &state) }
      case .failed(.locationUnknown, _): state.isInterrupted = state.count > 0
      default: break
      }
    }
  }

  /// Leaves no file without a point behind.
  func finish() {
    state.withLock { state in
      if state.count == 0 { file.remove() }
    }
  }

  private func add(_ fix: Fix, _ state: inout State) {
    let point = GPXWriter.trackPoint(TrackPoint(fix))
    guard state.failure == nil, !point.isEmpty else { return }
    do throws(SystemError) {
      try file.append((state.isInterrupted ? GPXWriter.segmentBreak : []) + point)
      state.count += 1
      state.isInterrupted = false
    } catch {
      state.failure = "\(path) cannot be written: \(error.text)"
    }
  }
}

extension TrackPoint {
  fileprivate init(_ fix: Fix) {
    self.init(coordinate: fix.coordinate, time: fix.time)
    elevationMeters = fix.altitudeMeters
    horizontalAccuracyMeters = fix.horizontalAccuracyMeters
    verticalAccuracyMeters = fix.verticalAccuracyMeters
    speedMetersPerSecond = fix.speedMetersPerSecond
    speedAccuracyMetersPerSecond = fix.speedAccuracyMetersPerSecond
    courseDegrees = fix.courseDegrees
    courseAccuracyDegrees = fix.courseAccuracyDegrees
    if let altitude = fix.altitudeMeters, let ellipsoidal = fix.ellipsoidalAltitudeMeters {
      geoidHeightMeters = ellipsoidal - altitude
    }
  }
}
