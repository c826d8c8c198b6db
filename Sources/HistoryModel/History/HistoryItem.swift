package import SortieHTTP
package import WorkspaceModel

package import struct FoundationEssentials.Date

/// The summary of one exchange of the history, for a row of the list.
///
/// It contains no secrets.
package struct HistoryItem: Hashable, Sendable, Identifiable {
    /// The end of an exchange.
    package enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// A response arrived, with any status.
        case answered
        /// No usable response arrived.
        case failed
        /// The call was cancelled.
        case cancelled
        /// A newer call superseded this one.
        case superseded
    }

    /// The number in the store, which increases and is never reused.
    package var number: Int64
    /// The identity of the call.
    package var id: RequestID
    /// The start of the call.
    package var startedAt: Date
    /// The folder of the workspace; nil for a URL of the command line.
    package var workspace: String?
    /// The service's folder.
    package var service: String?
    /// The endpoint's name in the workspace.
    package var target: String?
    /// The environment of the request.
    package var environment: String?
    /// The run that contains the call as a step.
    package var run: String?
    /// The kind of the call.
    package var kind: Endpoint.Kind
    /// The method.
    package var method: HTTPMethod
    /// The URL; that of a WebSocket connection has the scheme ws or wss.
    package var url: String
    /// The outcome.
    package var outcome: Outcome
    /// The status of the response.
    package var status: Int?
    /// The code of the gRPC status of the response; nil for other responses.
    package var grpcStatus: Int?
    /// The code of ``NetworkError`` of a failure.
    package var error: String?
    /// The duration in seconds.
    package var duration: Double
    /// The number of sent body bytes.
    package var sentBytes: Int64
    /// The number of received body bytes.
    package var receivedBytes: Int64
    /// The announced size of a body that did not arrive completely; nil for a complete one, and where no length was announced.
    package var announcedBytes: Int64?
    /// The number of attempts.
    package var attempts: Int
    /// The user's tags, without blanks.
    package var tags: [String]
    /// The user's note.
    package var note: String
    /// Whether the user pinned the exchange.
    package var isPinned: Bool

    /// Creates a summary.
    package init(
        number: Int64, id: RequestID, startedAt: Date, workspace: String? = nil, service: String? = nil, target: String? = nil,
        environment: String? = nil, run: String? = nil, kind: Endpoint.Kind = .data, method: HTTPMethod = .get, url: String,
        outcome: Outcome = .answered, status: Int? = nil, grpcStatus: Int? = nil, error: String? = nil, duration: Double = 0, sentBytes: Int64 = 0,
        receivedBytes: Int64 = 0, announcedBytes: Int64? = nil, attempts: Int = 1, tags: [String] = [], note: String = "", isPinned: Bool = false
    ) {
        (self.number, self.id, self.startedAt, self.workspace, self.service) = (number, id, startedAt, workspace, service)
        (self.target, self.environment, self.run, self.kind, self.method) = (target, environment, run, kind, method)
        (self.url, self.outcome, self.status, self.grpcStatus) = (url, outcome, status, grpcStatus)
        (self.error, self.duration) = (error, duration)
        (self.sentBytes, self.receivedBytes, self.announcedBytes, self.attempts) = (sentBytes, receivedBytes, announcedBytes, attempts)
        (self.tags, self.note, self.isPinned) = (tags, note, isPinned)
    }

    /// Whether a complete response arrived, including one that was rejected because of its content.
    ///
    /// A part of a response, as of a cancelled call or after a lost connection, is not one.
    package var hasResponse: Bool {
        status != nil && (outcome == .answered || outcome == .failed && error.map(Self.rejections.contains) ?? false)
    }

    /// The codes of errors that reject a complete response.
    package static let rejections = Set(
        NetworkError.Code.allCases.filter { $0.errorClass == .http || $0.errorClass == .business }.map(\.rawValue))
}

extension HistoryItem {
    /// The word before the URL: the method, or the protocol where all exchanges have the same method.
    package var shownMethod: HTTPMethod {
        let name = kind == .grpc ? "gRPC" : kind == .webSocket ? "WS" : nil
        return name.flatMap { HTTPMethod($0) } ?? method
    }

    /// The status as text: that of gRPC where the response has one, else that of HTTP.
    package var statusText: String? { grpcStatus.map { GRPCStatus(code: $0).name } ?? status.map { String($0) } }
}

extension HistoryItem {
    /// The URL with its path first, for columns that are narrower than it: `/orders?page=1  https://shop.example`.
    package var urlPathFirst: String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return url }
        let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        return "\(end == url.endIndex ? "/" : url[end...])  \(url[..<end])"
    }
}
