public import Foundation

/// Data for body tests.
public enum BodyFixtures {
    /// The folder of external test data beside or above the project; nil where there is none.
    public static func corpus(_ name: String) -> URL? { Corpora.url(name) }

    /// The files of a folder whose names have a prefix, in order.
    public static func files(_ folder: URL, prefix: String) throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(prefix) }.sorted().map {
            ($0, [UInt8](try Data(contentsOf: folder.appendingPathComponent($0))))
        }
    }

    /// Random JSON with random white space, occasionally with deep and long values.
    public static func json(_ random: inout SeededGenerator, depth: Int = 0) -> String {
        let blank = ["", "", "", " ", "\n", "\r\n  ", "\t"]
        func gap() -> String { blank.randomElement(using: &random) ?? "" }
        switch Int.random(in: depth > 5 ? 2..<8 : 0..<8, using: &random) {
        case 0:
            let members = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                "\(gap())\(string(&random))\(gap()):\(gap())\(json(&random, depth: depth + 1))\(gap())"
            }
            return "{" + (members.isEmpty ? gap() : members.joined(separator: ",")) + "}"
        case 1:
            let elements = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
                "\(gap())\(json(&random, depth: depth + 1))\(gap())"
            }
            return "[" + (elements.isEmpty ? gap() : elements.joined(separator: ",")) + "]"
        case 2: return ["true", "false", "null"].randomElement(using: &random) ?? "null"
        case 3:
            return ["0", "-0", "12.50", "1e9", "-3.25E-2", String(repeating: "7", count: 30)].randomElement(using: &random) ?? "0"
        default: return string(&random)
        }
    }

    private static func string(_ random: inout SeededGenerator) -> String {
        let pieces = ["a", "key", "é", "日本", "👩‍🚀", "\\n", "\\\"", "\\u00e9", "\\\\", " ", "e\u{301}"]
        let count = Int.random(in: 0..<40, using: &random) == 0 ? 5000 : Int.random(in: 0..<8, using: &random)
        return "\"" + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined() + "\""
    }

    /// The JSON without blanks between tokens.
    public static func stripped(_ text: some Sequence<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var isInString = false
        var isEscaped = false
        for byte in text {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isInString = false
                }
            } else if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                continue
            } else if byte == 0x22 {
                isInString = true
            }
            result.append(byte)
        }
        return result
    }
}
