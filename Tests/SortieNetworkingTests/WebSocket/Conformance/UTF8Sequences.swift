import SortieHTTP

/// 6.5–6.23: valid and invalid sequences of Markus Kuhn's “UTF-8 decoder capability and stress test”, each as a text in one frame.
enum UTF8Sequences {
    private struct Group {
        let title: String
        let sequences: [(isValid: Bool, bytes: [UInt8])]

        init(_ title: String, valid: [[UInt8]] = [], invalid: [[UInt8]] = []) {
            self.title = title
            sequences = valid.map { (true, $0) } + invalid.map { (false, $0) }
        }

        init(_ title: String, _ sequences: [(isValid: Bool, bytes: [UInt8])]) {
            self.title = title
            self.sequences = sequences
        }
    }

    static let all = groups.enumerated().flatMap { index, group in
        group.sequences.enumerated().map { position, sequence in
            let hex = sequence.bytes.prefix(12).map { String($0, radix: 16) }.joined(separator: " ") + (sequence.bytes.count > 12 ? " …" : "")
            return ConformanceCase(
                "6.\(index + 5).\(position + 1)", "\(group.title), \(hex)", [ServerFrame.bytes(1, sequence.bytes)],
                messages: sequence.isValid ? [.text(String(decoding: sequence.bytes, as: UTF8.self))] : [],
                ends: sequence.isValid ? .byServer : .violation(.textEncoding))
        }
    }

    private static let greek = UTF8Cases.greek
    private static let incomplete: [[UInt8]] = [
        [0xc0], [0xe0, 0x80], [0xf0, 0x80, 0x80], [0xf8, 0x80, 0x80, 0x80], [0xfc, 0x80, 0x80, 0x80, 0x80], [0xdf], [0xef, 0xbf],
        [0xf7, 0xbf, 0xbf], [0xfb, 0xbf, 0xbf, 0xbf], [0xfd, 0xbf, 0xbf, 0xbf, 0xbf],
    ]

    private static let groups: [Group] = [
        Group("valid", valid: ["hello$world", "hello¢world", "hello€world", "hello\u{24b62}world"].map { Array($0.utf8) } + [greek]),
        // The characters end after 2, 5, 7, 9 and 11 bytes.
        Group("a prefix", (1...greek.count).map { ([2, 5, 7, 9, 11].contains($0), Array(greek[..<$0])) }),
        Group("the first of a length", valid: [[0], [0xc2, 0x80], [0xe0, 0xa0, 0x80], [0xf0, 0x90, 0x80, 0x80]]),
        Group("the first of five and six bytes", invalid: [[0xf8, 0x88, 0x80, 0x80, 0x80], [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80]]),
        Group("the last of a length", valid: [[0x7f], [0xdf, 0xbf], [0xef, 0xbf, 0xbf], [0xf4, 0x8f, 0xbf, 0xbf]]),
        Group(
            "the last of four to six bytes",
            invalid: [[0xf7, 0xbf, 0xbf, 0xbf], [0xfb, 0xbf, 0xbf, 0xbf, 0xbf], [0xfd, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf]]),
        Group(
            "a boundary", valid: [[0xed, 0x9f, 0xbf], [0xee, 0x80, 0x80], [0xef, 0xbf, 0xbd], [0xf4, 0x8f, 0xbf, 0xbf]],
            invalid: [[0xf4, 0x90, 0x80, 0x80]]),
        Group(
            "continuation bytes alone",
            invalid: [[0x80], [0xbf]] + (2...6).map { count in (0..<count).map { $0 % 2 == 0 ? 0x80 : 0xbf } } + [Array(0x80..<0xbf)]),
        Group(
            "start bytes alone",
            invalid: [0xc0..<0xdf, 0xe0..<0xef, 0xf0..<0xf7, 0xf8..<0xfb, 0xfc..<0xfd].map { (bytes: Range<UInt8>) in bytes.flatMap { [$0, 0x20] } }),
        Group("without the last byte", invalid: incomplete),
        Group("incomplete sequences", invalid: [Array(incomplete.joined())]),
        Group("impossible bytes", invalid: [[0xfe], [0xff], [0xfe, 0xfe, 0xff, 0xff]]),
        Group(
            "an overlong ASCII character",
            invalid: [
                [0xc0, 0xaf], [0xe0, 0x80, 0xaf], [0xf0, 0x80, 0x80, 0xaf], [0xf8, 0x80, 0x80, 0x80, 0xaf], [0xfc, 0x80, 0x80, 0x80, 0x80, 0xaf],
            ]),
        Group(
            "the largest overlong sequence",
            invalid: [
                [0xc1, 0xbf], [0xe0, 0x9f, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf], [0xf8, 0x87, 0xbf, 0xbf, 0xbf], [0xfc, 0x83, 0xbf, 0xbf, 0xbf, 0xbf],
            ]),
        Group(
            "an overlong NUL",
            invalid: [
                [0xc0, 0x80], [0xe0, 0x80, 0x80], [0xf0, 0x80, 0x80, 0x80], [0xf8, 0x80, 0x80, 0x80, 0x80], [0xfc, 0x80, 0x80, 0x80, 0x80, 0x80],
            ]),
        Group("a surrogate", invalid: (high + low + [[0xed, 0xbe, 0x80]]).sorted { $0.lexicographicallyPrecedes($1) }),
        Group("a pair of surrogates", invalid: high.flatMap { first in low.map { first + $0 } }),
        Group("a value that is no character", valid: [[0xef, 0xbf, 0xbe], [0xef, 0xbf, 0xbf]] + noncharacters),
        Group("a special character", valid: (0xb9...0xbf).map { [0xef, 0xbf, $0] }),
    ]

    private static let high: [[UInt8]] = [[0xed, 0xa0, 0x80], [0xed, 0xad, 0xbf], [0xed, 0xae, 0x80], [0xed, 0xaf, 0xbf]]
    private static let low: [[UInt8]] = [[0xed, 0xb0, 0x80], [0xed, 0xbf, 0xbf]]

    /// The last two values of the planes 1 to 16.
    private static let noncharacters: [[UInt8]] = (1...16).flatMap { plane in
        [0xfffe, 0xffff].compactMap { Unicode.Scalar(UInt32(plane << 16 | $0)).map { Array(String(Character($0)).utf8) } }
    }
}
