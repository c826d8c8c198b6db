import SortieHTTP

/// 7: Close frames.
enum CloseCases {
    private static let close = ServerFrame.close(1000)
    private static let hello = ServerFrame.text("Hello World!")
    private static let reason = [UInt8](repeating: 0x2a, count: 123)
    private static let validCodes: [UInt16] = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]
    private static let invalidCodes: [UInt16] = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999]

    static let all = basic + payloads + valid + invalid

    private static let basic: [ConformanceCase] = [
        ConformanceCase("7.1.1", "a text, then a Close frame", [hello], messages: [.text("Hello World!")]),
        ConformanceCase("7.1.2", "two Close frames", [close, close], ends: .close(1000)),
        ConformanceCase("7.1.3", "a ping after the Close frame", [close, ServerFrame.ping()], ends: .close(1000)),
        ConformanceCase("7.1.4", "a text after the Close frame", [close, hello], ends: .close(1000)),
        ConformanceCase(
            "7.1.5", "a Close frame between two fragments",
            [ServerFrame.text("fragment1", isFinal: false), close, ServerFrame.continuation("fragment2")],
            ends: .close(1000)),
        // The frames come at once, so the connection is closed before the program could send the messages back.
        ConformanceCase(
            "7.1.6", "256 KiB, a text, a Close frame and a ping",
            [ServerFrame.bytes(1, Array(repeating: 0x2a, count: 256 << 10)), hello, close, ServerFrame.ping()], ends: .close(1000)),
    ]

    private static let payloads: [ConformanceCase] = [
        ConformanceCase("7.3.1", "an empty payload", [ServerFrame.bytes(8)], ends: .close(nil)),
        ConformanceCase("7.3.2", "a payload of 1 byte", [ServerFrame.bytes(8, [0x61])], ends: .violation(.closePayload)),
        ConformanceCase("7.3.3", "a code", [close], ends: .close(1000)),
        ConformanceCase("7.3.4", "a code and a reason", [ServerFrame.close(1000, Array("Hello World!".utf8))], ends: .close(1000)),
        ConformanceCase("7.3.5", "a reason of 123 bytes", [ServerFrame.close(1000, reason)], ends: .close(1000)),
        ConformanceCase("7.3.6", "a reason of 124 bytes", [ServerFrame.close(1000, reason + [0x2a])], ends: .violation(.controlLength)),
        ConformanceCase(
            "7.5.1", "a reason that is not UTF-8", [ServerFrame.close(1000, UTF8Cases.greek + [0xed, 0xa0, 0x80] + Array("edited".utf8))],
            ends: .violation(.closeReason)),
    ]

    private static let valid = validCodes.enumerated().map { index, code in
        ConformanceCase("7.7.\(index + 1)", "the code \(code)", [ServerFrame.close(code)], ends: .close(code))
    }

    private static let invalid =
        invalidCodes.enumerated().map { index, code in
            ConformanceCase("7.9.\(index + 1)", "the invalid code \(code)", [ServerFrame.close(code)], ends: .violation(.closeCode))
        }
        + [(1, 5000), (2, 65535)].map { index, code in
            ConformanceCase("7.13.\(index)", "the undefined code \(code)", [ServerFrame.close(UInt16(code))], ends: .violation(.closeCode))
        }
}
