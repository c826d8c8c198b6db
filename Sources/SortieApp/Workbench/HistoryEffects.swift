internal import Dispatch
internal import HistoryModel
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import WorkspaceModel

internal import struct Foundation.Date
internal import struct Foundation.TimeZone

/// The history of the workbench, opened and used in the background.
final class HistoryEffects: Sendable {
    private let mailbox: Mailbox
    /// The cancellable jobs.
    let jobs = BackgroundJobs()
    /// Nil when the history is switched off.
    private let opening: HistoryOpening?
    /// Requests that the user waits for: a page, a row, a change.
    private let queue = DispatchQueue(label: "sortie.history", qos: .userInitiated)
    /// Requests that may take longer: counts and comparisons.
    private let slowQueue = DispatchQueue(label: "sortie.history.slow", qos: .utility)

    /// The delay after the start before the history is pruned.
    private static let tidyDelay = DispatchTimeInterval.seconds(20)

    init(isOn: Bool, in program: ProgramContext, mailbox: Mailbox) {
        self.mailbox = mailbox
        opening =
            isOn
            ? HistoryOpening(program.folders) { [slowQueue] store in
                store.watch { change in
                    switch change {
                    case .written: mailbox.post(.historyChanged)
                    case .failed(let error): mailbox.post(.historyFailed(error.description))
                    }
                }
                if let problem = store.problem { mailbox.post(.historyFailed(problem.description)) }
                // By then the user works, and the program is mostly idle.
                slowQueue.asyncAfter(deadline: .now() + Self.tidyDelay) { [weak store] in store?.tidy(.ofSettings(program.folders)) }
            } : nil
        // The file is opened while the first screen is drawn, so that the start is not delayed.
        if let opening { queue.async { _ = opening.store } }
    }

    /// The store, opened if necessary; nil when the history is switched off.
    ///
    /// Blocks, so the main thread must not use it.
    var store: HistoryStore? { opening?.store }

    /// Starts to record the calls of a client; nil when the history is switched off.
    func recorder(of client: Client, workspace: String, redaction: LiveRedaction) -> HistoryRecorder? {
        opening.map { HistoryRecorder(of: client, workspace: workspace, redaction: redaction, into: $0) }
    }

    /// Prunes the history by changed limits.
    func apply(_ limits: HistoryRetention) {
        guard let opening else { return }
        slowQueue.async { opening.opened?.tidy(limits) }
    }

    /// Waits until all recorded calls and changes are on the disk.
    func finish() {
        queue.sync {}
        opening?.opened?.flush()
    }

    /// Performs a request and posts its result.
    ///
    /// - Parameter contract: Returns the description with which an exchange is compared.
    func ask(_ job: JobID, _ request: HistoryRequest, contract: @escaping @Sendable (PastExchange) -> EndpointContract?) {
        guard let opening else { return mailbox.post(.history(job, .failed("Sortie was started without the history"))) }
        let isSlow =
            switch request {
            case .count, .compare, .compareStep, .compareRun: true
            default: false
            }
        let cancellation = request.changes ? nil : jobs.begin(job)
        (isSlow ? slowQueue : queue).async { [mailbox, jobs] in
            defer { jobs.end(job) }
            if cancellation?.isCancelled == true { return }
            do throws(WorkspaceError) {
                guard let result = try Self.perform(request, opening.store, contract, cancellation) else { return }
                mailbox.post(.history(job, result))
            } catch {
                mailbox.post(.history(job, .failed(error.workbenchSentence)))
            }
        }
    }

