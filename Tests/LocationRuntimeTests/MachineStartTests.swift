import LinuxIO
import Testing

@Suite("Which start of the machine this is")
struct MachineStartTests {
  private let told = "0eac9a49bb2145428646e8bdc7efea13"

  @Test("The kernel's word counts before systemd's, and both write one number in their own way (random(4))")
  func kernel() throws {
    let kernel = try #require(MachineStart.identifier(told: nil), "this machine's kernel tells it")
    #expect(kernel.count == 32 && kernel.allSatisfy(\.isHexDigit), "a UUID of 128 bits")
    #expect(MachineStart.identifier(told: told) == kernel)
  }

  @Test("Where a sandbox hides the kernel's, as ProcSubset=pid does, systemd's word counts")
  func hidden() {
    #expect(MachineStart.identifier(told: told, kernelFile: "/proc/self/nothing") == told)
    let dashed = "0eac9a49-bb21-4542-8646-e8bdc7efea13\n"
    #expect(MachineStart.identifier(told: dashed, kernelFile: "/proc/self/nothing") == told)
  }

  @Test("Nothing is invented where neither is told", arguments: [nil, "", "\n"] as [String?])
  func unknown(told: String?) {
    #expect(MachineStart.identifier(told: told, kernelFile: "/proc/self/nothing") == nil)
  }
}
