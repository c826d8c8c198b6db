import SortieHTTP

/// 1: texts and binary messages in one frame with lengths of each form.
enum FramingCases {
    private static let sizes: [(count: Int, chop: Int?)] = [
        (0, nil), (125, nil), (126, nil), (127, nil), (128, nil), (65535, nil), (65536, nil), (65536, 997),
    ]

    static let all = texts + binaries

    private static let texts = sizes.enumerated().map { index, size in
        ConformanceCase(
            "1.1.\(index + 1)", "a text of \(size.count) bytes", [ServerFrame.bytes(1, Array(repeating: 0x2a, count: size.count))],
            size.chop.map { .chops($0) } ?? .whole, messages: [.text(String(repeating: "*", count: size.count))])
    }

    private static let binaries = sizes.enumerated().map { index, size in
        ConformanceCase(
            "1.2.\(index + 1)", "\(size.count) bytes", [ServerFrame.bytes(2, Array(repeating: 0xfe, count: size.count))],
            size.chop.map { .chops($0) } ?? .whole, messages: [.binary(Array(repeating: 0xfe, count: size.count))])
    }
}
