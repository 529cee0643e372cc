/// Tells one start of the machine from the next.
package enum MachineStart {
  /// By it systemd tells a service of the machine's start (`%b` in the unit, systemd.unit(5)).
  package static let variable = "CORELOCATION_MACHINE_START"

  /// The kernel's word (random(4)); where a sandbox hides it, what systemd has told; nil where there is neither.
  package static func identifier(
    told: String?, kernelFile path: String = "/proc/sys/kernel/random/boot_id"
  ) -> String? {
    let word = (try? SmallFile(path: path)).map { String(decoding: $0.bytes, as: UTF8.self) }
    // One number, which the kernel writes with dashes and systemd without.
    return [word, told].lazy.compactMap { $0?.filter(\.isHexDigit) }.first { !$0.isEmpty }
  }
}
