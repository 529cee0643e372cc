/// How near a beacon is (behaviour 6.7).
public enum CLProximity: Int, Sendable, BitwiseCopyable {
  case unknown = 0
  case immediate = 1
  case near = 2
  case far = 3
}
