/// The state of a download (`ResumeRules.md` 5.6).
public enum DownloadState: Hashable, Sendable {
    /// Not started.
    case idle
    /// The partial file is locked, checked and repaired.
    case preparing
    /// A request from this offset on is sent.
    case requesting(offset: Int64)
    /// Waits in the queue of its service for the given reason.
    case queued(because: String)
    /// Bytes arrive.
    case receiving
    /// Restarts from the first byte.
    case restarting(RestartReason)
    /// Waits before the next attempt for the given reason.
    case waiting(seconds: Double, because: String)
    /// The user paused the download.
    case paused
    /// All bytes are present; the digest is compared.
    case verifying
    /// The file is renamed to its final name.
    case finalising
    /// The file is complete.
    case done
    /// Ended without the file. `isResumable` states whether the received bytes can be used later.
    case failed(NetworkError, isResumable: Bool)
    /// The user cancelled the download. `keepsPart` states whether the partial file is kept.
    case cancelled(keepsPart: Bool)
    /// Replaced by a newer download of the same file.
    case superseded

    /// Whether no state follows.
    public var isTerminal: Bool {
        switch self {
        case .done, .failed, .cancelled, .superseded: true
        default: false
        }
    }

    /// Whether the download may be cancelled; false while the file is renamed.
    public var canBeCancelled: Bool { !isTerminal && self != .finalising }

    /// Whether `next` may follow this state.
    package func mayBecome(_ next: DownloadState) -> Bool {
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

    /// The state as text for display.
    public var text: String {
        switch self {
        case .idle: "queued"
        case .preparing: "preparing"
        case .requesting(let offset): offset > 0 ? "resuming at \(ByteCount(offset).text)" : "asking"
        case .queued(let reason): "queued: \(reason)"
        case .receiving: "receiving"
        case .restarting(let reason): "restarting: \(reason.text)"
        case .waiting(let seconds, let reason): "\(reason): retrying in \(Int(seconds.rounded(.up))) s"
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

/// Why a download restarts from its first byte.
public enum RestartReason: String, Hashable, Sendable, CaseIterable {
    case changed, changedLength, otherDownload, damagedPart, damagedManifest, otherDestination, noValidator, rangesIgnored, badRange, encoded,
        laterStart,
        unsatisfiable, conditionRefused, overlapDiffers, tooLong, digest, asked

    /// The reason as text for display.
    public var text: String {
        switch self {
        case .changed: "the file on the server has changed"
        case .changedLength: "the length of the file on the server has changed"
        case .otherDownload: "the existing part belongs to another URL"
        case .damagedPart: "the existing part was modified"
        case .damagedManifest: "the manifest of the part cannot be read"
        case .otherDestination: "the manifest of the part belongs to another file"
        case .noValidator: "the server sends no validator for the file"
        case .rangesIgnored: "the server sends only the whole file"
        case .badRange: "the server's response does not state its range"
        case .encoded: "the server sent an encoded range"
        case .laterStart: "the server sent a later range than requested"
        case .unsatisfiable: "the server does not have this range"
        case .conditionRefused: "the server does not support the condition"
        case .overlapDiffers: "bytes that were received twice differ"
        case .tooLong: "more bytes arrived than announced"
        case .digest: "the digest does not match"
        case .asked: "as requested"
        }
    }
}
