internal import SortieHTTP
internal import WorkspaceModel

/// Reads the record of a run as 0.1.0 wrote it, the synthesized JSON of a Swift type in one file.
enum RunMigration {
    /// The record; nil where `bytes` are not one.
    ///
    /// Captures, failures and times that cannot be read are left out. A step whose state cannot be read is interrupted: the server may have received it.
    static func record(of bytes: [UInt8]) -> RunRecord? {
        let file: JSONValue
        do { file = try JSONValue(parsing: bytes) } catch { return nil }
        guard let name = text(file["run"]), let kind = text(file["kind"]).flatMap(RunDefinition.Kind.init),
            let state = text(file["state"]).flatMap(RunRecord.State.init), case .array(let items)? = file["steps"]
        else { return nil }
        let steps = items.compactMap(step)
        guard steps.count == items.count else { return nil }
        var record = RunRecord(run: name, kind: kind, environment: text(file["environment"]), steps: steps)
        record.state = state
        record.failedStep = integer(file["failedStep"]).flatMap { steps.indices.contains($0) ? $0 : nil }
        record.duration = seconds(file["duration"]) ?? 0
        return record.interrupted
    }

    private static func step(_ value: JSONValue) -> StepRecord? {
        guard let name = text(value["name"]), let target = text(value["target"]) else { return nil }
        var step = StepRecord(name: name, target: target, row: integer(value["row"]) ?? 0)
        if let state = state(value["state"]) { step.state = state } else { step.interrupt() }
        step.status = integer(value["status"])
        step.seconds = seconds(value["seconds"])
        if case .array(let failures)? = value["failures"] { step.failures += failures.compactMap(failure) }
        if case .object(let captures)? = value["captures"] {
            for capture in captures { if let text = text(capture.value) { step.captures[capture.key] = text } }
        }
        return step
    }

    /// An enumeration: an object with the name of the case.
    private static func state(_ value: JSONValue?) -> StepRecord.State? {
        guard case .object(let members)? = value, members.count == 1 else { return nil }
        switch members[0].key {
        case "waiting": return .waiting
        case "sending": return .sending
        case "retrying": return .retrying(seconds: seconds(members[0].value["seconds"]) ?? 0)
        case "parked": return .parked
        case "done": return .done
        case "failed": return .failed
        case "skipped": return .skipped
        case "cancelled": return .cancelled
        // A program between 0.1.0 and the journal wrote this one, too.
        case "interrupted": return .interrupted
        default: return nil
        }
    }

    private static func failure(_ value: JSONValue) -> StepFailure? {
        guard let subject = text(value["subject"]), let actual = text(value["actual"]) else { return nil }
        return StepFailure(
            text(value["kind"]).flatMap(StepFailure.Kind.init) ?? .network, subject: subject, expected: text(value["expected"]), actual: actual)
    }

    private static func text(_ value: JSONValue?) -> String? {
        if case .string(let text)? = value { text } else { nil }
    }

    private static func integer(_ value: JSONValue?) -> Int? {
        if case .number(let text)? = value { Int(text) } else { nil }
    }

    private static func seconds(_ value: JSONValue?) -> Double? {
        guard case .number(let text)? = value, let seconds = Double(text), StoredSeconds.range.contains(seconds) else { return nil }
        return seconds
    }
}
