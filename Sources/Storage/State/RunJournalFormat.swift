internal import Foundation
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The format of a ``RunJournal``, version 2: JSON lines.
///
/// The first line contains the run and its steps; each further line records the end of a step, the sending of an unsafe step, steps that are added
/// while the run is in progress, or the end of the run. Version 1 has no added steps and no reasons.
enum RunJournalFormat {
    static let version = 2

    /// A step that waits.
    struct StepHead: Codable {
        var name: String
        var target: String
        var row: Int?
        var repetition: Int?
        var item: String?
        var isAdded: Bool?

        init(_ step: StepRecord) {
            (name, target, row) = (step.name, step.target, step.row == 0 ? nil : step.row)
            repetition = step.repetition?.number
            item = step.repetition?.item
            isAdded = step.repetition?.isAdded == true ? true : nil
        }

        var record: StepRecord {
            var record = StepRecord(name: name, target: target, row: row ?? 0)
            if let repetition { record.repetition = StepRepetition(number: repetition, item: item, isAdded: isAdded ?? false) }
            return record
        }
    }

    /// The first line.
    private struct Head: Codable {
        var sortieRun: Int
        var run: String
        var kind: String
        var environment: String?
        var steps: [StepHead]
    }

    /// Decodes only the version, which newer formats contain as well.
    private struct FormatHead: Codable {
        var sortieRun: Int
    }

    /// A reason why a step failed.
    struct Failure: Codable {
        var kind: String
        var subject: String
        var expected: String?
        var actual: String

        init(_ failure: StepFailure) {
            (kind, subject, expected, actual) = (failure.kind.rawValue, failure.subject, failure.expected, failure.actual)
        }

        var failure: StepFailure { StepFailure(StepFailure.Kind(rawValue: kind) ?? .network, subject: subject, expected: expected, actual: actual) }
    }

    /// A further line.
    struct Line: Codable {
        var step: Int?
        var state: String?
        var status: Int?
        var grpcStatus: Int?
        var seconds: StoredSeconds?
        var start: StoredSeconds?
        var failures: [Failure]?
        var captures: [String: String]?
        /// Where the captured values came from.
        var origins: [String]?
        var reason: String?
        /// The position of added steps.
        var position: Int?
        /// Whether the added steps replace the step at the position.
        var replaces: Bool?
        var added: [StepHead]?
        var end: String?
        var failedStep: Int?
        var duration: StoredSeconds?

        init(step: Int, state: String) {
            self.step = step
            self.state = state
        }

        init(_ index: Int, _ record: StepRecord) {
            self.init(step: index, state: record.state.name)
            (status, grpcStatus) = (record.status, record.grpcStatus)
            seconds = record.seconds.map(StoredSeconds.init)
            start = record.startedAfter.map(StoredSeconds.init)
            failures = record.failures.isEmpty ? nil : record.failures.map(Failure.init)
            captures = record.captures.isEmpty ? nil : record.captures
            origins = record.origins.isEmpty ? nil : record.origins
            reason = record.reason
        }

        init(_ expansion: RunExpansion) {
            position = expansion.position
            replaces = expansion.replacesStep ? true : nil
            added = expansion.steps.map(StepHead.init)
        }

        init(end: RunRecord.State, failedStep: Int?, duration: Double) {
            self.end = end.rawValue
            self.failedStep = failedStep
            self.duration = StoredSeconds(duration)
        }

        /// The line including its line break.
        func bytes() throws -> [UInt8] { try RunJournalFormat.line(self) }
    }

    /// The reason why a text is not a journal.
    enum Fault: Error {
        /// The text is damaged, or in another format.
        case unreadable
        /// The text was written by a newer version.
        case newer(Int)
    }

    /// The journal of a record whose steps may be partly done.
    static func bytes(of record: RunRecord) throws -> [UInt8] {
        let steps = record.steps.map(StepHead.init)
        var bytes = try line(Head(sortieRun: version, run: record.run, kind: record.kind.rawValue, environment: record.environment, steps: steps))
        for (index, step) in record.steps.enumerated() where step.state.isEnd { bytes += try Line(index, step).bytes() }
        return bytes
    }

    /// Reads the record of a journal.
    ///
    /// An incomplete last line of a killed process is ignored. A step that may have been sent and has no recorded end is interrupted.
    static func record(of data: Data) throws(Fault) -> RunRecord {
        // The text after the last line break is incomplete.
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        guard let first = lines.first else { throw .unreadable }
        let head: Head
        let kind: RunDefinition.Kind
        do {
            let found = try JSONDecoder().decode(FormatHead.self, from: first).sortieRun
            guard found <= version else { throw Fault.newer(found) }
            head = try JSONDecoder().decode(Head.self, from: first)
            guard let known = RunDefinition.Kind(rawValue: head.kind) else { throw Fault.unreadable }
            kind = known
        } catch let fault as Fault {
            throw fault
        } catch {
            throw .unreadable
        }
        var record = RunRecord(
            run: head.run, kind: kind, environment: head.environment,
            steps: head.steps.map(\.record))
        var isDamaged = false
        for text in lines.dropFirst() {
            let line: Line
            do { line = try JSONDecoder().decode(Line.self, from: text) } catch {
                isDamaged = true
                continue
            }
            // A crash of the system damages the end of a file, not its middle.
            guard !isDamaged, take(line, into: &record) else { throw .unreadable }
        }
        return settled(record)
    }

    /// Applies a line to the record; returns false for a line that belongs to no step of the run.
    private static func take(_ line: Line, into record: inout RunRecord) -> Bool {
        if let end = line.end {
            guard let state = RunRecord.State(rawValue: end) else { return false }
            record.state = state
            record.failedStep = line.failedStep
            record.duration = line.duration?.value ?? 0
            guard let failed = line.failedStep else { return true }
            return record.steps.indices.contains(failed)
        }
        if let position = line.position, let added = line.added {
            return record.apply(RunExpansion(position: position, replacesStep: line.replaces ?? false, steps: added.map(\.record)))
        }
        guard let index = line.step, record.steps.indices.contains(index), let state = line.state.flatMap(StepRecord.State.init(journal:)) else {
            return false
        }
        record.steps[index].state = state
        record.steps[index].status = line.status
        record.steps[index].grpcStatus = line.grpcStatus
        record.steps[index].seconds = line.seconds?.value
        record.steps[index].startedAfter = line.start?.value
        record.steps[index].failures = line.failures?.map(\.failure) ?? []
        record.steps[index].captures = line.captures ?? [:]
        record.steps[index].origins = line.origins ?? []
        if let reason = line.reason { record.steps[index].reason = reason }
        return true
    }

    /// The record with the consequences of the end of the process that wrote it.
    private static func settled(_ record: RunRecord) -> RunRecord {
        var record = record
        let wasKilled = record.state == .running
        if wasKilled { record.state = .cancelled }
        for index in record.steps.indices {
            switch record.steps[index].state {
            case .sending: record.steps[index].interrupt()
            case .waiting where record.state == .failed: record.steps[index].state = .skipped
            default: break
            }
        }
        if record.failedStep == nil { record.failedStep = record.steps.firstIndex { $0.state == .failed || $0.state == .interrupted } }
        return record
    }

    private static func line(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return JSONText.escapingControls(in: Array(try encoder.encode(value))) + [UInt8(ascii: "\n")]
    }
}

extension StepRecord.State {
    /// Creates the state with a name in the journal; nil for an unknown name.
    fileprivate init?(journal name: String) {
        let named: [StepRecord.State] = [.sending, .done, .failed, .skipped, .cancelled, .interrupted]
        guard let found = named.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}
