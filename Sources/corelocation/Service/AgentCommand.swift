import LinuxIO
import LocationRuntime

/// `corelocation agent`: asks this person, on this terminal or on the desktop, what apps may have.
enum AgentCommand {
  static let command = Command(
    name: "agent",
    summary: "Asks when apps want your location, on this terminal or on the desktop, until it is stopped",
    options: [
      .init("desktop", nil, "ask in notifications of the desktop, also where there is a terminal")
    ],
    notes: [
      "Without a terminal it asks on the desktop of the session, whose notifications have to show buttons.",
      "The first agent of a person is asked; when it ends the next is, with the question that was open. A notification",
      "that is closed, or Control-D on the terminal, puts the question off: the next agent is asked, or this one again",
      "after five minutes. Without an agent questions wait; \"corelocation grant\" and \"deny\" answer them, too.",
      "It also shows an app's settings where the app opens them.",
    ],
    run: { (arguments) throws(CommandFailure) in try run(isOnDesktop: arguments.has("desktop")) })

  private static func run(isOnDesktop: Bool) throws(CommandFailure) -> ExitStatus {
    Interruption.endsCleanly()
    let end = AgentEnd()
    let path: String
    do throws(ToolConnection.Failure) { path = try ServiceAccess.socketPath() } catch {
      throw .failed(error.description)
    }
    let isAtTerminal = !isOnDesktop && TerminalPrompter.hasTerminal
    let prompter: any AgentPrompter = isAtTerminal ? AgentTerminal(log: Messages.log) : try desktop(isOnDesktop, end)
    let session = AgentSession(prompter: prompter, path: path, end: end)
    Messages.say(
      isAtTerminal
        ? "Waiting for questions. Press Control-C to end." : "Waiting for questions, which come as notifications.")
    throw .failed(session.run())
  }

  private static func desktop(_ isWanted: Bool, _ end: AgentEnd) throws(CommandFailure) -> any AgentPrompter {
    guard let address = BusAddress.session else {
      throw .failed(
        isWanted
          ? "there is no desktop session to ask in: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set"
          : "there is neither a terminal nor a desktop session to ask in; run it in one, or decide with "
            + "\"corelocation grant\"")
    }
    do throws(DesktopPrompter.Failure) {
      return try DesktopPrompter(address: address, ended: { end.come(because: $0) })
    } catch {
      throw .failed("\(error); run \"corelocation agent\" in a terminal, or decide with \"corelocation grant\"")
    }
  }
}
