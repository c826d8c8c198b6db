import Glibc

/// A pseudo-terminal pair; both ends are closed with the last reference.
final class TerminalDevice: Sendable {
    /// The end of the test.
    let master: Int32
    /// The end of the program, kept open so that its settings outlive the program.
    let slave: Int32
    /// The path of the program's end.
    let path: String

    init(columns: Int, rows: Int) throws {
        // The requests of `posix_openpt`, `unlockpt` and `ptsname`, which Swift does not import: linux/asm-generic/ioctls.h.
        let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        master = try checked(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK), "open /dev/ptmx")
        do {
            var (unlocked, number): (Int32, UInt32) = (0, 0)
            try checked(ioctl(master, setLock, &unlocked), "TIOCSPTLCK")
            try checked(ioctl(master, getNumber, &number), "TIOCGPTN")
            path = "/dev/pts/\(number)"
            slave = try checked(open(path, O_RDWR | O_NOCTTY | O_CLOEXEC), "open \(path)")
        } catch {
            close(master)
            throw error
        }
        try resize(columns: columns, rows: rows)
    }

    deinit {
        close(slave)
        close(master)
    }

    /// Changes the size.
    ///
    /// The kernel sends SIGWINCH to the foreground processes when the size differs.
    func resize(columns: Int, rows: Int) throws {
        var size = winsize(
            ws_row: UInt16(clamping: rows), ws_col: UInt16(clamping: columns), ws_xpixel: 0, ws_ypixel: 0)
        try checked(ioctl(master, UInt(TIOCSWINSZ), &size), "TIOCSWINSZ")
    }

    /// The number of bytes that the program can read at once.
    func unreadInput() throws -> Int {
        var count: Int32 = 0
        try checked(ioctl(slave, UInt(FIONREAD), &count), "FIONREAD")
        return Int(count)
    }

    func settings() throws -> TerminalSettings { try TerminalSettings(descriptor: slave) }
}
