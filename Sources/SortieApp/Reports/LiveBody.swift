internal import SortieHTTP
internal import SortieNetworking
internal import Synchronization

/// Writes a body to stdout while it arrives: text that may have no end, such as server-sent events, and large bodies.
///
/// The writer is a task, so that a reader that is slow, or has stopped, does not delay the end of the call. ``demand`` pauses a server that is far ahead
/// of the reader.
///
/// The bytes are those that are written after the end of other bodies. A request that may be repeated after a failure is excluded, because its bytes
/// could not be withdrawn, and so is a large body of a service, whose plugins may change it.
final class LiveBody: Sendable {
    private struct State {
        /// The head of a response that is written as soon as it is large; nil where it is not.
        var large: Response?
        var body = BodyBytes.empty
        var isComplete = false
        var written = 0
        /// The number of bytes after which the output ends.
        var end = Int.max
        var writer: Task<Void, Never>?
        /// The writer that waits for more of the body.
        var waiting: CheckedContinuation<Void, Never>?

        mutating func takeWaiting() -> CheckedContinuation<Void, Never>? { waiting.take() }
    }

    /// The demand of the reader, for the call.
    let demand = BodyDemand()
    private let state = Mutex(State())
    private let isPossible: Bool
    private let isOfService: Bool
    private let includesHeader: Bool
    private let program: ProgramContext
    private let isTerminal: Bool
    private let cancellation: Cancellation

    /// The number of bytes of a failed call that are still written to a terminal.
    private static let mostAfterFailure = 4 << 20

    /// - Parameter cancellation: Ends the output.
    init(_ request: Request, in program: ProgramContext, options: ResultOptions, output: OutputOptions, cancellation: Cancellation) {
        self.cancellation = cancellation
        let mayBeRepeated = (request.options.retry?.limit ?? 0) > 0 || !request.otherServers.isEmpty
        isPossible = !output.json && options.format == nil && options.file == nil && !mayBeRepeated
        isOfService = request.service != nil
        self.program = program
        isTerminal = program.output.isTerminal
        includesHeader = options.include
    }

    /// Whether a body is written while it arrives.
    var isWriting: Bool { state.withLock { $0.writer != nil } }

    /// Processes an event; the body is written afterwards.
    ///
    /// - Parameter line: The progress line, which is removed before the body begins.
    func report(_ event: CallEvent, clearing line: TransferLine) async {
        switch event {
        case .responded(let head):
            // A response that is repeated, for example with a new token, is written after the one before it.
            await endWriter()
            begin(head, line)
        case .grew(let body): grow(body, line)
        default: break
        }
    }

    /// Writes the rest of the response.
    ///
    /// A terminal is slower than a server: of a call that has failed, for example at its time limit, it gets only a little more.
    ///
    /// - Returns: The number of bytes that were received and are not written; nil where the body was not written while it arrived.
    func finish(_ exchange: Exchange) async -> Int? {
        guard isWriting else { return nil }
        if let body = exchange.response?.body { state.withLock { $0.body = body } }
        if let error = exchange.error {
            if isTerminal { state.withLock { $0.end = $0.written + Self.mostAfterFailure } }
            // A reader that has stopped does not delay the error of the time limit.
            if error.code == .timedOut { program.outputWaits.end() }
        }
        await endWriter()
        let (body, written) = state.withLock { ($0.body, $0.written) }
        if let response = exchange.response, includesHeader, written == body.count, !cancellation.isCancelled {
            ResponseOutput(output: program.output, errors: program.errors, response: response, includesHeader: true).writeTrailers()
        }
        return body.count - written
    }

    /// Waits until the body that has arrived is written.
    private func endWriter() async {
        let (writer, waiting) = state.withLock { state in
            state.isComplete = true
            return (state.writer, state.takeWaiting())
        }
        waiting?.resume()
        await writer?.value
    }

    private func begin(_ head: Response, _ line: TransferLine) {
        state.withLock { $0 = State() }
        guard isPossible, head.status < 400 else { return }
        let length = head.headers["Content-Length"].map { Int64($0) ?? .max }
        let type = ContentType(head.contentType)
        // JSON is formatted on a terminal, and text in another encoding is converted as a whole.
        let isUnchanged = !isTerminal || (type.kind == .text && type.charset ?? "utf-8" == "utf-8")
        if length == nil, isUnchanged, type.kind == .text || type.isJSONLines { return write(head, line) }
        if !isOfService { state.withLock { $0.large = head } }
    }

    private func grow(_ body: BodyBytes, _ line: TransferLine) {
        let (large, waiting) = state.withLock { state in
            state.body = body
            return (state.large, state.takeWaiting())
        }
        waiting?.resume()
        guard let large, body.count > BodyOutput.formattedLimit else { return }
        state.withLock { $0.large = nil }
        guard !isTerminal || BodyOutput.isPlain(body, contentType: large.contentType) else { return }
        write(large, line)
    }

    /// Starts the writer.
    private func write(_ head: Response, _ line: TransferLine) {
        line.clear()
        demand.begin()
        let writer = Task(executorPreference: BlockingExecutor.shared) { await self.writeBody(of: head) }
        state.withLock { $0.writer = writer }
    }

    private func writeBody(of head: Response) async {
        if includesHeader {
            ResponseOutput(
                output: program.output, errors: program.errors, response: head, includesHeader: true, includesBody: false, isEndless: true
            ).write()
        }
        var output = BodyOutput(program.output)
        while !cancellation.isCancelled, !program.output.isDiscarding {
            let (body, isComplete, end) = state.withLock { ($0.body, $0.isComplete, $0.end) }
            if output.written < end, output.writePiece(of: body, isComplete: isComplete, until: { cancellation.isCancelled }) {
                state.withLock { $0.written = output.written }
                demand.take(upTo: output.written)
            } else if isComplete {
                break
            } else {
                await waitForMore(than: body.count)
            }
        }
        demand.end()
    }

    private func waitForMore(than count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let isThere = state.body.count > count || state.isComplete
                if !isThere { state.waiting = continuation }
                return isThere
            }
            if isThere { continuation.resume() }
        }
    }
}
