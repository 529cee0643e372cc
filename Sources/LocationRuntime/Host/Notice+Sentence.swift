import LocationEngine

extension Notice {
  /// What the app's developer reads: what was ignored, why, and what to do.
  package var sentence: String {
    switch self {
    case .requestIgnoredForMissingKeys(let app, let request, let keys):
      let list = keys.joined(separator: " and ")
      return "\(request) of \(app.name) did nothing: its Info.plist lacks \(list). "
        + "Add the key with a text that tells people why the app needs location."
    case .requestIgnoredInBackground(let app, let request):
      return "\(request) of \(app.name) did nothing: a prompt needs the app in the foreground."
    case .requestIgnoredWhilePrompting(let app, let request):
      return "\(request) of \(app.name) did nothing: another prompt of this app waits for its answer."
    case .requestIgnoredAsAnswered(let app, let request):
      return "\(request) of \(app.name) did nothing: it was asked once already; only Settings can change the answer."
    case .requestIgnoredAfterAllowOnce(let app, let request):
      return "\(request) of \(app.name) did nothing: location was allowed once, and Always cannot be asked for on top "
        + "of that. The app may ask again when it is used the next time."
    case .serviceUnavailable(let app, let service):
      return "\(app.name) asked for \(service), which this machine or this version does not have; "
        + "it answers as a device without the hardware (docs/compatibility.md)."
    case .killedForBackgroundTasks(let app, let tasks):
      return
        "\(app.name) was ended: its background time was over, and it had not ended \(Self.list(tasks)). "
        + "Call endBackgroundTask for every beginBackgroundTask, in its expiration handler, too."
    case .killedForEvent(let app):
      return
        "\(app.name) was ended: its time for an event was over, and the callback for it had not returned. It is told "
        + "again at its next start. Return within about ten seconds, or begin a background task for more."
    case .tooManyBackgroundTasks(let app, let max):
      return "\(app.name) has more than \(max) open background tasks; the newest expired at once. "
        + "Call endBackgroundTask for every beginBackgroundTask."
    case .launchesHeldOff(let app, let starts, true, let seconds):
      return
        "\(app.name) was started \(starts) times in a short time and ended each time; for \(Int(seconds)) s no event "
        + "starts it. What waits for it is kept; open the app, or look why it ends."
    case .launchesHeldOff(let app, let starts, false, let seconds):
      return
        "\(app.name) could not be started in \(starts) tries; for \(Int(seconds)) s no event starts it. What waits for "
        + "it is kept; install it again from where it is now."
    case .conditionsWithoutSession(let app):
      return
        "The conditions of \(app.name)'s CLMonitor are not watched while the app is not in use, and do not start it: "
        + "hold a CLServiceSession(authorization: .always), begun in the foreground, and begin it again at each launch."
    case .sessionWithoutBackgroundMode(let app):
      return "\(app.name) holds a CLBackgroundActivitySession, which does nothing: UIBackgroundModes in its Info.plist "
        + "lacks \"location\"."
    case .tooManyManagers(let app, let max):
      return "\(app.name) has made more than \(max) location managers; the newest gets no events. "
        + "Keep one manager and release those you do not need."
    case .magneticModelDoesNotHold:
      return "There are no true headings: the World Magnetic Model 2025 holds from 2025 to 2029, and the date is "
        + "another. Magnetic headings go on. Check the machine's clock, or install a version with a newer model."
    case .tooManyRegions(let app, let max):
      return "\(app.name) has \(max) regions, which is as many as one app may have (policy regionsPerAppMax); one more "
        + "is not monitored. Stop one that is far away before you start another."
    }
  }

  /// The first of many names: an app may have a thousand tasks.
  package static func list(_ names: [String]) -> String {
    let shownMax = 5
    let shown = names.prefix(shownMax).joined(separator: ", ")
    return names.count > shownMax ? "\(shown) and \(names.count - shownMax) more" : shown
  }
}
