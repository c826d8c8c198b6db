internal import Foundation
internal import SortieHTTP
internal import SortieNetworking
internal import Synchronization

/// Receives and prints the messages of one connection.
struct Listening: Sendable {
    let program: ProgramContext
    let client: Client
    let request: Request
    let duration: Duration?
    let count: Int?
    /// Whether lines of standard input are sent.
    let sendsInput: Bool
    let asJSON: Bool
    let redaction: LiveRedaction
    let onEvent: (@Sendable (CallEvent) -> Void)?

    /// How long the server may take to respond to the Close frame at the end of the time or the count.
    private static let closePatience = Duration.seconds(1)

    /// Listens to a WebSocket connection until it is closed.
    ///
    /// - Throws: The error of the connection, and `closed` where the server closed it with another code than 1000 or 1001.
    func webSocket() async throws {
        let socket = try await client.webSocket(request, onEvent: onEvent)
        // At the end of the time or the count, messages that wait are not printed, and a server that does not respond is not waited for.
        let ending = Cancellation()
        let patience = Mutex<Task<Void, any Error>?>(nil)
        ending.whenCancelled {
            program.outputWaits.end()
            socket.close(.normalClosure)
            patience.withLock { patience in
                patience = Task {
                    try await Task.sleep(for: Self.closePatience)
                    socket.cancel()
                }
            }
        }
        let sender = sendsInput ? Task(executorPreference: BlockingExecutor.shared) { await sendLines(to: socket) } : nil
        let limit = duration.map { duration in
            Task {
                try await Task.sleep(for: duration)
                ending.cancel()
            }
        }
        defer {
            sender?.cancel()
            limit?.cancel()
            patience.withLock { $0?.cancel() }
        }
        do {
            try await receive(from: socket, ending)
        } catch  where ending.isCancelled && !Task.isCancelled {
            // The server did not close the connection that the user ended.
        }
    }

    private func receive(from socket: WebSocket, _ ending: Cancellation) async throws {
        var received = 0
        do throws(NetworkError) {
            for try await event in socket {
                if case .close = event.content {
                    show(ListenedMessage(event))
                    continue
                }
                guard !ending.isCancelled else { continue }
                show(ListenedMessage(event))
                guard event.direction == .received else { continue }
                received += 1
                if received == count { ending.cancel() }
            }
        } catch {
            throw socket.recordedExchange.error ?? error
        }
        // The connection is read to its end, so that the history has all of it.
        if let error = socket.recordedExchange.error { throw error }
    }

    /// Listens to an event stream until it ends; after a lost connection it is requested again, with the limit of the retry policy where there is one.
    ///
    /// - Throws: The error of the first connection, and that of the last one where the limit is reached.
    func serverSentEvents() async throws {
        let events = client.serverSentEvents(request, reconnectLimit: request.options.retry?.limit).observed(onEvent: onEvent) { reason in
            show(ListenedMessage(reconnectedAfter: reason, at: program.now()))
            if onEvent != nil { program.errors.line(redaction.current.masked("* connection: reconnected after: \(reason)")) }
        }
        let reading = Task(executorPreference: BlockingExecutor.shared) {
            var received = 0
            for try await event in events {
                show(ListenedMessage(event, at: program.now()))
                received += 1
                if received == count { return }
            }
        }
        let timeLimit = Cancellation()
        let limit = duration.map { duration in
            Task {
                try await Task.sleep(for: duration)
                timeLimit.cancel()
                program.outputWaits.end()
                reading.cancel()
            }
        }
        defer { limit?.cancel() }
        try await withTaskCancellationHandler {
            // The end of the time is no interruption.
            do { try await reading.value } catch let error as NetworkError where error.isCancellation && timeLimit.isCancelled {}
        } onCancel: {
            reading.cancel()
        }
    }

    private func show(_ message: ListenedMessage) {
        guard let line = message.line(asJSON: asJSON, redaction.current) else { return }
        program.output.write(line)
    }

    /// Sends each line of standard input; the connection stays open at its end.
    private func sendLines(to socket: WebSocket) async {
        while !Task.isCancelled, let line = program.input.line() {
            // The reading side reports why the connection ended.
            do { try await socket.send(.text(line)) } catch { return }
        }
    }
}
