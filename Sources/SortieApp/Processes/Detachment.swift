internal import CLinux
internal import Foundation
internal import Glibc
internal import Synchronization

/// Moves the work of a command out of the foreground, so that it continues after the command has returned.
package struct Detachment: Sendable {
    /// Leaves the session of the terminal: standard input and output become `/dev/null`, standard error the given descriptor.
    let leave: @Sendable (_ log: Int32) -> Void

    /// Starts this program again with the same arguments, and returns in the child; nil where the system permits no further process.
    ///
    /// The process must have one thread. The child executes the whole command, so that no value has to be passed to it. It is a new program and no copy,
    /// because Swift's Mutex stores the number of the thread, which is another one after fork(2). Until it leaves the foreground, it belongs to
    /// the job of the shell: it asks questions on the terminal and receives Ctrl-C. The parent waits for that, or for the end of the child, and ends
    /// with its exit code. When the parent ends by a signal before that, the child receives SIGTERM.
    package static func ofProcess() -> Detachment? {
        if let reporting = descriptorOfParent() { return ofChild(reporting) }
        var ends: [Int32] = [-1, -1]
        // A pair of sockets, because Swift's Glibc module has no pipe2.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
        let (waiting, reporting) = (ends[0], ends[1])
        setenv(variable, String(reporting), 1)
        // A detached download does not end with the hook that started it.
        unsetenv(ProcessMark.variable)
        let program = ProgramFile.own
        let child = clinux_fork()
        if child == 0 {
            _ = fcntl(reporting, F_SETFD, 0)
            execv(program, CommandLine.unsafeArgv)
            _exit(127)
        }
        close(reporting)
        guard child > 0 else {
            unsetenv(variable)
            close(waiting)
            return nil
        }
        wait(for: child, waiting)
    }

    /// The environment variable with the descriptor by which the child reports to its parent; the child removes it.
    private static let variable = "SORTIE_DETACHING"

    /// The descriptor that the parent of this process has passed; nil in a process that was not started by ``ofProcess()``.
    private static func descriptorOfParent() -> Int32? {
        guard let text = getenv(variable), let descriptor = Int32(String(cString: text)) else { return nil }
        unsetenv(variable)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { return nil }
        return descriptor
    }

    private static func ofChild(_ reporting: Int32) -> Detachment {
        let inherited = InheritedDescriptor.all(except: reporting)
        let hasLeft = Mutex(false)
        // A thread, because the signal at the end of the parent (prctl(2)) belongs to the thread that requests it, and the command runs on another one.
        Thread.detachNewThread {
            var byte: UInt8 = 0
            var count = 0
            // The parent sends nothing, so this returns when it has ended.
            repeat { count = read(reporting, &byte, 1) } while count < 0 && errno == EINTR
            if hasLeft.withLock({ $0 }) { close(reporting) } else { kill(getpid(), SIGTERM) }
        }
        return Detachment { log in
            // The shell may wait for the end of a pipe that the process has inherited.
            for descriptor in inherited { descriptor.close() }
            let null = open("/dev/null", O_RDWR | O_CLOEXEC)
            dup2(null, STDIN_FILENO)
            dup2(null, STDOUT_FILENO)
            dup2(log, STDERR_FILENO)
            // It has the number of a stream where the process was started without that.
            if null > STDERR_FILENO { close(null) }
            setsid()
            clearArguments()
            hasLeft.withLock { $0 = true }
            _ = [UInt8(1)].withUnsafeBytes { send(reporting, $0.baseAddress, 1, Int32(MSG_NOSIGNAL)) }
        }
    }

    /// Waits until the child has left the foreground or ended, and ends this process.
    private static func wait(for child: pid_t, _ waiting: Int32) -> Never {
        // The child receives the same Ctrl-C, and decides what that ends.
        signal(SIGINT, SIG_IGN)
        var byte: UInt8 = 0
        var count = 0
        repeat { count = read(waiting, &byte, 1) } while count < 0 && errno == EINTR
        guard count <= 0 else { _exit(0) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { _exit(CommandFailure.Kind.interrupted.exitCode) }
        }
        let number = status & 0x7f
        _exit(number == 0 ? (status >> 8) & 0xff : 128 + number)
    }

    /// Removes the options from the arguments that every user of the machine can read, because they may be secrets.
    private static func clearArguments() {
        // Without /proc, no other user can read the arguments.
        guard let data = FileManager.default.contents(atPath: "/proc/self/cmdline") else { return }
        let arguments = data.map { CChar(bitPattern: $0) }
        // The program and the command remain.
        let first = arguments.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false).prefix(2).reduce(0) { $0 + $1.count + 1 }
        clinux_clear_arguments(arguments, arguments.count, first)
    }
}

/// A descriptor above standard error that the process has inherited.
private struct InheritedDescriptor: Sendable {
    let number: Int32
    private let device: dev_t
    private let inode: ino_t

    static func all(except own: Int32) -> [InheritedDescriptor] {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") } catch { return [] }
        return names.compactMap { Int32($0) }.filter { $0 > STDERR_FILENO && $0 != own }.compactMap { InheritedDescriptor($0) }
    }

    /// Nil where the descriptor is not open any more, as that of the list itself.
    private init?(_ number: Int32) {
        var status = stat()
        guard fstat(number, &status) == 0 else { return nil }
        (self.number, device, inode) = (number, status.st_dev, status.st_ino)
    }

    /// Closes it, unless its number belongs to another file by now.
    func close() {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
        Glibc.close(number)
    }
}
