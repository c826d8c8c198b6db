/// The steps of a ``ScriptedServer`` on a connection, from accepting to closing.
///
/// After the last step the connection is closed gracefully. The script also ends when the client closes the connection.
public struct Script: Sendable, ExpressibleByArrayLiteral {
    /// The steps in order.
    public var steps: [Step]

    /// Creates a script.
    public init(_ steps: [Step]) { self.steps = steps }

    /// Creates a script.
    public init(_ steps: Step...) { self.steps = steps }

    /// Creates a script.
    public init(arrayLiteral elements: Step...) { steps = elements }

    /// Reads and responds to requests as long as the client sends them on the connection.
    public static func answering(_ answer: @escaping @Sendable (ReceivedRequest) -> HTTPAnswer) -> Script {
        Script(.repeat([.readRequest, .respond { answer($0).bytes(for: $0) }]))
    }

    /// Responds to every request on the connection with the same response.
    public static func answering(_ answer: HTTPAnswer) -> Script { answering { _ in answer } }

    /// Reads one request for each response, then closes the connection.
    public static func answering(_ answers: [HTTPAnswer]) -> Script {
        Script(answers.flatMap { answer in [Step.readRequest, .respond { answer.bytes(for: $0) }] })
    }
}

/// A step of a ``ScriptedServer`` on a connection.
public enum Step: Sendable {
    /// Reads a request with its body (`Content-Length` or chunked); ignores `Expect: 100-continue`.
    case readRequest
    /// Reads a request up to the empty line after its head.
    case readHead
    /// Sends `100 Continue` when the last head expects it.
    case sendContinueIfExpected
    /// Reads the body of the last head.
    case readBody
    /// Reads the preface of an HTTP/2 connection and its frames up to the header of the first request, which is stream 1.
    case readHTTP2Request
    /// Reads this number of bytes and appends them to the body of the last request.
    case readBytes(Int)
    /// Sends bytes.
    case sendBytes([UInt8])
    /// Sends bytes in pieces of `chunk` bytes, with a pause between the pieces.
    case sendSlowly([UInt8], chunk: Int, every: Duration)
    /// Sends the same bytes repeatedly until the client closes the connection.
    case sendForever([UInt8])
    /// Sends the closure's result for the last request, in pieces of `chunk` bytes, or whole.
    case respond(chunk: Int? = nil, @Sendable (ReceivedRequest) -> [UInt8])
    /// Waits until the test opens the gate.
    case wait(for: Gate)
    /// Waits for a time; ends early when the server is stopped.
    case pause(Duration)
    /// Relays bytes between the client and this port of 127.0.0.1 until either closes, which ends the script, or until the client was sent `limit` bytes.
    case relay(to: UInt16, limit: Int? = nil)
    /// Sends FIN, reads until the client closes or sends nothing for a second (a minute in the middle of a body), and closes. Ends the script.
    case closeGracefully
    /// Does the same when the closure returns true for the last request, and otherwise goes on with the script.
    case closeIf(@Sendable (ReceivedRequest) -> Bool)
    /// Sends RST. Ends the script.
    case reset
    /// Sends FIN and continues to read.
    case shutdownWrite
    /// Keeps the connection open, without reading or sending, until the server is stopped. Ends the script.
    case holdOpen
    /// Reads and discards everything until the client closes. Ends the script.
    case expectClose
    /// Repeats the steps this number of times; without a number, until the client closes the connection.
    indirect case `repeat`([Step], times: Int? = nil)

    /// Sends a text as UTF-8.
    public static func send(_ text: String) -> Step { .sendBytes(Array(text.utf8)) }

    /// Sends bytes.
    public static func send(_ bytes: [UInt8]) -> Step { .sendBytes(bytes) }

    /// Sends a complete response.
    public static func send(_ answer: HTTPAnswer) -> Step { .sendBytes(answer.bytes) }

    /// Sends a text in pieces of `chunk` bytes, with a pause between the pieces.
    public static func sendSlowly(_ text: String, chunk: Int, every pause: Duration) -> Step {
        .sendSlowly(Array(text.utf8), chunk: chunk, every: pause)
    }

    /// Stores the time at which the script comes to this step, after it has read a request.
    public static func noteTime(in moment: Watched<ContinuousClock.Instant?>) -> Step {
        .respond { _ in
            moment.change { $0 = ContinuousClock.now }
            return []
        }
    }

    /// Reads a request, sending `100 Continue` before the body when the head expects it.
    public static let readRequestSendingContinue = Step.repeat([.readHead, .sendContinueIfExpected, .readBody], times: 1)
}
