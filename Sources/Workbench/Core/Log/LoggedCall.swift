internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The log's record of a call: its head line and its parts.
struct LoggedCall: Hashable, Sendable {
    /// An event of a call.
    enum Part: Hashable, Sendable {
        case decision(Decision)
        case block(DebugLogRecord)
        case failure(NetworkError)
        case problem(String)
    }

    /// The state of a call.
    enum State: Hashable, Sendable {
        case running
        /// The call ended with a response.
        case answered(status: Int, grpcStatus: Int?, bytes: Int, isFromCache: Bool)
        /// The call ended without a response, or with a rejected one. The text is the error code.
        case failed(String)
        /// The call was cancelled.
        case cancelled
    }

    /// The maximum number of stored parts.
    static let partLimit = 1000

    let target: String
    let method: HTTPMethod
    /// Seconds since the program started.
    var time: Double?
    var state = State.running
    /// The duration in seconds.
    var duration = 0.0
    private(set) var parts: [Part] = []
    /// The number of parts beyond the limit.
    private(set) var left = 0

    init(target: String, method: HTTPMethod) {
        self.target = target
        self.method = method
    }

    /// The service's folder.
    var service: String { Endpoint.serviceName(of: target) }

    var level: LogEntry.Level {
        switch state {
        case .running: .info
        case .answered(let status, let grpc, _, _): status >= 400 || grpc ?? 0 > 0 ? .warning : .info
        case .failed: .error
        case .cancelled: .warning
        }
    }

    /// Adds a part; false when the limit is reached, and the part is only counted.
    mutating func append(_ part: Part) -> Bool {
        guard parts.count < LoggedCall.partLimit else {
            left += 1
            return false
        }
        parts.append(part)
        return true
    }

    /// The approximate size in bytes.
    var cost: Int { parts.reduce(200) { $0 + $1.cost } }

    /// The state as text.
    var outcome: String {
        let time = NumberText.seconds(duration)
        switch state {
        case .running: return "in flight"
        case .answered(let status, let grpc, let bytes, let isFromCache):
            return "\(StatusText.span(status, grpc: grpc).text) · \(ByteText.amount(Int64(bytes))) · \(time)\(isFromCache ? " · from the cache" : "")"
        case .failed(let word): return "\(word) · \(time)"
        case .cancelled: return "cancelled · \(time)"
        }
    }
}

extension LoggedCall.Part {
    /// The approximate size in bytes.
    var cost: Int {
        switch self {
        case .decision(let decision): 80 + decision.text.utf8.count
        case .failure(let error): 200 + error.message.utf8.count
        case .problem(let text): 80 + text.utf8.count
        case .block(let record):
            600 + record.block.fullRequest.utf8.count * 2 + record.headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
                + record.block.body.cost + (record.outcome?.data.cost ?? 0)
        }
    }
}

extension DebugLogBlock.Content {
    fileprivate var cost: Int { if case .text(let text, _, _) = self { text.utf8.count } else { 0 } }
}

extension LoggedCall.Part {
    /// Whether the part contains a text, secrets included.
    ///
    /// A match means that one of its rows may match.
    func contains(_ search: LineSearch) -> Bool {
        switch self {
        case .decision(let decision): return search.matches(decision.text) || search.matches(decision.subject.rawValue)
        case .failure(let error):
            let texts = [StatusText.title(ofCode: error.code), error.code.rawValue, error.message, error.workbenchHint ?? "", error.underlying ?? ""]
            return texts.contains { search.matches($0) }
        case .problem(let text): return search.matches(text)
        case .block(let record):
            if search.matches(record.block.fullRequest) || search.matches("\(record.block.method.rawValue) \(record.block.apiName)") { return true }
            if record.headers.fields.contains(where: { search.matches($0.name) || search.matches($0.value) }) { return true }
            return [record.block.body, record.outcome?.data ?? .none].contains { $0.contains(search) }
        }
    }
}

extension DebugLogBlock.Content {
    fileprivate func contains(_ search: LineSearch) -> Bool {
        switch self {
        case .none: false
        case .text(let text, _, _): search.matches(text)
        case .opaque(_, let type): search.matches(type ?? "")
        }
    }
}
