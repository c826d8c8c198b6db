internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import Synchronization

/// The capture of the workbench: at most one at a time.
final class CaptureEffects: Sendable {
    private let mailbox: Mailbox
    private let client: Client
    private let permission: WorkspacePermission
    /// What a capture masks: the secrets that were used so far.
    private let redaction: LiveRedaction
    private let capture = Mutex<(id: JobID, capture: TrafficCapture)?>(nil)

    init(client: Client, permission: WorkspacePermission, redaction: LiveRedaction, mailbox: Mailbox) {
        (self.client, self.permission, self.redaction, self.mailbox) = (client, permission, redaction, mailbox)
    }

    /// Starts to record exchanges in a file.
    func start(_ job: JobID, _ path: String, showsSecrets: Bool) {
        if let protected = permission.protected(path, .writing) {
            mailbox.post(.capture(job, .failed(protected.message)))
            return
        }
        do throws(WorkspaceError) {
            let begun = try TrafficCapture(
                of: client, into: permission.program.path(path), masking: { [redaction] in showsSecrets ? .none : redaction.current },
                onEntry: { [mailbox] result in
                    switch result {
                    case .success(let count): mailbox.post(.capture(job, .recorded(count)))
                    case .failure(let error): mailbox.post(.capture(job, .failed(error.description)))
                    }
                })
            if begun.isReadableByOthers { mailbox.post(.log(LogEntry(.warning, ReadableFile.warning(path)))) }
            capture.withLock { $0 = (job, begun) }
            mailbox.post(.capture(job, .began(begun.count)))
        } catch {
            mailbox.post(.capture(job, .failed(error.description)))
        }
    }

    /// Records the call of a step that has ended.
    func release(_ id: RequestID) { capture.withLock { $0?.capture }?.release(id) }

    /// Ends a capture.
    func stop(_ job: JobID) {
        guard let ended = capture.withLock({ $0?.id == job ? $0.take() : nil }) else { return }
        if let count = ended.capture.stop() { mailbox.post(.capture(job, .ended(count))) }
    }

    /// Ends the capture, if there is one, and waits until it is on the disk.
    func finish() {
        capture.withLock { $0.take() }?.capture.stop()
    }
}
