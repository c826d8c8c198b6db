/// The output of `printf` (POSIX.1-2017, printf), as far as it needs no numbers.
enum PrintfText {
    /// The output; nil for a format with other conversions than `%s`, `%b` and `%%`.
    static func text(_ format: String, arguments: [String]) -> String? {
        var result: [ShellText.Piece] = []
        var rest = arguments[...]
        let pieces = ShellText.pieces(of: format)
        var index = 0
        while index < pieces.count {
            guard case .byte(let byte) = pieces[index] else {
                result.append(pieces[index])
                index += 1
                continue
            }
            index += 1
            if byte == UInt8(ascii: "\\") {
                result.append(.byte(escape(pieces, &index)))
            } else if byte == UInt8(ascii: "%") {
                guard index < pieces.count, case .byte(let kind) = pieces[index] else { return nil }
                index += 1
                switch kind {
                case UInt8(ascii: "%"): result.append(.byte(kind))
                case UInt8(ascii: "s"): result += ShellText.pieces(of: rest.popFirst() ?? "")
                case UInt8(ascii: "b"):
                    guard let text = text((rest.popFirst() ?? "").replacing("%", with: "%%"), arguments: []) else { return nil }
                    result += ShellText.pieces(of: text)
                default: return nil
                }
            } else {
                result.append(.byte(byte))
            }
        }
        // A format is repeated for further arguments, which a request does not need.
        return rest.isEmpty ? ShellText.text(of: result) : nil
    }

    private static func escape(_ pieces: [ShellText.Piece], _ index: inout Int) -> UInt8 {
        guard index < pieces.count, case .byte(let next) = pieces[index] else { return UInt8(ascii: "\\") }
        let known: [UInt8: UInt8] = [
            0x6e: 0x0a, 0x74: 0x09, 0x72: 0x0d, 0x61: 0x07, 0x62: 0x08, 0x66: 0x0c, 0x76: 0x0b, 0x5c: 0x5c, 0x22: 0x22, 0x27: 0x27,
        ]
        if let value = known[next] {
            index += 1
            return value
        }
        var value = 0
        var count = 0
        while count < 3, index < pieces.count, case .byte(let digit) = pieces[index], (0x30...0x37).contains(digit) {
            value = value * 8 + Int(digit - 0x30)
            index += 1
            count += 1
        }
        return count == 0 ? UInt8(ascii: "\\") : UInt8(truncatingIfNeeded: value)
    }
}
