import Dispatch
import LinuxIO
import LocationEngine

/// Asks in notifications of the desktop, with a button for each choice.
///
/// A notification that is closed without an answer puts its question off. So does a desktop that goes away or cannot
/// show it: the service knows who is asked next.
package final class DesktopPrompter: AgentPrompter, @unchecked Sendable {
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
  }

  private struct Shown {
    var notification: PromptNotification
    var appeared: @Sendable () -> Void
    var answer: @Sendable (PromptAnswer) -> Void
    var putOff: @Sendable () -> Void
    /// Nil until the desktop has told it.
    var number: UInt32?
    /// Of the call that shows it; the answer to an older one is of a notification that is not wanted any more.
    var call: UInt64
  }

  private static let turnOnKey = "turn-on"

  private let queue = DispatchQueue(label: "corelocation.desktop")
  private let ended: @Sendable (String) -> Void

  // MARK: On the queue

  private var bus: BusConnection?
  private var server: NotificationServer?
  private var ownerWatch: BusSubscription?
  private var shown: Shown?
  private var callCount: UInt64 = 0
  private var alerts: [UInt32: @Sendable () -> Void] = [:]

  /// Returns when the desktop has said that it shows buttons.
  ///
  /// - Parameters:
  ///   - address: of the session's bus.
  ///   - ended: the session has gone; why, as a sentence. Nothing is shown from then on.
  package init(address: String, ended: @escaping @Sendable (String) -> Void) throws(Failure) {
    self.ended = ended
    let found = DispatchSemaphore(value: 0)
    let failure = Locked<Failure?>(nil)
    let connectionFailure = queue.sync { () -> Failure? in
      do throws(BusError) {
        let bus = try BusConnection(address: address, queue: queue) { [weak self] error in
          self?.lostServer()
          ended("The message bus of the session has gone (\(error.text)).")
        }
        self.bus = bus
        ownerWatch = try bus.watch(name: NotificationServer.name) { [weak self] owner in
          if owner == nil { self?.lostServer() }
        }
        findServer { problem in
          failure.withLock { $0 = problem }
          found.signal()
        }
        return nil
      } catch {
        return Failure(description: "the message bus of the session does not answer (\(error.text))")
      }
    }
    if let connectionFailure { throw connectionFailure }
    found.wait()
    if let problem = failure.withLock({ $0 }) {
      close()
      throw problem
    }
  }

  /// Leaves the bus. What is on screen stays, since nobody knows what it is worth any more; its buttons do nothing.
  package func close() {
    queue.sync {
      server = nil
      ownerWatch = nil
      bus?.close()
    }
  }

  // MARK: AgentPrompter, from any thread

  package func show(
    _ prompt: Prompt, shown: @escaping @Sendable () -> Void, answer: @escaping @Sendable (PromptAnswer) -> Void,
    putOff: @escaping @Sendable () -> Void
  ) {
    queue.async { [self] in
      self.shown = Shown(
        notification: PromptNotification(prompt), appeared: shown, answer: answer, putOff: putOff, number: nil, call: 0)
      withServer { [self] server in
        if server != nil { notify() } else { putOffShown() }
      }
    }
  }

  package func withdraw(_ prompt: PromptIdentifier) {
    queue.async { [self] in
      if shown?.notification.prompt.identifier == prompt { takeAway() }
    }
  }

  package func showServicesAlert(for app: AppIdentifier, turnOn: @escaping @Sendable () -> Void) {
    let content = NotificationServer.Content(
      summary: "Turn on Location Services?",
      body: "",
      actions: [
        PromptNotification.Action(key: Self.turnOnKey, label: "Turn On"),
        PromptNotification.Action(key: "not-now", label: "Not Now"),
      ], isUrgent: false)
    queue.async { [self] in
      withServer { [self] server in
        guard let server else { return }
        var content = content
        content.body = Self.text("\(PlainText.printable(app.name)) wants your location.", for: server)
        server.show(content) { [self] result in
          if case .success(let number) = result { alerts[number] = turnOn }
        }
      }
    }
  }

  package func tell(_ sentence: String) {
    queue.async { [self] in
      withServer { server in
        guard let server else { return }
        let content = NotificationServer.Content(
          summary: "Location Services", body: Self.text(PlainText.printable(sentence), for: server), actions: [],
          isUrgent: false)
        server.show(content) { _ in }
      }
    }
  }

  private static func text(_ text: String, for server: NotificationServer) -> String {
    server.readsMarkup ? PromptNotification.escape(text) : text
  }

  // MARK: The desktop's service

  /// The service that is there, or that the bus can start; nil where there is none that shows buttons.
  private func withServer(_ body: @escaping (NotificationServer?) -> Void) {
    if let server { return body(server) }
    findServer { [weak self] _ in body(self?.server) }
  }

  private func findServer(_ done: @escaping (Failure?) -> Void) {
    guard let bus, !bus.isClosed else { return done(Failure(description: "the session has gone")) }
    NotificationServer.find(on: bus, heard: { [weak self] in self?.heard($0) }) { [weak self] result in
      switch result {
      case .success(let server) where server.showsButtons:
        self?.server = server
        done(nil)
      case .success:
        done(Failure(description: "the notifications of this desktop show no buttons, so that none could be answered"))
      case .failure(let error):
        done(Failure(description: "nothing on this desktop shows notifications (\(error.text))"))
      }
    }
  }

  private func lostServer() {
    server = nil
    alerts = [:]
    shown?.number = nil
    putOffShown()
  }

  // MARK: The notification

  private func notify() {
    guard let server, let notification = shown?.notification else { return }
    callCount += 1
    let call = callCount
    shown?.call = call
    let content = NotificationServer.Content(
      summary: notification.summary, body: notification.body(readsMarkup: server.readsMarkup),
      actions: notification.actions, isUrgent: true)
    server.show(content) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let number) where shown?.call == call:
        shown?.number = number
        shown?.appeared()
      case .success(let number): server.close(number)
      case .failure where shown?.call == call: putOffShown()
      case .failure: break
      }
    }
  }

  private func heard(_ event: NotificationServer.Event) {
    switch event {
    case .actionInvoked(let number, let key):
      if let turnOn = alerts.removeValue(forKey: number) {
        if key == Self.turnOnKey { turnOn() }
        server?.close(number)
      } else if let shown, shown.number == number {
        invoked(key, of: shown)
      }
    case .closed(let number):
      alerts[number] = nil
      if let shown, shown.number == number { putOffShown() }
    }
  }

  private func invoked(_ key: String, of shown: Shown) {
    switch shown.notification.meaning(of: key) {
    case nil: break
    case .answer(let answer):
      takeAway()
      shown.answer(answer)
    case .switchPrecise:
      takeAway()
      self.shown = shown
      self.shown?.number = nil
      self.shown?.notification.isPrecise.toggle()
      notify()
    }
  }

  /// Nothing is on screen any more.
  private func takeAway() {
    if let number = shown?.number { server?.close(number) }
    shown = nil
  }

  private func putOffShown() {
    let putOff = shown?.putOff
    shown = nil
    putOff?()
  }
}
