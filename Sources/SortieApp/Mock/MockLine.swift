internal import SortieBase
internal import SortieDemoServer

/// The line about one request of `sortie mock`.
struct MockLine {
    let request: LocalRequest
    let choice: MockResponder.Choice
    let hasFault: Bool
    let duration: Duration

    private var source: String { hasFault ? "fault" : choice.source }
    private var seconds: Double { duration / .seconds(1) }

    /// The method, the path, the status, the endpoint, the source of the response and the time.
    var text: String {
        let status = choice.reply.closesWithoutResponse ? "closed" : String(choice.reply.status)
        let target = choice.target ?? "-"
        return VisibleLine.of("\(request.method) \(request.path) \(status) \(target) \(source) \(Int((seconds * 1000).rounded())) ms")
    }

    /// The same as an object; `status` is null where the connection was closed.
    var record: JSONValue {
        [
            "method": .string(request.method), "path": .string(request.path),
            "status": choice.reply.closesWithoutResponse ? nil : .integer(choice.reply.status), "endpoint": .optional(choice.target),
            "source": .string(source), "duration": .seconds(seconds),
        ]
    }
}
