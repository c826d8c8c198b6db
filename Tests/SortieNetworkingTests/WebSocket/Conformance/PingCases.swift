import SortieHTTP

/// 2: pings and pongs.
enum PingCases {
    private static let notUTF8: [UInt8] = [0, 0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0, 0xff]
    private static let longest = [UInt8](repeating: 0xfe, count: 125)
    private static let ten = (0..<10).map { "payload-\($0)" }

    static let all: [ConformanceCase] = [
        ConformanceCase("2.1", "a ping without a payload", [ServerFrame.ping()], pongs: [[]]),
        ConformanceCase("2.2", "a ping with a text", [ServerFrame.ping("Hello, world!")], pongs: [Array("Hello, world!".utf8)]),
        ConformanceCase("2.3", "a ping with bytes that are not UTF-8", [ServerFrame.bytes(9, notUTF8)], pongs: [notUTF8]),
        ConformanceCase("2.4", "a ping of 125 bytes", [ServerFrame.bytes(9, longest)], pongs: [longest]),
        ConformanceCase("2.5", "a ping of 126 bytes", [ServerFrame.bytes(9, longest + [0xfe])], ends: .violation(.controlLength)),
        ConformanceCase("2.6", "a ping of 125 bytes, octet by octet", [ServerFrame.bytes(9, longest)], .chops(1), pongs: [longest]),
        ConformanceCase("2.7", "an unsolicited pong without a payload", [ServerFrame.pong()]),
        ConformanceCase("2.8", "an unsolicited pong with a payload", [ServerFrame.pong("unsolicited pong payload")]),
        ConformanceCase(
            "2.9", "an unsolicited pong, then a ping", [ServerFrame.pong("unsolicited pong payload"), ServerFrame.ping("ping payload")],
            pongs: [Array("ping payload".utf8)]),
        ConformanceCase("2.10", "ten pings", ten.map { ServerFrame.ping($0) }, pongs: ten.map { Array($0.utf8) }),
        ConformanceCase("2.11", "ten pings, octet by octet", ten.map { ServerFrame.ping($0) }, .chops(1), pongs: ten.map { Array($0.utf8) }),
    ]
}
