/// Tells one start of the machine from the next.
package enum MachineStart {
  /// The kernel's word (random(4)); nil where it has none.
  package static var identifier: String? {
    guard let file = try? SmallFile(path: "/proc/sys/kernel/random/boot_id") else { return nil }
    let text = String(decoding: file.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
