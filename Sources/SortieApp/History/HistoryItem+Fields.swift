internal import HistoryModel
internal import SortieHTTP

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
