/// What `UIApplication` and most app delegates derive from. Events and the responder chain are not part of this module.
///
/// A delegate that is named by its class, to `UIApplicationMain` or by `@main`, has to derive from it: its `init()` can
/// be called for a class that is known by name only, which Foundation's `NSObject` on Linux does not allow. A subclass
/// with an `init()` of its own writes `required` before it.
@MainActor open class UIResponder: NSObject {
  public required override init() {
    super.init()
  }
}
