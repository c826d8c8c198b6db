internal import HistoryModel
internal import SortieBase
internal import SortieHTTP

extension HistoryItem {
    /// The exchange as JSON, for `history list --json`.
    var record: JSONValue {
        [
            "number": .integer(number), "id": .string(id.description), "startedAt": .string(HistoryTime.iso8601(startedAt)),
            "workspace": .optional(workspace), "service": .optional(service), "endpoint": .optional(target),
            "environment": .optional(environment), "run": .optional(run), "kind": .string(kind.rawValue), "method": .string(method.rawValue),
            "url": .string(url), "outcome": .string(outcome.rawValue), "status": status.map { .integer($0) } ?? .null, "error": .optional(error),
            "duration": .seconds(duration), "sentBytes": .integer(sentBytes), "receivedBytes": .integer(receivedBytes),
            "attempts": .integer(attempts), "tags": .array(tags.map { .string($0) }), "note": .string(note), "pinned": .bool(isPinned),
        ]
    }
}

extension PastExchange {
    /// The members of a past exchange's JSON in addition to those of a new exchange.
    var moreOfRecord: [JSONValue.Member] {
        [
            .init("number", .integer(item.number)), .init("startedAt", .string(HistoryTime.iso8601(item.startedAt))),
            .init("tags", .array(item.tags.map { .string($0) })), .init("note", .string(item.note)), .init("pinned", .bool(item.isPinned)),
            .init("missingBody", .optional(missingBody)),
        ]
    }

    /// The checks of the exchange as JSON, for `history show --json`; none where nothing is checked.
    func checksOfRecord(masked redaction: Redaction) -> [JSONValue.Member] {
        guard let checks = exchange.expectationResult?.checks, !checks.isEmpty else { return [] }
        return [.init("checks", .array(checks.map { $0.masked(by: redaction).record }))]
    }
}

extension ExchangeCheck {
    /// The check as JSON.
    fileprivate var record: JSONValue {
        [
            "key": .string(key.rawValue), "subject": .string(subject), "outcome": .string(outcome.rawValue), "expected": .optional(expected),
            "actual": .string(actual),
        ]
    }
}

/// The fields of a row of the history for `--format`.
extension HistoryItem {
    /// The names.
    static let fieldNames = [
        "number", "id", "date", "endpoint", "service", "environment", "run", "method", "url", "status", "outcome", "error", "time", "ms", "size",
        "sent", "attempts", "tags", "note",
    ]

    /// The value of a field; nil where the row has none.
    func field(_ name: String) -> String? {
        switch name {
        case "number": String(number)
        case "id": id.description
        case "date": HistoryTime.iso8601(startedAt)
        case "endpoint": target
        case "service": service
        case "environment": environment
        case "run": run
        case "method": method.rawValue
        case "url": url
        case "status": status.map { String($0) }
        case "outcome": outcome.rawValue
        case "error": error
        case "time": OutputTemplate.seconds(duration)
        case "ms": OutputTemplate.milliseconds(duration)
        case "size": String(receivedBytes)
        case "sent": String(sentBytes)
        case "attempts": String(attempts)
        case "tags": tags.joined(separator: " ")
        case "note": note
        default: nil
        }
    }
}
