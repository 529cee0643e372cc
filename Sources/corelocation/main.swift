import Glibc

exit(CommandLineProgram.run(CommandLine.arguments).rawValue)
