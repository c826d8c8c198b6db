import SortieHTTP
import Testing

/// A case of autobahn's list for clients: what the server sends, and what a client that sends each message back must do.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// How the bytes of the frames are divided into segments.
    enum Delivery: Sendable {
        case whole
        case frames
        case chops(Int)
        /// Each frame is sent after the response to the one before.
        case roundTrips
    }

    enum Ending: Sendable {
        /// The server sends a Close frame with 1000 after the responses, which is responded to with the same code.
        case byServer
        /// The frames contain a Close frame, which is responded to with its code.
        case close(UInt16?)
        /// The frames violate the rule, and the client closes the connection with the code of the rule.
        case violation(WebSocketError.Rule)
    }

    /// The number in autobahn's list.
    let number: String
    let title: String
    let delivery: Delivery
    let ending: Ending
    /// The payloads of the pongs that the client must send.
    let pongs: [[UInt8]]
    private let makeFrames: @Sendable () -> [[UInt8]]
    private let makeMessages: @Sendable () -> [WebSocketMessage]
    /// What the server sends only after the client's Close frame, which must therefore not depend on it.
    let withheld: [[UInt8]]

    init(
        _ number: String, _ title: String, _ frames: @autoclosure @escaping @Sendable () -> [[UInt8]], _ delivery: Delivery = .whole,
        messages: @autoclosure @escaping @Sendable () -> [WebSocketMessage] = [], pongs: [[UInt8]] = [], withheld: [[UInt8]] = [],
        ends ending: Ending = .byServer
    ) {
        self.number = number
        self.title = title
        self.delivery = delivery
        self.ending = ending
        self.pongs = pongs
        self.withheld = withheld
        makeFrames = frames
        makeMessages = messages
    }

    /// The bytes of the frames in order; made for each use, because some are large.
    var frames: [[UInt8]] { makeFrames() }

    /// The bytes of all frames; `joined()` takes long for megabytes in a debug build.
    var bytes: [UInt8] { frames.reduce(into: []) { $0 += $1 } }

    /// The messages that the program receives, and sends back.
    var messages: [WebSocketMessage] { makeMessages() }

    var testDescription: String { "\(number): \(title)" }
}
