import LocationModel

/// The calibration display: an app in the foreground is asked at its first use of the compass, when something begins to
/// disturb the compass, and when the strength of the field has changed much since it was asked. Where its delegate says
/// yes the display stays until the compass has been calm for a while, or until the app dismisses it (behaviour 7.7).
extension LocationEngine {
  mutating func considerCalibration(app index: Int, effects: inout [Effect]) {
    endCalibrationIfCalm(app: index, effects: &effects)
    guard apps[index].state == .foreground, let newest = compass.newest, newest.isMagnetic,
      let asked = apps[index].sessions.first(where: { $0.heading != nil })
    else { return }
    let strength = newest.fieldMicroteslas?.length
    if let calibration = apps[index].headingCalibration, !isNews(strength, to: calibration) { return }
    let shownSince = apps[index].headingCalibration?.shownSince
    apps[index].headingCalibration = HeadingCalibration(
      askedAtMicroteslas: strength, toldDisturbance: compass.disturbanceCount, shownSince: shownSince)
    guard shownSince == nil else { return }
    effects.append(.deliver(.headingCalibrationAsked, to: asked.identifier))
  }

  private func isNews(_ strength: Double?, to calibration: HeadingCalibration) -> Bool {
    if compass.newest?.isDisturbed == true, calibration.toldDisturbance != compass.disturbanceCount { return true }
    guard let strength, let before = calibration.askedAtMicroteslas else { return false }
    return abs(strength - before) > policy.headingCalibrationFieldRatio * before
  }

  /// The app's delegate has said yes.
  mutating func showCalibration(app index: Int, effects: inout [Effect]) {
    guard apps[index].state == .foreground, apps[index].headingCalibration?.shownSince == nil,
      apps[index].headingCalibration != nil, apps[index].sessions.contains(where: { $0.heading != nil })
    else { return }
    apps[index].headingCalibration?.shownSince = now
    effects.append(.showHeadingCalibration(apps[index].identifier))
  }

  mutating func dismissCalibration(app index: Int, effects: inout [Effect]) {
    guard apps[index].headingCalibration?.shownSince != nil else { return }
    apps[index].headingCalibration?.shownSince = nil
    effects.append(.hideHeadingCalibration(apps[index].identifier))
  }

  mutating func endCalibrationWithoutHeading(app index: Int, effects: inout [Effect]) {
    guard !apps[index].sessions.contains(where: { $0.heading != nil }) else { return }
    dismissCalibration(app: index, effects: &effects)
  }

  private mutating func endCalibrationIfCalm(app index: Int, effects: inout [Effect]) {
    guard let since = apps[index].headingCalibration?.shownSince,
      now.seconds(since: since) >= policy.headingCalmSeconds, compass.isCalm(at: now, policy: policy)
    else { return }
    dismissCalibration(app: index, effects: &effects)
  }
}
