import SortieHTTP

/// 9: large messages, small fragments and segments, and round trips; 10: a message that the server divides into fragments.
///
/// Two numbers are smaller than in autobahn's list, to spare time: 100 round trips in place of 1000, which measure a time there, and 1 MiB in place of
/// 4 MiB in fragments of up to 1 MiB, of which there are still up to 16384.
enum LimitCases {
    private static let sizes = [64 << 10, 256 << 10, 1 << 20, 4 << 20, 8 << 20, 16 << 20]
    private static let roundTripSizes = [0, 16, 64, 256, 1024, 4096]
    private static let roundTrips = 100

    static let all = whole + fragmented + chopped + repeated + automatic

    /// A message of the kind of the group: a text in odd ones, bytes in even ones.
    private static func message(_ isText: Bool, _ count: Int) -> WebSocketMessage {
        isText ? .text(String(decoding: [UInt8](repeating: 0x2a, count: count), as: UTF8.self)) : .binary(Array(repeating: 0xfe, count: count))
    }

    private static func frame(_ isText: Bool, _ count: Int) -> [UInt8] {
        ServerFrame.bytes(isText ? 1 : 2, Array(repeating: isText ? 0x2a : 0xfe, count: count))
    }

    private static let whole = [true, false].flatMap { isText in
        sizes.enumerated().map { index, size in
            ConformanceCase(
                "9.\(isText ? 1 : 2).\(index + 1)", "\(isText ? "a text" : "bytes") of \(size >> 10) KiB", [frame(isText, size)],
                messages: [message(isText, size)])
        }
    }

    private static let fragmented = [true, false].flatMap { isText in
        (0..<9).map { index in
            let size = 64 << (2 * index)
            let count = max(1 << 20, size)
            return ConformanceCase(
                "9.\(isText ? 3 : 4).\(index + 1)", "\(count >> 20) MiB of \(isText ? "text" : "bytes") in fragments of \(size) bytes",
                ServerFrame.fragments(isText ? 1 : 2, Array(repeating: isText ? 0x2a : 0xfe, count: count), of: size),
                messages: [message(isText, count)])
        }
    }

    private static let chopped = [true, false].flatMap { isText in
        (0..<6).map { index in
            ConformanceCase(
                "9.\(isText ? 5 : 6).\(index + 1)", "1 MiB of \(isText ? "text" : "bytes") in segments of \(64 << index) bytes",
                [frame(isText, 1 << 20)], .chops(64 << index), messages: [message(isText, 1 << 20)])
        }
    }

    private static let repeated = [true, false].flatMap { isText in
        roundTripSizes.enumerated().map { index, size in
            ConformanceCase(
                "9.\(isText ? 7 : 8).\(index + 1)", "\(roundTrips) round trips with \(size) bytes of \(isText ? "text" : "data")",
                Array(repeating: frame(isText, size), count: roundTrips), .roundTrips,
                messages: Array(repeating: message(isText, size), count: roundTrips))
        }
    }

    private static let automatic = [
        ConformanceCase(
            "10.1.1", "64 KiB of text in fragments of 1300 bytes", ServerFrame.fragments(1, Array(repeating: 0x2a, count: 65536), of: 1300),
            messages: [message(true, 65536)])
    ]
}
