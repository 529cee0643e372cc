/// Ends the program for a mistake in it, after one line that says which. A release build's own trap is silent about its
/// reason.
func programmerError(_ sentence: String) -> Never {
  DiagnosticLog.write(sentence)
  preconditionFailure(sentence)
}
