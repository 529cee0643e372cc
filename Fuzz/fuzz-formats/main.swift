// Feeds made-up bytes to one of the decoders, which FUZZ_DECODER names, for as long as libFuzzer is told to. A trap, a
// hang or an invalid memory access is a find; it is kept as a file and belongs into the tests as a fixture.

@_silgen_name("LLVMFuzzerRunDriver")
func LLVMFuzzerRunDriver(
  _ argumentCount: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ one: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

var argumentCount = CommandLine.argc
var arguments = CommandLine.unsafeArgv
_ = LLVMFuzzerRunDriver(&argumentCount, &arguments) { attack($0, $1) }
