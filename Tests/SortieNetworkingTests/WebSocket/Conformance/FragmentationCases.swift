import SortieHTTP

/// 5: fragments of messages, and control frames between them.
enum FragmentationCases {
    private static let first = ServerFrame.text("fragment1", isFinal: false)
    private static let last = ServerFrame.continuation("fragment2")
    private static let both: [WebSocketMessage] = [.text("fragment1fragment2")]
    private static let ping = ServerFrame.ping("ping payload")
    private static let pong = Array("ping payload".utf8)
    private static let lone = ServerFrame.continuation("non-continuation payload")
    private static let unfinishedLone = ServerFrame.continuation("non-continuation payload", isFinal: false)
    private static let hello = ServerFrame.text("Hello, world!")

    static let all = legal + lonely + mixed + interleaved

    private static let legal: [ConformanceCase] = [
        ConformanceCase(
            "5.1", "a ping in two fragments", [ServerFrame.bytes(9, Array("fragment1".utf8), isFinal: false), last],
            ends: .violation(.controlFragment)),
        ConformanceCase(
            "5.2", "a pong in two fragments", [ServerFrame.bytes(10, Array("fragment1".utf8), isFinal: false), last],
            ends: .violation(.controlFragment)),
        ConformanceCase("5.3", "a text in two fragments", [first, last], messages: both),
        ConformanceCase("5.4", "a text in two fragments, frame by frame", [first, last], .frames, messages: both),
        ConformanceCase("5.5", "a text in two fragments, octet by octet", [first, last], .chops(1), messages: both),
        ConformanceCase("5.6", "a ping between two fragments", [first, ping, last], messages: both, pongs: [pong]),
        ConformanceCase("5.7", "a ping between two fragments, frame by frame", [first, ping, last], .frames, messages: both, pongs: [pong]),
        ConformanceCase("5.8", "a ping between two fragments, octet by octet", [first, ping, last], .chops(1), messages: both, pongs: [pong]),
    ]

    private static let lonely: [ConformanceCase] = [
        ConformanceCase("5.9", "a final continuation of nothing, a text", [lone, hello], ends: .violation(.loneContinuation)),
        ConformanceCase(
            "5.10", "a final continuation of nothing, a text, frame by frame", [lone, hello], .frames, ends: .violation(.loneContinuation)),
        ConformanceCase(
            "5.11", "a final continuation of nothing, a text, octet by octet", [lone, hello], .chops(1), ends: .violation(.loneContinuation)),
        ConformanceCase("5.12", "a continuation of nothing, a text", [unfinishedLone, hello], ends: .violation(.loneContinuation)),
        ConformanceCase(
            "5.13", "a continuation of nothing, a text, frame by frame", [unfinishedLone, hello], .frames, ends: .violation(.loneContinuation)),
        ConformanceCase(
            "5.14", "a continuation of nothing, a text, octet by octet", [unfinishedLone, hello], .chops(1), ends: .violation(.loneContinuation)),
    ]

    private static let mixed: [ConformanceCase] = [
        ConformanceCase(
            "5.15", "a text in two fragments, a continuation of nothing, a text",
            [first, last, ServerFrame.continuation("fragment3", isFinal: false), ServerFrame.text("fragment4")], messages: both,
            ends: .violation(.loneContinuation)),
        ConformanceCase(
            "5.16", "twice: a continuation of nothing, a text in two fragments", twice(isFinal: false), ends: .violation(.loneContinuation)),
        ConformanceCase(
            "5.17", "twice: a final continuation of nothing, a text in two fragments", twice(isFinal: true), ends: .violation(.loneContinuation)),
        ConformanceCase(
            "5.18", "two fragments that both begin a text", [first, ServerFrame.text("fragment2")], ends: .violation(.interruptedMessage)),
    ]

    private static func twice(isFinal: Bool) -> [[UInt8]] {
        let frames = [
            ServerFrame.continuation("fragment1", isFinal: isFinal), ServerFrame.text("fragment2", isFinal: false),
            ServerFrame.continuation("fragment3"),
        ]
        return frames + frames
    }

    private static let interleaved = [("5.19", ConformanceCase.Delivery.whole), ("5.20", .frames)].map { number, delivery in
        ConformanceCase(
            number, "two pings between five fragments" + (number == "5.20" ? ", frame by frame" : ""),
            [
                first, ServerFrame.continuation("fragment2", isFinal: false), ServerFrame.ping("pongme 1!"),
                ServerFrame.continuation("fragment3", isFinal: false), ServerFrame.continuation("fragment4", isFinal: false),
                ServerFrame.ping("pongme 2!"), ServerFrame.continuation("fragment5"),
            ], delivery, messages: [.text("fragment1fragment2fragment3fragment4fragment5")],
            pongs: [Array("pongme 1!".utf8), Array("pongme 2!".utf8)])
    }
}
