/// The state of a download or an upload (`DownloadingFiles.md`).
public enum TransferState: Hashable, Sendable {
    /// Not started.
    case idle
    /// The request is built. The partial file of a download is locked, checked and repaired.
    case preparing
    /// A request for the bytes of a download from this offset on is sent.
    case requesting(offset: Int64)
    /// The request of an upload is sent, until its response has arrived.
    case sending
    /// Waits in the queue of its service for the given reason.
    case queued(because: String)
    /// Bytes arrive.
    case receiving
    /// Restarts from the first byte.
    case restarting(RestartReason)
    /// Waits before the next attempt for the given reason.
    case waiting(seconds: Double, because: String)
    /// The user paused the transfer.
    case paused
    /// All bytes are present; the digest is compared.
    case verifying
    /// The file is renamed to its final name.
    case finalising
    /// The file is complete, or the server has accepted the upload.
    case done
    /// Ended without that. `isResumable` states whether the received bytes can be used later.
    case failed(NetworkError, isResumable: Bool)
    /// The user cancelled the transfer. `keepsPart` states whether the partial file is kept.
    case cancelled(keepsPart: Bool)
    /// Replaced by a newer transfer of the same file.
    case superseded

    /// Whether no state follows.
    public var isTerminal: Bool {
        switch self {
        case .done, .failed, .cancelled, .superseded: true
        default: false
        }
    }

    /// Whether the transfer may be cancelled; false while the file is renamed.
    package var canBeCancelled: Bool { !isTerminal && self != .finalising }

    /// Whether `next` may follow this state directly.
    package func mayBecome(_ next: TransferState) -> Bool {
        guard !isTerminal else { return false }
        switch next {
        case .idle: return false
        case .cancelled, .superseded: return canBeCancelled
        case .failed: return self != .idle
        default: break
        }
        switch (self, next) {
        case (.idle, .preparing),
            (.preparing, .requesting), (.preparing, .sending), (.preparing, .restarting), (.preparing, .paused), (.preparing, .verifying),
            (.preparing, .finalising), (.preparing, .done),
            (.requesting, .receiving), (.requesting, .requesting), (.requesting, .restarting), (.requesting, .waiting), (.requesting, .paused),
            (.requesting, .verifying), (.requesting, .queued),
            (.sending, .queued), (.sending, .waiting), (.sending, .paused), (.sending, .done),
            (.queued, .requesting), (.queued, .sending), (.queued, .receiving), (.queued, .restarting), (.queued, .waiting), (.queued, .paused),
            (.queued, .verifying),
            (.receiving, .queued), (.receiving, .paused), (.receiving, .waiting), (.receiving, .restarting), (.receiving, .verifying),
            (.receiving, .requesting),
            (.restarting, .requesting), (.restarting, .receiving), (.restarting, .waiting), (.restarting, .paused),
            (.waiting, .requesting), (.waiting, .sending), (.waiting, .paused),
            (.paused, .requesting), (.paused, .sending), (.paused, .verifying), (.paused, .finalising),
            (.verifying, .paused), (.verifying, .restarting), (.verifying, .finalising),
            (.finalising, .done):
            return true
        default: return false
        }
    }

    /// Whether `next` may follow this state, directly or after other states.
    package func mayReach(_ next: TransferState) -> Bool {
        guard !isTerminal else { return false }
        switch next {
        case .idle: return false
        case .preparing: return self == .idle
        case .done, .failed: return true
        default: return self != .finalising
        }
    }

    /// The state as text for display.
    public var text: String {
        switch self {
        case .idle: "queued"
        case .preparing: "preparing"
        case .requesting(let offset): offset > 0 ? "resuming at \(ByteCount(offset).text)" : "asking"
        case .sending: "sending"
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

/// What a transfer is to do.
package enum TransferCommand: Hashable, Sendable {
    /// Wait until the queue of the program has a place.
    case wait
    case run
    case pause
    /// End; `keepsPart` states whether the received bytes are kept.
    case cancel(keepsPart: Bool)
    /// End, because a newer transfer replaces it.
    case supersede
    /// End, because the total time limit was exceeded.
    case expire

    /// Whether no other command follows.
    package var isFinal: Bool {
        switch self {
        case .wait, .run, .pause: false
        case .cancel, .supersede, .expire: true
        }
    }
}

/// The state machine of a transfer: what it does, and what it is to do (`DownloadingFiles.md`).
///
/// Both change independently: a transfer that is to pause first saves what has arrived.
package struct TransferMachine: Hashable, Sendable {
    /// A change of a transfer.
    package enum Event: Hashable, Sendable {
        /// The transfer received a command.
        case commanded(TransferCommand)
        /// The transfer has entered a state.
        case entered(TransferState)
        /// A transfer whose events may have been dropped has entered a state.
        case reported(TransferState)
    }

    /// What the transfer does.
    package private(set) var state = TransferState.idle
    /// What the transfer is to do.
    package private(set) var command: TransferCommand

    /// Creates the machine of a transfer that has not started.
    package init(_ command: TransferCommand = .run) {
        self.command = command
    }

    /// Whether the transfer has ended.
    package var isEnded: Bool { state.isTerminal }

    /// Whether the transfer is to end, and has not ended.
    package var isEnding: Bool { command.isFinal && !isEnded }

    /// Applies an event.
    ///
    /// - Returns: False where the event is impossible now, or changes nothing; the machine is then unchanged. No command follows a final one, and none
    ///   reaches a transfer whose file is renamed. A file is renamed only where no command waits to be obeyed.
    @discardableResult
    package mutating func apply(_ event: Event) -> Bool {
        switch event {
        case .commanded(let next):
            guard state.canBeCancelled, !command.isFinal, next != command else { return false }
            command = next
        case .entered(let next):
            guard state.mayBecome(next), next != .finalising || command == .run else { return false }
            state = next
        case .reported(let next):
            guard state.mayReach(next) else { return false }
            state = next
        }
        return true
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
        case .damagedManifest: "the manifest of the part cannot be read, or another program wrote it"
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
