package import SortieHTTP

/// The progress of a run: sufficient to display it, to report it, and to restart it at a failed step, also in another process.
///
/// The record contains the captured values, such as a login's token, because later steps need them. It must be stored privately.
package struct RunRecord: Hashable, Sendable {
    /// The state of the run (S2.46).
    package enum State: String, Hashable, Sendable {
        case running, finished, failed, cancelled
    }

    /// The run's name.
    package var run: String
    /// Batch or chain.
    package var kind: RunDefinition.Kind
    /// The environment of the run.
    package var environment: String?
    /// The state of the run.
    package var state = State.running
    /// The steps in order.
    package var steps: [StepRecord]
    /// The index of the step that failed first; others of a batch may have failed after it.
    package var failedStep: Int?
    /// The duration in seconds, up to now while the run is in progress.
    package var duration = 0.0

    /// Creates a record.
    package init(run: String, kind: RunDefinition.Kind, environment: String? = nil, steps: [StepRecord]) {
        self.run = run
        self.kind = kind
        self.environment = environment
        self.steps = steps
    }

    /// The number of steps that have ended (S4.13).
    package var finishedCount: Int { steps.count { $0.state.isEnd } }

    /// The step at which the run can be restarted: the failed step, else the first one that is not done; nil when all are done.
    package var restartStep: Int? {
        failedStep ?? steps.firstIndex { $0.state != .done }
    }

    /// The record of a run whose process ended unexpectedly: the run is cancelled, and its unfinished steps wait again.
    package var interrupted: RunRecord {
        guard state == .running else { return self }
        var record = self
        record.state = .cancelled
        for index in steps.indices where !steps[index].state.isEnd { record.steps[index].state = .waiting }
        return record
    }

    /// Returns the record with the steps from `index` on reset; in a batch, with every step reset that is not done.
    ///
    /// An interrupted step of a batch is sent again only where `index` names it, because the server may have received it.
    package func restarting(at index: Int) -> RunRecord {
        var record = self
        record.state = .running
        record.failedStep = nil
        for step in steps.indices where kind == .chain ? step >= index : step == index || ![.done, .interrupted].contains(steps[step].state) {
            record.steps[step] = StepRecord(name: steps[step].name, target: steps[step].target, row: steps[step].row)
        }
        return record
    }
}

/// The progress of one step of a run.
package struct StepRecord: Hashable, Sendable {
    /// The state of a step.
    package enum State: Hashable, Sendable {
        /// The step has not started.
        case waiting
        /// The request is in progress.
        case sending
        /// The attempt failed and is retried after this delay.
        case retrying(seconds: Double)
        /// The request waits for the network.
        case parked
        /// The response meets the expectations.
        case done
        /// The step failed; ``StepRecord/failures`` gives the reasons.
        case failed
        /// The step was not sent, because an earlier step failed.
        case skipped
        /// The step was in progress when the run was cancelled.
        case cancelled
        /// The program was killed while an unsafe request was in progress; the server may have received it.
        case interrupted

        /// Whether the state is final.
        package var isEnd: Bool {
            switch self {
            case .done, .failed, .skipped, .cancelled, .interrupted: true
            case .waiting, .sending, .retrying, .parked: false
            }
        }

        /// The name of the state.
        package var name: String {
            switch self {
            case .waiting: "waiting"
            case .sending: "sending"
            case .retrying: "retrying"
            case .parked: "parked"
            case .done: "done"
            case .failed: "failed"
            case .skipped: "skipped"
            case .cancelled: "cancelled"
            case .interrupted: "interrupted"
            }
        }
    }

    /// The name, unique in the run.
    package var name: String
    /// The target of the request.
    package var target: String
    /// The index of the data row, from 0.
    package var row: Int
    /// The state.
    package var state = State.waiting
    /// The status of the response.
    package var status: Int?
    /// The duration of the request, in seconds.
    package var seconds: Double?
    /// The time from the start of the run to the start of the step, in seconds; nil for a step that has not started, and where it is not known.
    package var startedAfter: Double?
    /// All reasons why the step failed.
    package var failures: [StepFailure] = []
    /// The captured values by name.
    package var captures: [String: String] = [:]

    /// Records that the process ended during the request.
    package mutating func interrupt() {
        state = .interrupted
        failures = [
            StepFailure(
                .network, subject: "interrupted", actual: "the program ended while the request was in flight, and the server may have received it")
        ]
    }

    /// Creates a waiting step.
    package init(name: String, target: String, row: Int = 0) {
        self.name = name
        self.target = target
        self.row = row
    }
}
