import Glibc

exit(DaemonProgram.run())
