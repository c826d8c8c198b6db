package import SortieBase
package import SortieHTTP

/// The progress of a run: sufficient to display it, to report it, and to restart it at a failed step, also in another process.
///
/// The record contains the captured values, such as a login's token, because later steps need them. It must be stored privately.
package struct RunRecord: Hashable, Sendable {
    /// The state of the run.
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
    /// The index of the step that failed; while a batch runs, of the one that failed first in time, and then of the first one in order.
    package var failedStep: Int?
    /// The duration in seconds, up to now while the run is in progress.
    package var duration = 0.0

    /// Creates a record.
    package init(run: String, kind: RunDefinition.Kind, environment: String? = nil, steps: [StepRecord]) {
        (self.run, self.kind, self.environment, self.steps) = (run, kind, environment, steps)
    }

    /// The number of steps that were sent and have ended.
    package var sentCount: Int { steps.count(where: \.wasSent) }

    /// The number of steps that are not sent: a condition excludes them, or an earlier step failed.
    package var skippedCount: Int { steps.count { $0.state == .skipped } }

    /// The part of the steps that need no further request or ended otherwise, from 0 to 1; steps that were not reached because of a failure are not in it.
    package var fraction: Double { steps.isEmpty ? 1 : Double(steps.count { $0.wasSent || $0.isComplete }) / Double(steps.count) }

    /// The step at which the run can be restarted: the failed step, else the first one that is not done; nil when all are done.
    package var restartStep: Int? {
        failedStep ?? steps.firstIndex { !$0.isComplete }
    }

    /// The record with the steps reset that failed or were not reached; the other steps and their captures stay.
    ///
    /// An interrupted step stays, because the server may have received it.
    package var retryingFailed: RunRecord {
        var failed: Set<Int> = []
        for index in steps.indices where !steps[index].isComplete && steps[index].state != .interrupted {
            failed.formUnion(loopStart(of: index)...index)
        }
        return resetting { failed.contains($0) }
    }

    /// The names of the steps that were sent and are reset in a record that continues this one.
    package func sentAgain(in next: RunRecord) -> [String] {
        let ended = Set(next.steps.filter(\.state.isEnd).map(\.name))
        return steps.filter { $0.state.isEnd && $0.state != .skipped && !ended.contains($0.name) }.map(\.name)
    }

    /// The index of a step by its name; a name without the number of a row or a repetition means the first one.
    package func index(of name: String) -> Int? { RunPlan.index(of: name, in: steps, name: \.name) }

    /// The first repetition of a step that is repeated by a condition; the step itself for others.
    func loopStart(of index: Int) -> Int {
        guard let repetition = steps[index].repetition, repetition.isAdded, repetition.item == nil else { return index }
        return max(0, index - repetition.number + 1)
    }

    /// The end of the repetitions for the items of a list that begin at an index; the next index for other steps.
    private func listEnd(from index: Int) -> Int {
        guard steps[index].isItem else { return index + 1 }
        var end = index + 1
        while end < steps.count, steps[end].isItem, steps[end].repetition?.number != 1 { end += 1 }
        return end
    }

    /// The record with steps reset; the steps of a list of which all are reset become one that stands for the list.
    func resetting(_ isReset: (Int) -> Bool) -> RunRecord {
        var record = self
        record.state = .running
        record.failedStep = nil
        record.steps = []
        record.steps.reserveCapacity(steps.count)
        var index = 0
        while index < steps.count {
            let group = index..<listEnd(from: index)
            if steps[index].isItem, group.allSatisfy(isReset) {
                // The list is evaluated again.
                record.steps.append(steps[index].unrepeated)
            } else {
                for index in group {
                    if !isReset(index) {
                        record.steps.append(steps[index])
                    } else if steps[index].repetition?.isAdded != true || steps[index].isItem {
                        record.steps.append(steps[index].reset)
                    }
                }
            }
            index = group.upperBound
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
        /// The step was not sent, because an earlier step failed, or for its ``StepRecord/reason``.
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
    /// The origins from which the captured values came.
    package var origins: [String] = []
    /// What only few steps have, behind one reference.
    private var details: CopyOnWrite<StepDetails>?

    /// The repetition; nil for a step that is not repeated.
    package var repetition: StepRepetition? {
        get { details?.wrappedValue.repetition }
        set { changeDetails { $0.repetition = newValue } }
    }

    /// Why the step was not sent although no step failed: a condition of `if:` that does not hold, or an empty list; nil for other steps.
    package var reason: String? {
        get { details?.wrappedValue.reason }
        set { changeDetails { $0.reason = newValue } }
    }

    /// The code of the gRPC status of the response; nil for other responses.
    package var grpcStatus: Int? {
        get { details?.wrappedValue.grpcStatus }
        set { if newValue != grpcStatus { changeDetails { $0.grpcStatus = newValue } } }
    }

    /// The status of the response as text: that of gRPC where it has one, else that of HTTP.
    package var statusText: String? { grpcStatus.map { GRPCStatus(code: $0).name } ?? status.map { String($0) } }

    private mutating func changeDetails(_ change: (inout StepDetails) -> Void) {
        var new = details?.wrappedValue ?? StepDetails()
        change(&new)
        details = new == StepDetails() ? nil : CopyOnWrite(wrappedValue: new)
    }

    /// Whether the step needs no further request: it is done, or a condition excludes it.
    package var isComplete: Bool { state == .done || state == .skipped && reason != nil }

    /// Whether the request of the step was sent, or attempted, and has ended.
    package var wasSent: Bool { state.isEnd && state != .skipped }

    /// Whether the step is one of the repetitions for a list that was evaluated while the run was in progress.
    fileprivate var isItem: Bool { repetition?.item != nil }

    /// The step as it waits to be sent.
    fileprivate var reset: StepRecord {
        var step = StepRecord(name: name, target: target, row: row)
        step.repetition = repetition
        return step
    }

    /// The step that stands for the list whose repetition this is.
    fileprivate var unrepeated: StepRecord {
        let ending = repetition.map { StepRepetition.name(of: "", $0.number).count } ?? 0
        return StepRecord(name: String(name.dropLast(ending)), target: target, row: row)
    }

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
        (self.name, self.target, self.row) = (name, target, row)
    }
}

/// What only few steps have.
private struct StepDetails: Hashable, Sendable {
    var repetition: StepRepetition?
    var reason: String?
    var grpcStatus: Int?
}

extension RunRecord {
    /// The beginning of the output of `run --json`, up to the first step.
    ///
    /// ``StepRecord/json(exchange:)`` of each step follows, separated by commas.
    ///
    /// The steps precede the state, so that they can be written while the run is in progress.
    package var jsonStart: String {
        let head: JSONValue = ["run": .string(run), "kind": .string(kind.rawValue), "environment": .optional(environment)]
        return String(head.text.dropLast()) + ", \"steps\": ["
    }

    /// The beginning of the output for several environments.
    ///
    /// The records follow, separated by commas, and then the end of the list and of the object.
    package static func jsonStart(ofSeveral run: String) -> String {
        let head: JSONValue = ["run": .string(run)]
        return String(head.text.dropLast()) + ", \"environments\": ["
    }

    /// The end of the output, after the last step.
    ///
    /// - Parameters:
    ///   - monitor: the counts during the run, by service, server and address.
    ///   - hasDifferences: whether the differences from the previous run follow, separated by commas, and then ``jsonEndOfDifferences``.
    package func jsonEnd(monitor: MonitorReport = MonitorReport(), hasDifferences: Bool = false) -> String {
        let members: [JSONValue.Member] = [
            .init("state", .string(state.rawValue)), .init("failedStep", failedStep.map { .string(steps[$0].name) } ?? .null),
            .init("duration", .seconds(duration)), .init("monitor", monitor.record),
        ]
        let end = "], " + String(JSONValue.object(members).text.dropFirst())
        return hasDifferences ? String(end.dropLast()) + ", \"differences\": [" : end
    }

    /// The end of the output after the last difference from the previous run.
    package static let jsonEndOfDifferences = "]}"
}

extension StepRecord {
    /// The step's exchange in the format of all commands, preceded by the step's name and state and followed by its failures.
    package func json(exchange: JSONValue?) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("step", .string(name)), .init("state", .string(state.name)), .init("reason", .optional(reason)),
            .init("repetition", repetition.map { .number(String($0.number)) } ?? .null),
        ]
        let failures = JSONValue.array(failures.map(\.json))
        if case .object(let own)? = exchange {
            members += own
        } else {
            members += [.init("endpoint", .string(target)), .init("request", .null), .init("response", .null), .init("error", .null)]
        }
        return .object(members + [.init("failures", failures)])
    }
}

extension StepFailure {
    /// The failure in the format of all commands.
    package var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "subject": .string(subject), "expected": .optional(expected), "actual": .string(actual),
        ]
    }
}

/// An event of a run that is stored, in the order of occurrence, so that the run can be continued by another process.
package enum RunCheckpoint: Hashable, Sendable {
    /// The run begins; steps that are already done have that state in the record.
    case began(RunRecord)
    /// A step with an unsafe method (RFC 9110 §9.2.1) is about to be sent; from now on the server may have received it.
    case sending(Int)
    /// Steps were added, before the first of them is sent.
    case expanded(RunExpansion)
    /// A step has ended.
    case ended(Int, StepRecord)
    /// The run has ended.
    case finished(RunRecord)
}
