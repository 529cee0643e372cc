/// Which edge of the device is its top, as a reference for headings (behaviour 7.5).
public enum CLDeviceOrientation: Int32, Sendable, BitwiseCopyable {
  case unknown = 0
  case portrait = 1
  case portraitUpsideDown = 2
  case landscapeLeft = 3
  case landscapeRight = 4
  case faceUp = 5
  case faceDown = 6
}
