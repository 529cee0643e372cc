import Dispatch
import Foundation

/// The one pending request of a geocoder. Every completion runs once, on the main queue, and finds no request pending.
final class GeocodeRequests: @unchecked Sendable {
  typealias Completion = @Sendable ([CLPlacemark]?, (any Error)?) -> Void

  private let lock = NSLock()
  private var pending: (number: UInt64, completion: Completion)?
  private var lastNumber: UInt64 = 0

  var isPending: Bool {
    lock.withLock { pending != nil }
  }

  /// Refuses `completion` with `geocodeCanceled` while another request is pending.
  func start(_ completion: @escaping Completion) {
    let number: UInt64? = lock.withLock {
      guard pending == nil else { return nil }
      lastNumber += 1
      pending = (lastNumber, completion)
      return lastNumber
    }
    guard let number else {
      return DispatchQueue.main.async { completion(nil, CLError(.geocodeCanceled)) }
    }
    DispatchQueue.main.async { self.finish(number) }
  }

  func cancel() {
    guard let completion = take(where: { _ in true }) else { return }
    DispatchQueue.main.async { completion(nil, CLError(.geocodeCanceled)) }
  }

  private func finish(_ number: UInt64) {
    take(where: { $0 == number })?(nil, CLError(.network))
  }

  private func take(where matches: (UInt64) -> Bool) -> Completion? {
    lock.withLock {
      guard let (number, completion) = pending, matches(number) else { return nil }
      pending = nil
      return completion
    }
  }
}
