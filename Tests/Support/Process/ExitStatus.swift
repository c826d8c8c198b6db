/// The way in which a process ended.
public enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
    /// The process exited with this code, 0 to 255.
    case exited(Int32)
    /// The process was terminated by this signal.
    case signalled(Int32)

    /// Creates the status from the status word of `waitpid`.
    init(waitStatus status: Int32) {
        let signal = status & 0x7f
        self = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    }

    /// A text such as "exit code 3" or "signal 9".
    public var description: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .signalled(let signal): "signal \(signal)"
        }
    }
}
