/// How far a run is: enough to show it, to report it, and to start it again where it failed, also in another process.
///
/// What steps captured is in it, because later steps need it: a login's token too. Whoever keeps a record keeps it private.
public struct RunRecord: Hashable, Codable, Sendable {
    /// How far the whole is (S2.46).
    public enum State: String, Hashable, Codable, Sendable {
        case running, finished, failed, cancelled
    }

    /// The run's name.
    public var run: String
    /// Batch or chain.
    public var kind: RunDefinition.Kind
    /// The environment it was started in.
    public var environment: String?
    /// How far it is.
    public var state = State.running
    /// The steps in order.
    public var steps: [StepRecord]
    /// The index of the step that failed first; others of a batch may have failed after it.
    public var failedStep: Int?
    /// How long it took, or takes so far, in seconds.
    public var duration = 0.0

    /// A record.
    public init(run: String, kind: RunDefinition.Kind, environment: String? = nil, steps: [StepRecord]) {
        self.run = run
        self.kind = kind
        self.environment = environment
        self.steps = steps
    }

    /// How many steps have come to an end, of how many (S4.13).
    public var finishedCount: Int { steps.count { $0.state.isEnd } }

    /// Where the run can be started again: the step that failed, else the first that is not done; nil when all are.
    public var restartStep: Int? {
        failedStep ?? steps.firstIndex { $0.state != .done }
    }

    /// The record as it is found after the process that kept it has gone: what was under way has stopped.
    public var interrupted: RunRecord {
        guard state == .running else { return self }
        var record = self
        record.state = .cancelled
        for index in steps.indices where !steps[index].state.isEnd { record.steps[index].state = .waiting }
        return record
    }

    /// The record with every step from `index` on as it was before it was sent; in a batch, every step that is not done.
    ///
    /// A step of a batch that was interrupted is sent again only where `index` names it: the server may have received it.
    public func restarting(at index: Int) -> RunRecord {
        var record = self
        record.state = .running
        record.failedStep = nil
        for step in steps.indices where kind == .chain ? step >= index : step == index || ![.done, .interrupted].contains(steps[step].state) {
            record.steps[step] = StepRecord(name: steps[step].name, target: steps[step].target, row: steps[step].row)
        }
        return record
    }
}

/// How far one step of a run is.
public struct StepRecord: Hashable, Codable, Sendable {
    /// How far it is.
    public enum State: Hashable, Codable, Sendable {
        /// Not its turn yet.
        case waiting
        /// Its request is under way.
        case sending
        /// It failed and is tried again after so many seconds.
        case retrying(seconds: Double)
        /// It waits for the network.
        case parked
        /// The answer is as expected.
        case done
        /// It failed; ``StepRecord/failures`` say why.
        case failed
        /// Its turn never came, because an earlier step failed.
        case skipped
        /// It was under way when the run was stopped.
        case cancelled
        /// The program was killed while a request was under way that may change something; the server may have received it.
        case interrupted

        /// Whether nothing more happens to it.
        public var isEnd: Bool {
            switch self {
            case .done, .failed, .skipped, .cancelled, .interrupted: true
            case .waiting, .sending, .retrying, .parked: false
            }
        }

        /// The word for it.
        public var name: String {
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

    /// Its name, unique in the run.
    public var name: String
    /// What is sent.
    public var target: String
    /// Which row of the data, from 0.
    public var row: Int
    /// How far it is.
    public var state = State.waiting
    /// The status that came back.
    public var status: Int?
    /// How long the answer took, in seconds.
    public var seconds: Double?
    /// Why it failed, every reason.
    public var failures: [StepFailure] = []
    /// What it captured: name → value.
    public var captures: [String: String] = [:]

    /// Notes that the process ended while it was being sent.
    public mutating func interrupt() {
        state = .interrupted
        failures = [
            StepFailure(
                .network, subject: "interrupted", actual: "the program ended while the request was in flight, and the server may have received it")
        ]
    }

    /// A step that waits for its turn.
    public init(name: String, target: String, row: Int = 0) {
        self.name = name
        self.target = target
        self.row = row
    }
}
