import SortieHTTP

/// 6: UTF-8 in text messages: fragments (6.1–6.3), fail-fast (6.4), and single sequences in one frame (``UTF8Sequences``).
enum UTF8Cases {
    /// “κόσμε”.
    static let greek: [UInt8] = [0xce, 0xba, 0xe1, 0xbd, 0xb9, 0xcf, 0x83, 0xce, 0xbc, 0xce, 0xb5]
    private static let mixed = "Hello-µ@ßöäüàá-UTF-8!!"
    private static let edited = Array("edited".utf8)
    private static let surrogate = greek + [0xed, 0xa0, 0x80] + edited
    /// A value above U+10FFFF, which is invalid from its second byte on.
    private static let tooLarge: [UInt8] = [0xf4, 0x90, 0x80, 0x80]
    private static let beyond = greek + tooLarge + edited

    static let all = valid + invalid + failFast + UTF8Sequences.all

    private static let valid: [ConformanceCase] = [
        ConformanceCase("6.1.1", "an empty text", [ServerFrame.text("")], messages: [.text("")]),
        ConformanceCase(
            "6.1.2", "three empty fragments",
            [ServerFrame.text("", isFinal: false), ServerFrame.continuation("", isFinal: false), ServerFrame.continuation("")], messages: [.text("")]),
        ConformanceCase(
            "6.1.3", "three fragments, of which the second has a payload",
            [ServerFrame.text("", isFinal: false), ServerFrame.continuation("middle frame payload", isFinal: false), ServerFrame.continuation("")],
            messages: [.text("middle frame payload")]),
        ConformanceCase("6.2.1", "characters of one and two bytes", [ServerFrame.text(mixed)], messages: [.text(mixed)]),
        ConformanceCase(
            "6.2.2", "two fragments, divided between characters",
            [ServerFrame.text("Hello-µ@ßöä", isFinal: false), ServerFrame.continuation("üàá-UTF-8!!")], messages: [.text(mixed)]),
        ConformanceCase("6.2.3", "fragments of 1 byte", ServerFrame.fragments(1, Array(mixed.utf8), of: 1), messages: [.text(mixed)]),
        ConformanceCase(
            "6.2.4", "Greek in fragments of 1 byte", ServerFrame.fragments(1, greek, of: 1), messages: [.text(String(decoding: greek, as: UTF8.self))]
        ),
    ]

    private static let invalid: [ConformanceCase] = [
        ConformanceCase("6.3.1", "a surrogate in one frame", [ServerFrame.bytes(1, surrogate)], ends: .violation(.textEncoding)),
        ConformanceCase("6.3.2", "a surrogate in fragments of 1 byte", ServerFrame.fragments(1, surrogate, of: 1), ends: .violation(.textEncoding)),
    ]

    /// The server sends the rest only after the client has closed the connection, so the client must have detected the invalid byte before.
    private static let failFast: [ConformanceCase] = [
        ConformanceCase(
            "6.4.1", "an invalid second fragment of three",
            [ServerFrame.bytes(1, greek, isFinal: false), ServerFrame.bytes(0, tooLarge, isFinal: false)], .frames,
            withheld: [ServerFrame.bytes(0, edited)], ends: .violation(.textEncoding)),
        ConformanceCase(
            "6.4.2", "a second fragment of 1 byte, the first invalid one",
            [ServerFrame.bytes(1, Array(beyond[..<12]), isFinal: false), ServerFrame.bytes(0, [beyond[12]], isFinal: false)], .frames,
            withheld: [ServerFrame.bytes(0, Array(beyond[13...]))], ends: .violation(.textEncoding)),
        ConformanceCase(
            "6.4.3", "an invalid second part of a frame", parts(upTo: 15, of: 11), .frames, withheld: [edited], ends: .violation(.textEncoding)),
        ConformanceCase(
            "6.4.4", "a frame up to its first invalid byte", parts(upTo: 13, of: 12), .frames, withheld: [Array(beyond[13...])],
            ends: .violation(.textEncoding)),
    ]

    /// The header with the first bytes of the payload, and the bytes from there to `end`.
    private static func parts(upTo end: Int, of first: Int) -> [[UInt8]] {
        let header = Array(ServerFrame.bytes(1, beyond).prefix(2))
        return [header + beyond[..<first], Array(beyond[first..<end])]
    }
}
