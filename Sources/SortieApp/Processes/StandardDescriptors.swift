internal import Glibc

/// The descriptors 0, 1 and 2 of the process.
package enum StandardDescriptors {
    /// Opens `/dev/null` in place of each one that is closed, so that no file, socket or event of the program gets its number and is read or written
    /// as standard input or output.
    ///
    /// It is opened for the other direction, so that to write to a closed output is an error.
    package static func reserve() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is that of the descriptor. Without /dev/null, the program runs as before.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
