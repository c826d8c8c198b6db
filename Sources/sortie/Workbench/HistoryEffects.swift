internal import Dispatch
internal import Model
internal import Networking
internal import Storage
internal import Workbench

internal import struct Foundation.Date
internal import struct Foundation.TimeZone

/// The history of the workbench: opened in the background, asked away from the main thread.
final class HistoryEffects: Sendable {
    private let mailbox: Mailbox
    /// What can be stopped.
    let jobs = BackgroundJobs()
    /// Nil where the person wants nothing kept.
    private let opening: HistoryOpening?
    /// What a person waits for: a page, a row, a change.
    private let queue = DispatchQueue(label: "sortie.history", qos: .userInitiated)
    /// What may take longer and holds up nothing: counting, comparing.
    private let slowQueue = DispatchQueue(label: "sortie.history.slow", qos: .utility)

    /// How long after its start the program looks what of the history has to go.
    private static let tidyDelay = DispatchTimeInterval.seconds(20)

    init(isOn: Bool, mailbox: Mailbox) {
        self.mailbox = mailbox
        opening =
            isOn
            ? HistoryOpening { [slowQueue] store in
                store.watch { change in
                    switch change {
                    case .written: mailbox.post(.historyChanged)
                    case .failed(let error): mailbox.post(.historyFailed(error.description))
                    }
                }
                if let problem = store.problem { mailbox.post(.historyFailed(problem.description)) }
                // When the person has begun to work and the program waits for them.
                slowQueue.asyncAfter(deadline: .now() + Self.tidyDelay) { [weak store] in store?.tidy() }
            } : nil
        // Starting stays instant: the file is opened while the first screen is drawn.
        if let opening { queue.async { _ = opening.store } }
    }

    /// The store, opened where it was not yet; nil where nothing is kept.
    ///
    /// Waits for it: not for the main thread.
    var store: HistoryStore? { opening?.store }

    /// Keeps what the calls of a client do from now on; nil where the person wants nothing kept.
    func recorder(of client: Client, workspace: String, redaction: LiveRedaction) -> HistoryRecorder? {
        opening.map { HistoryRecorder(of: client, workspace: workspace, redaction: redaction, into: $0) }
    }

    /// Waits until everything that was recorded or changed is on the disk.
    func finish() {
        queue.sync {}
        opening?.opened?.flush()
    }

    /// Does what is asked, and answers.
    func ask(_ job: JobID, _ request: HistoryRequest) {
        guard let opening else { return mailbox.post(.history(job, .failed("The history is switched off by --no-history"))) }
        let isSlow =
            switch request {
            case .count, .compare: true
            default: false
            }
        let cancellation = request.changes ? nil : jobs.begin(job)
        (isSlow ? slowQueue : queue).async { [mailbox, jobs] in
            defer { jobs.end(job) }
            if cancellation?.isCancelled == true { return }
            do throws(WorkspaceError) {
                mailbox.post(.history(job, try Self.answer(request, opening.store)))
            } catch {
                mailbox.post(.history(job, .failed(error.description)))
            }
        }
    }

    private static func answer(_ request: HistoryRequest, _ store: HistoryStore) throws(WorkspaceError) -> HistoryAnswer {
        switch request {
        case .page(let query): return .page(try store.page(query), .now)
        case .count(let filter, let limit): return .count(try store.count(filter, upTo: limit))
        case .past(let number): return .past(try store.past(number), .now)
        case .compare(let left, let right):
            guard let left = try store.past(left), let right = try store.past(right) else {
                return .failed("One of the two is not in the history any more")
            }
            return .compared(ExchangeComparison(left: left, right: right))
        case .pin(let numbers, let isPinned): try store.setPinned(numbers, isPinned)
        case .tag(let numbers, let tags): for number in numbers { try store.setTags(number, tags) }
        case .note(let number, let note): try store.setNote(number, note)
        case .delete(let numbers): try store.delete(numbers)
        }
        return .done
    }
}

extension HistoryRequest {
    /// Whether it changes the history; what only asks can be stopped.
    fileprivate var changes: Bool {
        switch self {
        case .page, .count, .past, .compare: false
        case .pin, .tag, .note, .delete: true
        }
    }
}

extension HistoryMoment {
    /// Now, on the clock of whoever runs the program.
    fileprivate static var now: HistoryMoment {
        let zone = TimeZone.current
        let now = Date()
        // Summer time of the last two years; older exchanges are told by the clock of then.
        var starts = [Date.distantPast]
        var next = zone.nextDaylightSavingTimeTransition(after: now.addingTimeInterval(-2 * 366 * 86_400))
        while let start = next, start <= now {
            starts.append(start)
            next = zone.nextDaylightSavingTimeTransition(after: start)
        }
        let offsets = starts.enumerated().map { index, start in
            // The first stretch is told by how it ended.
            let inside = index == 0 ? starts.dropFirst().first.map { $0.addingTimeInterval(-1) } ?? now : start
            return Offset(since: start, seconds: zone.secondsFromGMT(for: inside))
        }
        return HistoryMoment(now: now, offsets: offsets.reversed())
    }
}
