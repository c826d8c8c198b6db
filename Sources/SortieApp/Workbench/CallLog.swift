internal import SortieHTTP
internal import SortieWorkbench
internal import Synchronization
internal import WorkspaceModel

/// The events of calls that are not in the table of calls, such as those of runs and pages, for the log of the workbench.
///
/// They are posted together at the end, when the values that a step captures are known as secrets.
final class CallLog: Sendable {
    private let mailbox: Mailbox
    /// The events of each call of a run by the index of its step, or of the only call.
    private let events = Mutex<[Int: [CallEvent]]>([:])

    init(_ mailbox: Mailbox) {
        self.mailbox = mailbox
    }

    /// An observer of one call.
    static func observer(of source: String, _ mailbox: Mailbox) -> @Sendable (CallEvent) -> Void {
        let log = CallLog(mailbox)
        return { event in
            log.add(event, of: 0)
            if case .finished = event { log.end(0, source) }
        }
    }

    /// Adds an event of a run; the end of a step ends its call.
    func receive(_ event: RunEvent) {
        switch event {
        case .call(let index, let event): add(event, of: index)
        case .step(let index, let step): if step.state.isEnd { end(index, step.target) }
        case .expanded, .paused, .finished: break
        }
    }

    private func add(_ event: CallEvent, of index: Int) {
        switch event {
        case .reported(let report) where report.record == nil: break
        case .decided, .reported, .finished: events.withLock { $0[index, default: []].append(event) }
        case .responded, .progressed, .grew, .changed, .parked: break
        }
    }

    private func end(_ index: Int, _ source: String) {
        // A step whose request could not be built had no call.
        guard let events = events.withLock({ $0.removeValue(forKey: index) }) else { return }
        mailbox.post(.callEnded(source, events))
    }
}
