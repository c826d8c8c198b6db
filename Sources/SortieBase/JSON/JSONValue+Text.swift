extension JSONValue {
    /// The value as JSON text on one line (RFC 8259).
    public var text: String {
        var output: [UInt8] = []
        write(to: &output, space: " ")
        return String(decoding: output, as: UTF8.self)
    }

    /// The value as JSON text without any space between its tokens (RFC 8259).
    public var compactText: String {
        var output: [UInt8] = []
        write(to: &output, space: "")
        return String(decoding: output, as: UTF8.self)
    }

    private func write(to output: inout [UInt8], space: String) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .number(let text): output += text.utf8
        case .string(let text): JSONValue.write(text, to: &output)
        case .array(let items):
            output.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { output += ",\(space)".utf8 }
                item.write(to: &output, space: space)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output += ",\(space)".utf8 }
                JSONValue.write(member.key, to: &output)
                output += ":\(space)".utf8
                member.value.write(to: &output, space: space)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\"".utf8
            case "\\": output += "\\\\".utf8
            case "\n": output += "\\n".utf8
            case "\r": output += "\\r".utf8
            case "\t": output += "\\t".utf8
            // C1 controls, DEL and bidi controls are legal in JSON, but a terminal obeys them.
            case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{61c}", "\u{200e}", "\u{200f}", "\u{2028}"..."\u{202e}", "\u{2066}"..."\u{2069}":
                let digits = String(scalar.value, radix: 16)
                output += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
            default: output += UTF8.encode(scalar).map(Array.init) ?? []
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