    /// Performs a request; nil when it was cancelled.
    private static func perform(
        _ request: HistoryRequest, _ store: HistoryStore, _ contract: (PastExchange) -> EndpointContract?, _ cancellation: Cancellation?
    ) throws(WorkspaceError) -> HistoryResult? {
        func checked(_ past: PastExchange?) -> PastExchange? { past.map { ResponseCheck.repeated($0, contract: contract($0)) } }
        switch request {
        case .page(let query): return .page(try store.page(query), .now)
        case .count(let filter, let limit): return .count(try store.count(filter, upTo: limit))
        case .past(let number): return .past(checked(try store.past(number)), .now)
        case .last(let endpoint, let workspace):
            let past = try store.past(ofLast: endpoint, in: workspace)
            return cancellation?.isCancelled == true ? nil : .past(checked(past), .now)
        case .compare(let left, let right):
            guard let left = try store.past(left), let right = try store.past(right) else {
                return .failed("One of the two exchanges is no longer in the history")
            }
            guard cancellation?.isCancelled != true else { return nil }
            return .compared(ExchangeComparison(left: left, right: right))
        case .compareStep(let step):
            let right = try step.id.flatMap { id throws(WorkspaceError) in try store.number(of: id.description) }
            if step.id != nil, right == nil { return .failed("The response of \(step.step) is not in the history") }
            // Without the exchange of the step, its last response is compared with the one before.
            let numbers =
                try [right].compactMap(\.self)
                + store.numbers(
                    ofLast: step.step, of: step.run, in: step.workspace, environment: step.environment, before: right, limit: right == nil ? 2 : 1)
            guard numbers.count == 2, let left = try store.past(numbers[1]), let newer = try store.past(numbers[0]) else {
                return .failed("\(step.step) has no response of an earlier run in the history")
            }
            guard cancellation?.isCancelled != true else { return nil }
            let rules: CompareRules
            do throws(CompareRuleProblem) { rules = try CompareRules(parsing: step.ignored) } catch { return .failed(error.description) }
            return .compared(ExchangeComparison(left: left, right: newer, ignoring: rules))
        case .compareRun(let run): return try comparison(of: run, store, cancellation)
        case .pin(let numbers, let isPinned): try store.setPinned(numbers, isPinned)
        case .tag(let numbers, let tags): for number in numbers { try store.setTags(number, tags) }
        case .note(let number, let note): try store.setNote(number, note)
        case .delete(let numbers): try store.delete(numbers)
        }
        return .done
    }
}

/// Comparing a run.
extension HistoryEffects {
    /// The differences of a run from the previous one; nil when it was cancelled.
    private static func comparison(
        of run: PastRun, _ store: HistoryStore, _ cancellation: Cancellation?
    ) throws(WorkspaceError) -> HistoryResult? {
        let rules: CompareRules
        do throws(CompareRuleProblem) { rules = try CompareRules(parsing: run.ignored) } catch { return .failed(error.description) }
        // The previous run ended before the first exchange of this one.
        var first: Int64?
        for step in run.steps {
            guard cancellation?.isCancelled != true else { return nil }
            if let number = try store.number(of: step.id.description) { first = min(first ?? number, number) }
        }
        guard let first else { return .failed("The responses of \(run.run) are not in the history") }
        let baseline = try RunBaseline(
            of: run.run, in: run.workspace, environment: run.environment, before: first, ignoring: rules, masking: run.redacted, store: store)
        var result = RunComparison()
        for step in run.steps {
            guard cancellation?.isCancelled != true else { return nil }
            result.steps.append(try baseline.comparison(of: step.name, step.id).step)
        }
        return .comparedRun(result)
    }
}

extension HistoryRequest {
    /// Whether the request changes the history; one that only reads is cancellable.
    fileprivate var changes: Bool {
        switch self {
        case .page, .count, .past, .last, .compare, .compareStep, .compareRun: false
        case .pin, .tag, .note, .delete: true
        }
    }
}

extension HistoryMoment {
    /// The current time, with the local offsets from UTC.
    fileprivate static var now: HistoryMoment {
        let zone = TimeZone.current
        let now = Date()
        // The transitions of the last two years; the oldest offset also applies to earlier exchanges.
        var starts = [Date.distantPast]
        var next = zone.nextDaylightSavingTimeTransition(after: now.addingTimeInterval(-2 * 366 * 86_400))
        while let start = next, start <= now {
            starts.append(start)
            next = zone.nextDaylightSavingTimeTransition(after: start)
        }
        let offsets = starts.enumerated().map { index, start in
            // The offset of the first period is that of its end.
            let inside = index == 0 ? starts.dropFirst().first.map { $0.addingTimeInterval(-1) } ?? now : start
            return Offset(since: start, seconds: zone.secondsFromGMT(for: inside))
        }
        return HistoryMoment(now: now, offsets: offsets.reversed())
    }
}
