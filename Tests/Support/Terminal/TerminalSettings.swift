import Glibc

/// A terminal's line settings (termios), comparable: what `stty -a` shows but for the size.
public struct TerminalSettings: Hashable, Sendable {
    /// Input, output, control and local flags.
    let flags: [UInt32]
    /// The special characters, then VMIN and VTIME.
    let characters: [UInt8]

    /// Reads those of an open terminal.
    init(descriptor: Int32) throws {
        var settings = termios()
        try checked(tcgetattr(descriptor, &settings), "tcgetattr")
        flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
        characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
    }

    /// Whether what is typed is shown by the terminal itself.
    public var isEchoing: Bool { flags[3] & UInt32(ECHO) != 0 }
    /// Whether input is handed over line by line.
    public var isCanonical: Bool { flags[3] & UInt32(ICANON) != 0 }
}
