/// How a process ended.
public enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
    /// It returned this code, 0 to 255.
    case exited(Int32)
    /// It was ended by this signal.
    case signalled(Int32)

    /// From the status word that `waitpid` fills in.
    init(waitStatus status: Int32) {
        let signal = status & 0x7f
        self = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    }

    /// "exit code 3" or "signal 9".
    public var description: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .signalled(let signal): "signal \(signal)"
        }
    }
}
