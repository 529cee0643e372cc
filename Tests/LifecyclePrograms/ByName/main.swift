import AppLifecycle

// An app that prints what it hears of its life, for AppProcessTests.

if CommandLine.arguments.dropFirst().first == "names" {
  UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, "Nobody")
}
UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(AppDelegate.self))
