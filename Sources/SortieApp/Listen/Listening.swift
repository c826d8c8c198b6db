internal import ArgumentParser
internal import Foundation
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import Synchronization

/// Receives and prints the messages of one connection.
struct Listening: Sendable {
    let program: ProgramContext
    let client: Client
    let prepared: PreparedRequest
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
        let socket = try await client.webSocket(prepared.request, onEvent: onEvent)
        // At the end of the time or the count, messages that wait are not printed, and a server that does not respond is not waited for.
        let ending = Cancellation()
        let patience = Mutex<Task<Void, any Error>?>(nil)
        let refused = Mutex<CommandFailure?>(nil)
        @Sendable func close() {
            socket.close(.normalClosure)
            patience.withLock { patience in
                patience = Task {
                    try await Task.sleep(for: Self.closePatience)
                    socket.cancel()
                }
            }
        }
        ending.whenCancelled {
            program.outputWaits.end()
            close()
        }
        let sender =
            sendsInput
            ? Task(executorPreference: BlockingExecutor.shared) {
                guard let failure = await sendLines(to: socket) else { return }
                refused.withLock { $0 = failure }
                // The lines before this one are printed.
                close()
            } : nil
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
        } catch  where (ending.isCancelled || refused.withLock { $0 != nil }) && !Task.isCancelled {
            // The server did not close the connection that the user ended.
        }
        if let failure = refused.withLock({ $0 }) { throw failure }
    }

    private func receive(from socket: WebSocket, _ ending: Cancellation) async throws {
        var received = 0
        do throws(NetworkError) {
            for try await event in socket.events {
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
        let request = prepared.request
        let events = client.serverSentEvents(request, reconnectLimit: request.options.retry?.limit, onEvent: onEvent) { reason in
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
        program.output.write(line, isEndless: true)
    }

    /// Sends each line of standard input; the connection stays open at its end.
    ///
    /// - Returns: Why a line was not sent, after which the connection is to be closed; nil at the end of the input or of the connection.
    private func sendLines(to socket: WebSocket) async -> CommandFailure? {
        var number = 0
        while !Task.isCancelled, let bytes = program.input.lineBytes() {
            number += 1
            guard let line = String(validating: bytes, as: UTF8.self) else {
                return CommandFailure(
                    .file, name: "fileUnreadable", "listen: line \(number) of standard input is not UTF-8 text, and was not sent",
                    hint: "text messages are UTF-8: convert the input, as with iconv -f latin1 -t utf-8")
            }
            // The reading side reports why the connection ended.
            do { try await socket.send(.text(line)) } catch { return nil }
        }
        return nil
    }
}

/// How long `sortie listen` listens, and whether it sends lines.
struct ListenOptions: ParsableArguments {
    @Option(name: .customLong("for"), help: ArgumentHelp("Close the connection after this time, such as 30s or 5m.", valueName: "time"))
    var time: String?

    @Option(help: ArgumentHelp("Close the connection after this number of received messages or events.", valueName: "n"))
    var count: Int?

    @Flag(
        name: [.customShort("i"), .customLong("interactive")],
        help: "Send each line of standard input as a message, also where it is a terminal; a file or a pipe is always sent.")
    var interactive = false

    /// The time limit; nil for none.
    ///
    /// - Throws: A usage error that names the option and the remedy.
    func duration() throws -> Duration? { try time.map { try Duration($0, ofOption: "--for") } }

    /// Rejects a number of messages below 1.
    func checkCount() throws {
        guard let count, count < 1 else { return }
        throw CommandFailure(.usage, "--count \(count) is not a number of messages", hint: "write a number from 1")
    }
}

/// One line of `sortie listen`: a message of a WebSocket connection, or a server-sent event.
struct ListenedMessage {
    let direction: WebSocketEvent.Direction
    /// Seconds since 1970.
    let time: Double
    /// The members of the record after direction and time.
    private let members: [JSONValue.Member]
    /// The line without `--json`; nil for what is printed only as JSON.
    private let text: String?

    init(_ event: WebSocketEvent) {
        direction = event.direction
        time = event.time.timeIntervalSince1970
        switch event.content {
        case .message(.text(let text)):
            members = [.init("type", "text"), .init("data", .string(text))]
            self.text = text
        case .message(.binary(let bytes)):
            let base64 = Data(bytes).base64EncodedString()
            members = [.init("type", "binary"), .init("base64", .string(base64))]
            text = base64
        case .reconnected(let reason):
            members = Self.reconnection(reason)
            text = nil
        case .close(let close):
            members = [
                .init("type", "close"), .init("code", close.code.map { .integer($0) } ?? .null), .init("reason", .string(close.reason)),
            ]
            text = nil
        }
    }

    init(_ event: ServerSentEvent, at time: Date) {
        direction = .received
        self.time = time.timeIntervalSince1970
        members = [
            .init("type", "event"), .init("event", .string(event.type)), .init("id", .string(event.id)), .init("data", .string(event.data)),
        ]
        text = event.data
    }

    /// A reconnection of an event stream.
    init(reconnectedAfter reason: String, at time: Date) {
        direction = .sent
        self.time = time.timeIntervalSince1970
        members = Self.reconnection(reason)
        text = nil
    }

    private static func reconnection(_ reason: String) -> [JSONValue.Member] { [.init("type", "reconnected"), .init("reason", .string(reason))] }

    /// The line with its line break; nil for one that is not printed.
    ///
    /// Without JSON only received messages are printed: a message is one line, in which line breaks and control characters are displayed.
    func line(asJSON: Bool, _ redaction: Redaction) -> String? {
        if asJSON {
            let head: [JSONValue.Member] = [.init("direction", .string(direction.rawValue)), .init("time", .seconds(time))]
            return redaction.masked(.object(head + members)).text + "\n"
        }
        guard direction == .received, let text else { return nil }
        return VisibleLine.of(redaction.masked(text)) + "\n"
    }
}
