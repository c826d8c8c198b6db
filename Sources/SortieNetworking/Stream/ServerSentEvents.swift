internal import SortieBase
public import SortieHTTP

/// The events of a server, which are requested again after a lost connection; see `Client.serverSentEvents`.
package struct ServerSentEvents: AsyncSequence, Sendable {
    let client: Client
    let request: Request
    let plugins: [any Plugin]
    let lastEventID: String
    let reconnectLimit: Int?
    /// Called for each event of each connection.
    let onEvent: (@Sendable (CallEvent) -> Void)?
    /// Called after each reconnection, before its first event, with the reason why the earlier connection ended.
    let onReconnection: (@Sendable (String) -> Void)?

    /// Reads the events.
    package struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private let events: ServerSentEvents
        private var parser: EventStreamParser
        private var waiting: ArraySlice<ServerSentEvent> = []
        private var bytes: ByteStream.AsyncIterator?
        private var isOver = false
        /// The number of connections since the last event, with the one that received it.
        private var attempts = 0
        /// Whether a connection was open; only a lost connection is made again.
        private var wasConnected = false
        /// Why the connection was lost; nil while it is open.
        private var loss: String?

        /// The longest wait before a reconnection in milliseconds, unless the server requests a longer one.
        private static let longestWait = 60_000
        private static let defaultWait = 3_000
        /// The largest size of an event in bytes.
        private static let largestEvent = 1 << 20
        /// The shortest wait in milliseconds, so that a server cannot cause a flood of connections.
        private static let shortestWait = 100

        init(_ events: ServerSentEvents) {
            self.events = events
            parser = EventStreamParser(lastEventID: events.lastEventID, limit: Self.largestEvent)
        }

        /// The next event; nil where the server ended the stream with 204, or the limit of reconnections is reached.
        ///
        /// - Parameter actor: The actor to which the caller is isolated.
        /// - Throws: `status` and `badBody` for a response that is not an event stream; `cancelled`; the error of the first connection, and of the last
        ///   one where the limit of reconnections is reached.
        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(NetworkError) -> ServerSentEvent? {
            while !isOver {
                // A caller that only takes events which have arrived already would not notice its cancellation otherwise.
                if Task.isCancelled { throw .cancelledByCaller }
                if let event = waiting.popFirst() { return event }
                do throws(NetworkError) {
                    if bytes == nil { try await connect(actor) }
                    guard !isOver else { return nil }
                    if let chunk = try await bytes?.next(isolation: actor) {
                        guard let completed = parser.take(chunk) else {
                            throw NetworkError(.bodyTooLarge, "an event is larger than \(ByteCount(parser.limit).text), the limit")
                        }
                        waiting = completed.map(ServerSentEvent.init)[...]
                        if !waiting.isEmpty { attempts = 1 }
                    } else {
                        try lose(nil)
                    }
                } catch {
                    try lose(error)
                }
            }
            return nil
        }

        /// Releases the connection; a further one is made where the error permits it.
        private mutating func lose(_ error: NetworkError?) throws(NetworkError) {
            bytes = nil
            // An incomplete event is discarded.
            parser = EventStreamParser(lastEventID: parser.lastEventID, retry: parser.retry, limit: parser.limit)
            let mayReconnect = error.map { $0.errorClass == .transport } ?? true
            if wasConnected, mayReconnect, attempts <= events.reconnectLimit ?? .max {
                loss = loss ?? error?.message ?? "the response ended"
                return
            }
            isOver = true
            if let error { throw error }
        }

        private mutating func connect(_ actor: isolated (any Actor)?) async throws(NetworkError) {
            if attempts > 0 { try await pause() }
            attempts += 1
            var request = events.request
            if !request.headers.contains("Accept") { request.headers["Accept"] = "text/event-stream" }
            request.headers["Cache-Control"] = "no-store"
            if !parser.lastEventID.isEmpty { request.headers["Last-Event-ID"] = parser.lastEventID }
            let response = try await events.client.stream(request, plugins: events.plugins, onEvent: events.onEvent)
            guard response.head.status != 204 else {
                isOver = true
                return
            }
            if let problem = Self.problem(of: response.head) { throw await rejected(response, problem) }
            bytes = response.body.makeAsyncIterator()
            wasConnected = true
            guard let reason = loss else { return }
            loss = nil
            events.onReconnection?(reason)
        }

        /// Why a response has no events; nil where it has.
        private static func problem(of head: Response) -> NetworkError? {
            guard head.status == 200 else { return .status(of: head) }
            guard head.contentType.flatMap(MediaType.init)?.essence != "text/event-stream" else { return nil }
            return NetworkError(.badBody, "the body is \(head.contentType ?? "of no type"), not text/event-stream")
        }

        /// The error of a response without events, which has the response; with its body where that is the one of an error, which is short.
        private func rejected(_ response: StreamedResponse, _ problem: NetworkError) async -> NetworkError {
            var (problem, rejected) = (problem, response.head)
            if rejected.status >= 400 {
                do throws(NetworkError) { rejected.body = BodyBytes(try await response.body.collect(upTo: 64 << 10)) } catch {
                    // The status is the error, also where its body is not complete.
                }
            }
            problem.response = rejected
            return problem
        }

        private func pause() async throws(NetworkError) {
            let wait = Swift.max(parser.retry ?? Self.defaultWait, Self.shortestWait)
            let longest = Swift.max(wait, Self.longestWait)
            let factor = 1 << Swift.min(attempts - 1, 10)
            let time = wait > longest / factor ? longest : wait * factor
            do { try await Task.sleep(for: .milliseconds(time)) } catch { throw .cancelledByCaller }
        }
    }

    /// Creates an iterator, which has a separate connection.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension Client {
    /// The events of a server (WHATWG HTML §9.2); the request is sent when the first one is read, and again after a lost connection.
    ///
    /// A reconnection sends the ID of the last event as `Last-Event-ID`, after the time that the server requested, else 3 seconds; the time doubles with
    /// every further attempt without an event. A first connection that fails ends the stream with its error; the retry policy of the request applies to it
    /// and to every reconnection. Cancelling the consuming task ends the stream. Each iteration has a separate connection.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - lastEventID: The ID after which the events begin; empty for those from now on.
    ///   - reconnectLimit: The maximum number of reconnections without an event between them; nil for any number.
    ///   - plugins: Plugins of these calls, after those of the client and the service.
    public func serverSentEvents(
        _ request: Request, lastEventID: String = "", reconnectLimit: Int? = nil, plugins: [any Plugin] = []
    ) -> some AsyncSequence<ServerSentEvent, NetworkError> & Sendable {
        ServerSentEvents(
            client: self, request: request, plugins: plugins, lastEventID: lastEventID, reconnectLimit: reconnectLimit, onEvent: nil,
            onReconnection: nil)
    }

    /// The events of a server, with observers of its connections.
    ///
    /// - Parameters:
    ///   - onEvent: Called for each event of each connection, on any thread.
    ///   - onReconnection: Called after each reconnection, before its first event, with the reason why the earlier connection ended.
    package func serverSentEvents(
        _ request: Request, reconnectLimit: Int? = nil, onEvent: (@Sendable (CallEvent) -> Void)?,
        onReconnection: @escaping @Sendable (String) -> Void
    ) -> ServerSentEvents {
        ServerSentEvents(
            client: self, request: request, plugins: [], lastEventID: "", reconnectLimit: reconnectLimit, onEvent: onEvent,
            onReconnection: onReconnection)
    }
}

/// An event of a server-sent event stream (WHATWG HTML §9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// The type; `message` where the server names none.
    public var type: String
    /// The data; several lines are joined by LF.
    public var data: String
    /// The last ID that the server sent, in this event or an earlier one; empty where it sent none.
    public var id: String

    /// Creates an event.
    public init(type: String = "message", data: String, id: String = "") {
        (self.type, self.data, self.id) = (type, data, id)
    }
    /// Creates an event from one of a parser.
    init(_ event: EventStreamParser.Event) {
        self.init(type: event.type.isEmpty ? "message" : event.type, data: String(decoding: event.data, as: UTF8.self), id: event.lastEventID)
    }
}
