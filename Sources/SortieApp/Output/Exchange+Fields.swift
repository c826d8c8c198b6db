internal import SortieHTTP
internal import WorkspaceModel

/// The fields of an exchange for `--format`.
extension Exchange {
    /// The names.
    static let fieldNames = ["status", "reason", "time", "ms", "method", "url", "endpoint", "size", "type", "attempts", "error"]

    /// The value of a field; nil where the exchange has none.
    func field(_ name: String, _ redaction: Redaction) -> String? {
        switch name {
        case "status": response.map { String($0.status) }
        case "reason": response.map { redaction.masked($0.reason) }
        case "time": OutputTemplate.seconds(duration)
        case "ms": OutputTemplate.milliseconds(duration)
        case "method": redaction.masked(request.method.rawValue)
        case "url": redaction.maskedURL(request.url.description)
        case "endpoint": request.origin?.endpoint.target
        case "size": response.map { String($0.body.count) }
        case "type": response?.contentType.map { redaction.masked($0) }
        case "attempts": String(attempts.count)
        case "error": error?.code.rawValue
        default: nil
        }
    }
}
