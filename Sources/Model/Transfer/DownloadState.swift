/// Where a download is in its life (§5.6).
public enum DownloadState: Hashable, Sendable {
    /// It has not begun.
    case idle
    /// The part is locked, looked at and repaired.
    case preparing
    /// The server is asked from this byte on.
    case requesting(offset: Int64)
    /// It waits in the queue of its service, and why.
    case queued(because: String)
    /// Bytes arrive.
    case receiving
    /// It begins again with the first byte.
    case restarting(RestartReason)
    /// It waits for so many seconds before the next attempt, and why.
    case waiting(seconds: Double, because: String)
    /// A person stopped it for now.
    case paused
    /// All bytes are here; their digest is compared.
    case verifying
    /// The file gets its name.
    case finalising
    /// The file is there.
    case done
    /// It ended without the file; whether what is here can be used later.
    case failed(NetworkError, isResumable: Bool)
    /// A person ended it; whether the part stays.
    case cancelled(keepsPart: Bool)
    /// A newer download of the same file took over (S2.35).
    case superseded

    /// Whether nothing comes after it.
    public var isTerminal: Bool {
        switch self {
        case .done, .failed, .cancelled, .superseded: true
        default: false
        }
    }

    /// Whether the file may still be given up: not while it gets its name.
    public var canBeCancelled: Bool { !isTerminal && self != .finalising }

    /// Whether the next state may be this one.
    public func mayBecome(_ next: DownloadState) -> Bool {
        guard !isTerminal else { return false }
        switch next {
        case .idle: return false
        case .cancelled, .superseded: return canBeCancelled
        case .failed: return self != .idle
        default: break
        }
        switch (self, next) {
        case (.idle, .preparing), (.preparing, .requesting), (.preparing, .restarting), (.preparing, .paused), (.preparing, .verifying),
            (.preparing, .finalising), (.preparing, .done),
            (.requesting, .receiving), (.requesting, .requesting), (.requesting, .restarting), (.requesting, .waiting), (.requesting, .paused),
            (.requesting, .verifying), (.requesting, .queued), (.queued, .requesting), (.queued, .restarting), (.queued, .waiting),
            (.queued, .paused), (.queued, .verifying), (.queued, .receiving), (.receiving, .queued),
            (.receiving, .paused), (.receiving, .waiting), (.receiving, .restarting), (.receiving, .verifying), (.receiving, .requesting),
            (.paused, .requesting), (.paused, .verifying), (.paused, .finalising), (.verifying, .paused), (.restarting, .waiting),
            (.waiting, .requesting), (.waiting, .paused), (.restarting, .requesting), (.restarting, .receiving),
            (.restarting, .paused), (.verifying, .finalising), (.verifying, .restarting), (.finalising, .done):
            return true
        default: return false
        }
    }

    /// The state in a word or two.
    public var text: String {
        switch self {
        case .idle: "queued"
        case .preparing: "preparing"
        case .requesting(let offset): offset > 0 ? "resuming at \(ByteCount(offset).text)" : "asking"
        case .queued(let reason): "queued: \(reason)"
        case .receiving: "receiving"
        case .restarting(let reason): "restarting: \(reason.text)"
        case .waiting(let seconds, let reason): "\(reason): again in \(Int(seconds.rounded(.up))) s"
        case .paused: "paused"
        case .verifying: "verifying"
        case .finalising: "finishing"
        case .done: "done"
        case .failed(let error, _): error.message
        case .cancelled: "cancelled"
        case .superseded: "superseded"
        }
    }
}
