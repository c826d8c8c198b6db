internal import SortieHTTP
internal import SortieNetworking
internal import SortieWorkbench
internal import Synchronization
internal import WorkspaceModel

internal import struct Foundation.Date

/// The calls of the workbench: endpoints, parked requests and replays.
final class CallEffects: Sendable {
    private let mailbox: Mailbox
    private let client: Client
    private let requests: EndpointRequests
    private let cookies: CookieWriter
    private let history: HistoryEffects
    /// Nil when the state folder cannot be written; parked requests are then lost at exit.
    private let parked: ParkedRequestWriter?
    private let sockets: WebSocketSessions
    private let running = Mutex<[CallID: Sending]>([:])
    /// The replays whose calls have not started, with the cancellations of resolving their requests.
    private let toReplay = Mutex<[CallID: Cancellation]>([:])

    /// What the user entered for the prompts of exchanges that are replayed next, by number and label.
    private let promptValues = Mutex<[Int64: [String: String]]>([:])

    /// The pins of servers that the user accepted for one call.
    private let acceptedPins = Mutex<[CallID: String]>([:])

    /// A started call, whose request may still be being resolved.
    private struct Sending {
        let request: RequestID
        /// Cancels the commands of secrets that the request waits for.
        let cancellation = Cancellation()
        /// Whether the call is to be suspended as soon as it is in the table of the client.
        var isSuspended = false
    }

    init(
        client: Client, requests: EndpointRequests, cookies: CookieWriter, history: HistoryEffects, parked: ParkedRequestWriter?, mailbox: Mailbox
    ) {
        (self.client, self.requests, self.cookies, self.history, self.parked) = (client, requests, cookies, history, parked)
        self.mailbox = mailbox
        sockets = WebSocketSessions(client: client, mailbox: mailbox)
    }

    /// Resolves the request of an endpoint and sends it.
    func send(_ id: CallID, _ endpoint: Endpoint, _ environment: String?) {
        let sending = Sending(request: client.makeID())
        let request = sending.request
        running.withLock { $0[id] = sending }
        BlockingExecutor.shared.start { [self] in
            defer { running.withLock { $0[id] = nil } }
            let prepared: PreparedRequest
            do throws(Diagnostic) { prepared = try await begin(endpoint, environment, sending) } catch {
                mailbox.post(.callFailedToStart(id, error))
                return
            }
            cookies.refresh(environment: environment)
            if endpoint.retry?.parksWhenOffline == true {
                parked?.note(
                    request,
                    ParkedRequest(
                        id: "\(request)", endpoint: endpoint, environment: environment, since: Date(), expires: Date(), reason: ""))
            }
            guard !endpoint.opensWebSocket else {
                let exchange = await sockets.run(id, prepared, as: request)
                note(exchange, of: endpoint, environment)
                return mailbox.post(.call(id, await checked(.finished(exchange), prepared.check, sending.cancellation)))
            }
            var accepted = prepared.request
            if let pin = acceptedPins.withLock({ $0.removeValue(forKey: id) }) { accepted.options.trust.accept(onlyKeyOf: pin) }
            let events = client.events(accepted, id: request)
            apply(sending, to: id)
            for await event in events {
                if case .finished(let exchange) = event { note(exchange, of: endpoint, environment) }
                mailbox.post(.call(id, await checked(event, prepared.check, sending.cancellation)))
            }
            parked?.ended(request)
        }
    }

    /// Accepts the server of a call that is sent next by its key alone.
    func accept(_ pin: String, for id: CallID) { acceptedPins.withLock { $0[id] = pin } }

    /// Keeps the captured values of a response for other endpoints, or forgets all where the server rejected the credentials of the request.
    private func note(_ exchange: Exchange, of endpoint: Endpoint, _ environment: String?) {
        if exchange.response?.status == 401 { requests.earlier.forget() } else { requests.earlier.note(exchange, of: endpoint, in: environment) }
    }

    /// Cancels a call.
    func cancel(_ id: CallID) {
        if refuse(id, Diagnostic(.nowhere, "cancelled while it was queued")) { return }
        guard let sending = running.withLock({ $0[id] }), !sockets.close(id) else { return }
        // In this order, a request that is being resolved is cancelled when it starts.
        sending.cancellation.cancel()
        client.cancel(sending.request)
    }

