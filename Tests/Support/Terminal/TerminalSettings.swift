import Glibc

/// The settings of a terminal (termios) as a comparable value: what `stty -a` shows, without the size.
public struct TerminalSettings: Hashable, Sendable {
    /// The input, output, control and local flags.
    let flags: [UInt32]
    /// The special characters with VMIN and VTIME.
    let characters: [UInt8]

    /// Reads the settings of an open terminal.
    init(descriptor: Int32) throws {
        var settings = termios()
        try checked(tcgetattr(descriptor, &settings), "tcgetattr")
        flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
        characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
    }

    /// Whether the terminal echoes input.
    public var isEchoing: Bool { flags[3] & UInt32(ECHO) != 0 }
    /// Whether input is delivered by line.
    public var isCanonical: Bool { flags[3] & UInt32(ICANON) != 0 }
}
