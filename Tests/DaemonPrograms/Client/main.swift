import Foundation
import Glibc
import LinuxIO
import LocationEngine
import LocationRuntime

// A client of the service that tests start as a program of its own: under another name, as another user, confined.
//
//   service-client SOCKET FILE WORD...
//
// sends what each word stands for and writes each byte it hears to FILE, until the connection ends or its standard
// input does. A program that takes this one's place without arguments finds them in SERVICE_CLIENT.

var words = Array(CommandLine.arguments.dropFirst())
if words.isEmpty, let inherited = ProcessInfo.processInfo.environment["SERVICE_CLIENT"] {
  words = inherited.split(separator: " ").map(String.init)
}
guard words.count >= 2 else {
  print("expected SOCKET FILE WORD...")
  exit(2)
}

let number: Int32
do {
  number = try Syscalls.connectLocally(to: words[0])
} catch {
  print("failed: \(error)")
  exit(1)
}

func say(_ messages: ClientMessage...) {
  for message in messages {
    let bytes = WireFrame.encode(message)
    _ = bytes.withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
}

for word in words.dropFirst(2) {
  let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
  switch parts[0] {
  case "app":
    var app = AppDescription(identifier: AppIdentifier(parts.count > 1 ? parts[1] : "forged"))
    app.whenInUseUsage = "To show where you are."
    say(.hello(version: wireProtocolVersion, .app(app)), .addManager(1))
  case "tool": say(.hello(version: wireProtocolVersion, .tool))
  case "ask": say(.request(.requestWhenInUseAuthorization, manager: 1))
  case "start": say(.request(.startUpdatingLocation, manager: 1))
  case "agent": say(.becomeAgent)
  case "answer":
    say(.answerPrompt(PromptIdentifier(UInt64(parts[1]) ?? 0), PromptAnswer(.allowWhileUsing)))
  case "apps": say(.command(.apps, number: 1))
  case "grant": say(.command(.grant(app: parts[1], GrantChange(level: .always), user: nil), number: 2))
  default: print("failed: \(word) is not understood")
  }
}

let file = open(words[1], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o666)
print("ready")
var buffer = [UInt8](repeating: 0, count: 65_536)
var waits = [pollfd(fd: number, events: Int16(POLLIN), revents: 0), pollfd(fd: 0, events: Int16(POLLIN), revents: 0)]
while poll(&waits, 2, -1) > 0 {
  if waits[0].revents != 0 {
    let count = recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count <= 0 { break }
    _ = write(file, buffer, count)
  }
  if waits[1].revents != 0, read(0, &buffer, buffer.count) <= 0 { break }
}