    /// Sends the body of an endpoint over the open WebSocket connection of a call.
    func sendMessage(_ id: CallID, _ endpoint: Endpoint, _ environment: String?, _ cancellation: Cancellation) async -> JobOutcome {
        // Templates are resolved, and secrets are compared with their permitted receivers, as for the body of a request.
        do {
            let prepared = try await requests.request(for: endpoint, environment, cancellation)
            if let message = try WebSocketMessage(body: prepared.request.body) { try await sockets.send(message, id) }
            return .done("")
        } catch let problem as Diagnostic {
            return .failed(problem.workbenchSentence)
        } catch let error as NetworkError {
            return .failed(error.workbenchSentence)
        } catch {
            return .failed("\(error)")
        }
    }

    /// Closes all WebSocket connections, at the end of the program.
    func endConnections() { sockets.endAll() }

    /// Waits until all WebSocket connections have ended.
    func waitUntilConnectionsEnd() async { await sockets.waitUntilEnded() }

    /// Suspends a call, or resumes a suspended one.
    func suspend(_ id: CallID, _ isSuspended: Bool = true) {
        // Under the lock, so that the last command applies to a call that is starting.
        running.withLock { running in
            guard let request = running[id]?.request else { return }
            running[id]?.isSuspended = isSuspended
            if isSuspended { client.suspend(request) } else { client.resume(request) }
        }
    }

    /// Applies commands to a call that were given while its request was resolved, before the client knew it.
    private func apply(_ sending: Sending, to id: CallID) {
        if sending.cancellation.isCancelled { client.cancel(sending.request) }
        running.withLock { if $0[id]?.isSuspended == true { client.suspend(sending.request) } }
    }

    /// The request of a call.
    ///
    /// - Throws: Also when the call was cancelled meanwhile.
    private func begin(
        _ endpoint: Endpoint, _ environment: String?, _ sending: Sending
    ) async throws(Diagnostic) -> PreparedRequest {
        let isCancelled = { sending.cancellation.isCancelled }
        let cancelled = Diagnostic(.nowhere, "cancelled before it was sent")
        do throws(Diagnostic) {
            let begun = try await requests.request(for: endpoint, environment, sending.cancellation)
            if isCancelled() { throw cancelled }
            return begun
        } catch {
            throw isCancelled() ? cancelled : error
        }
    }

    /// An event with what the endpoint expects of the response compared; cancelling the call ends the comparison.
    private func checked(_ event: CallEvent, _ check: ResponseCheck?, _ cancellation: Cancellation) async -> CallEvent {
        guard let check, case .finished = event else { return event }
        let comparison = Task { await check.checked(event) }
        cancellation.whenCancelled { comparison.cancel() }
        return await comparison.value
    }

    // MARK: Parked requests

    /// Sends the requests of an earlier session in order.
    func sendParked(_ requests: [ParkedSending]) {
        let sendings = requests.map { ($0, Sending(request: client.makeID())) }
        running.withLock { running in
            for (parked, sending) in sendings { running[parked.id] = sending }
        }
        BlockingExecutor.shared.start { [self] in
            for (parked, sending) in sendings { await send(parked, as: sending) }
        }
    }

    /// Starts a parked request, and returns when it is queued.
    private func send(_ sending: ParkedSending, as call: Sending) async {
        let (left, request) = (sending.request, call.request)
        let prepared: PreparedRequest
        do throws(Diagnostic) { prepared = try await begin(left.endpoint, left.environment, call) } catch {
            running.withLock { $0[sending.id] = nil }
            mailbox.post(.callFailedToStart(sending.id, error))
            return
        }
        parked?.note(request, left)
        // The stream is created here, so that requests are queued in this order; its events are read concurrently.
        let notice = ParkingNotice(reason: left.reason, since: left.since, expires: left.expires)
        let events = client.events(prepared.request, id: request, parked: notice)
        apply(call, to: sending.id)
        BlockingExecutor.shared.start { [self] in
            for await event in events { mailbox.post(.call(sending.id, await checked(event, prepared.check, call.cancellation))) }
            running.withLock { $0[sending.id] = nil }
            parked?.ended(request)
        }
    }

