/// Which edge of the device is its front, for which headings are given (behaviour 7.5). Of `CLDeviceOrientation` those
/// that can be: an unknown orientation, face up and face down change nothing.
package enum HeadingOrientation: Int, Hashable, Sendable, CaseIterable {
  /// The top edge.
  case portrait
  case portraitUpsideDown
  /// Held with the top edge to the left: the right edge is the front.
  case landscapeLeft
  /// Held with the top edge to the right: the left edge is the front.
  case landscapeRight

  /// Where the front points, in the device's axes.
  package var front: DeviceVector {
    switch self {
    case .portrait: DeviceVector(x: 0, y: 1, z: 0)
    case .portraitUpsideDown: DeviceVector(x: 0, y: -1, z: 0)
    case .landscapeLeft: DeviceVector(x: 1, y: 0, z: 0)
    case .landscapeRight: DeviceVector(x: -1, y: 0, z: 0)
    }
  }

  /// How far the front is clockwise of the top edge, for a source that gives the top edge's direction only.
  package var degreesFromTop: Double {
    switch self {
    case .portrait: 0
    case .portraitUpsideDown: 180
    case .landscapeLeft: 90
    case .landscapeRight: 270
    }
  }
}
