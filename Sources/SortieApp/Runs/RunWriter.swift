internal import Dispatch
internal import SortieHTTP
internal import SortieStorage
internal import Synchronization
internal import WorkspaceModel

/// Stores the progress of a run, each step before the next one is sent, on a separate queue, so that a slow disk delays only the run.
final class RunWriter: Sendable {
    private struct State {
        var journal: RunJournal?
        var hasFailed = false
    }

    private let store: RunStore
    private let redaction: @Sendable () -> Redaction
    private let onFailure: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "sortie.runs")
    private let state = Mutex(State())

    /// - Parameters:
    ///   - redaction: the masking rules for the reasons of failures; captured values are stored unmasked, because later steps need them.
    ///   - onFailure: called once when a checkpoint cannot be stored; the run continues.
    init(_ store: RunStore, redaction: @escaping @Sendable () -> Redaction, onFailure: @escaping @Sendable (String) -> Void) {
        (self.store, self.redaction, self.onFailure) = (store, redaction, onFailure)
    }

    /// Stores a checkpoint; it survives the end of the process when this returns.
    func keep(_ checkpoint: RunCheckpoint) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                self.write(checkpoint)
                continuation.resume()
            }
        }
    }

    private func masked(_ record: RunRecord) -> RunRecord {
        let redaction = redaction()
        var record = record
        record.steps = record.steps.map { masked($0, by: redaction) }
        return record
    }

    private func masked(_ step: StepRecord, by redaction: Redaction) -> StepRecord {
        guard !step.failures.isEmpty || step.reason != nil else { return step }
        var step = step
        if let reason = step.reason { step.reason = redaction.masked(reason) }
        step.failures = step.failures.map { $0.masked(by: redaction) }
        return step
    }

    private func write(_ checkpoint: RunCheckpoint) {
        do throws(WorkspaceError) {
            let journal = state.withLock { $0.journal }
            switch checkpoint {
            case .began(let record):
                let journal = try store.begin(masked(record))
                state.withLock { $0.journal = journal }
            case .sending(let index): try journal?.noteSending(index)
            case .expanded(let expansion): try journal?.noteExpansion(expansion)
            case .ended(let index, let step): try journal?.noteEnd(of: index, masked(step, by: redaction()))
            case .finished(let record): try journal?.finish(masked(record))
            }
        } catch {
            let isFirst = !state.withLock { Swift.exchange(&$0.hasFailed, with: true) }
            if isFirst { onFailure("this run cannot be resumed later: \(error)") }
        }
    }
}