    /// Removes a request of an earlier session.
    func dropParked(_ id: ParkedRequest.ID) {
        BlockingExecutor.shared.start { [parked, mailbox] in
            do { try await parked?.drop(id) } catch { mailbox.post(.log(LogEntry(.error, "\(error)"))) }
        }
    }

    // MARK: Replays

    /// Supplies what the user entered for the prompts of an exchange that is planned or replayed next; it is used once, because it may be secret.
    func supply(_ values: [String: String], forReplayOf number: Int64) { promptValues.withLock { $0[number] = values } }

    /// Determines what a replay of an exchange would do.
    func planReplay(_ number: Int64, _ cancellation: Cancellation) async -> Result<ReplaySummary, Diagnostic>? {
        let values = promptValues.withLock { $0.removeValue(forKey: number) } ?? [:]
        return await replays.summary(of: number, promptValues: values, cancellation)
    }

    /// Sends exchanges of the history again, in this order.
    func replay(_ ids: [CallID], _ numbers: [Int64], pace: ReplayPace) {
        let values = promptValues.withLock { all in
            defer { for number in numbers { all[number] = nil } }
            return all.filter { numbers.contains($0.key) }
        }
        toReplay.withLock { waiting in
            for id in ids { waiting[id] = Cancellation() }
        }
        BlockingExecutor.shared.start { [self] in await replays.replay(ids, numbers, promptValues: values, pace: pace) }
    }

    /// Sending exchanges of the history again, in the workspace as it is now.
    var replays: ReplayEffects {
        ReplayEffects(
            history: history, setup: requests.replaySetup(posting: mailbox),
            cancellation: { [self] id in toReplay.withLock { $0[id] } }, refuse: { [self] in refuse($0, $1) }, send: { [self] in await send($0, $1) })
    }

    /// Sends the request of a replay, unless it was cancelled, and returns when the call has ended.
    private func send(_ id: CallID, _ prepared: PreparedRequest) async {
        let sending = Sending(request: client.makeID())
        let (call, request) = (sending.request, prepared.request)
        // In one step, so that a cancellation finds the call either waiting or running.
        let isWanted = toReplay.withLock { waiting in
            guard waiting.removeValue(forKey: id) != nil else { return false }
            running.withLock { $0[id] = sending }
            return true
        }
        guard isWanted else { return }
        defer { running.withLock { $0[id] = nil } }
        cookies.refresh(environment: request.environment)
        guard request.kind != .webSocket else { return mailbox.post(.call(id, .finished(await sockets.run(id, prepared, as: call)))) }
        let events = client.events(request, id: call)
        apply(sending, to: id)
        for await event in events { mailbox.post(.call(id, event)) }
    }

    /// Ends a replay whose call has not started; false when there is none.
    @discardableResult
    private func refuse(_ id: CallID, _ problem: Diagnostic) -> Bool {
        guard let cancellation = toReplay.withLock({ $0.removeValue(forKey: id) }) else { return false }
        cancellation.cancel()
        mailbox.post(.callFailedToStart(id, problem))
        return true
    }
}

/// Performs work after notes, at most once in an interval, and always after the last one.
final class Throttle: Sendable {
    private struct State {
        var next: ContinuousClock.Instant
        var isScheduled = false
    }

    private let interval: Duration
    private let work: @Sendable () -> Void
    private let state: Mutex<State>

    init(interval: Duration, _ work: @escaping @Sendable () -> Void) {
        (self.interval, self.work) = (interval, work)
        state = Mutex(State(next: .now))
    }

    /// Performs the work now, or when the interval has passed.
    func note() {
        let now = ContinuousClock.now
        let (isDue, mustSchedule) = state.withLock { state -> (Bool, Bool) in
            guard !state.isScheduled else { return (false, false) }
            guard now < state.next else {
                state.next = now + interval
                return (true, false)
            }
            state.isScheduled = true
            return (false, true)
        }
        if isDue { work() }
        guard mustSchedule else { return }
        Task {
            // The task is not cancelled, so the sleep ends normally.
            do { try await Task.sleep(until: state.withLock { $0.next }) } catch { return }
            state.withLock { state in
                state.isScheduled = false
                state.next = .now + interval
            }
            work()
        }
    }
}

/// The WebSocket connections of the workbench.
final class WebSocketSessions: Sendable {
    private let client: Client
    private let mailbox: Mailbox
    private let state = Mutex(State())

    private struct State {
        var open: [CallID: WebSocket] = [:]
        /// Whether the program ends.
        var isEnding = false
    }

    /// The number of connections that have not ended, including those that are being opened.
    private let running = WaitableCounter(limit: 0)

    init(client: Client, mailbox: Mailbox) {
        (self.client, self.mailbox) = (client, mailbox)
    }

    /// Opens a connection, reports its messages until it is closed, and returns its exchange.
    func run(_ id: CallID, _ prepared: PreparedRequest, as number: RequestID) async -> Exchange {
        running.add()
        defer {
            state.withLock { $0.open[id] = nil }
            running.subtract()
        }
        let handshake = Mutex<Exchange?>(nil)
        let socket: WebSocket
        do throws(NetworkError) {
            socket = try await client.webSocket(
                prepared.request, id: number,
                onEvent: { [mailbox] event in
                    if case .finished(let exchange) = event {
                        handshake.withLock { $0 = exchange }
                    } else {
                        mailbox.post(.call(id, event))
                    }
                })
        } catch {
            var exchange = handshake.withLock { $0 } ?? Exchange(id: number, request: prepared.request, startedAt: Date())
            exchange.error = error
            return exchange
        }
        let isEnding = state.withLock { state in
            state.open[id] = socket
            return state.isEnding
        }
        if isEnding { Self.end([socket]) }
        if let response = socket.exchange.response { mailbox.post(.call(id, .responded(response))) }
        let updates = Throttle(interval: .milliseconds(50)) { [mailbox] in
            mailbox.post(.call(id, .progressed(socket.progress)))
            mailbox.post(.call(id, .grew(socket.recordedBody)))
        }
        do throws(NetworkError) {
            for try await _ in socket.events { updates.note() }
        } catch {
            // The exchange has the error.
        }
        return socket.recordedExchange
    }

    /// Sends a message over the connection of a call.
    func send(_ message: WebSocketMessage, _ id: CallID) async throws(NetworkError) {
        guard let socket = state.withLock({ $0.open[id] }) else { throw NetworkError(.connectionLost, "the connection is closed") }
        try await socket.send(message)
    }

    /// Begins to close the connection of a call; returns false where none is open.
    func close(_ id: CallID) -> Bool {
        guard let socket = state.withLock({ $0.open[id] }) else { return false }
        socket.close(.normalClosure)
        return true
    }

    /// The time that servers may take at the end of the program to receive what was sent and to respond to the Close frame.
    ///
    /// Shorter than the time to wait for calls at exit, which includes recording the connections.
    private static let closePatience = Duration.milliseconds(500)

    /// Closes all connections, also those that are being opened, with a Close frame, and their sockets a short time later.
    func endAll() {
        let sockets = state.withLock { state in
            state.isEnding = true
            return Array(state.open.values)
        }
        Self.end(sockets)
    }

    private static func end(_ sockets: [WebSocket]) {
        guard !sockets.isEmpty else { return }
        for socket in sockets { socket.cancel(sending: .goingAwayClosure) }
        Task {
            do { try await Task.sleep(for: Self.closePatience) } catch {
                // Nothing cancels this task.
            }
            for socket in sockets { socket.cancel() }
        }
    }

    /// Waits until all connections have ended; observers of calls then have their messages.
    func waitUntilEnded() async { await running.wait() }
}

extension TrustPolicy {
    /// Accepts servers with this key, whatever their certificates say, and no others.
    fileprivate mutating func accept(onlyKeyOf pin: String) {
        isInsecure = true
        (pins, pinFiles) = ([pin], [])
        (pinMatch, pinScope, pinsExpire) = (.key, .leaf, nil)
        certificateDigests = []
    }
}
