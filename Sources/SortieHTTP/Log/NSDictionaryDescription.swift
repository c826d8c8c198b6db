internal import SortieBase

/// Formats values like the descriptions of NSDictionary and NSArray: the old property list format.
///
/// Keys are sorted. A string is unquoted only when it contains nothing but ASCII letters and digits. Characters beyond ASCII are written as
/// `\Uxxxx`.
enum NSDictionaryDescription {
    /// Formats named values without a trailing line break; for a repeated name the last value is used.
    package static func text(of members: [ParameterValue.Member]) -> String { text(of: .object(members), level: 0) }

    /// Formats header fields; values of the same name are joined as by NSHTTPURLResponse.
    package static func text(of headers: Headers) -> String {
        var members: [ParameterValue.Member] = []
        for field in headers.fields where !members.contains(where: { field.isNamed($0.name) }) {
            members.append(.init(field.name, .string(headers.values(of: field.name).joined(separator: ", "))))
        }
        return text(of: members)
    }

    private static func text(of value: ParameterValue, level: Int) -> String {
        let indentation = String(repeating: "    ", count: level)
        switch value {
        case .object(let members):
            let lines = sorted(members).map { member in
                "\(indentation)    \(quoted(member.name)) = \(text(of: member.value, level: level + 1));\n"
            }
            return "\(indentation){\n\(lines.joined())\(indentation)}"
        case .array(let items): return list(items, "(", ")", level)
        case .set(let items): return list(items, "{(", ")}", level)
        case .string(let text): return quoted(text)
        case .integer(let value): return quoted(String(value))
        case .number(let value): return quoted(ParameterValue.text(of: value))
        case .bool(let value): return value ? "1" : "0"
        case .null: return quoted("<null>")
        case .date(let seconds):
            let text = CalendarTime(secondsSince1970: seconds).iso8601
            return quoted(text.replacing("T", with: " ").replacing("Z", with: " +0000"))
        }
    }

    private static func list(_ items: [ParameterValue], _ open: String, _ close: String, _ level: Int) -> String {
        let indentation = String(repeating: "    ", count: level)
        let lines = items.map { "\(indentation)    \(text(of: $0, level: level + 1))" }
        return "\(indentation)\(open)\n" + lines.joined(separator: ",\n") + (lines.isEmpty ? "" : "\n") + "\(indentation)\(close)"
    }

    private static func sorted(_ members: [ParameterValue.Member]) -> [ParameterValue.Member] {
        let last = Dictionary(members.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        return last.values.sorted { ParameterPair.precedes($0.name, $1.name) }
    }

    /// Formats a string, in quotes where it needs them.
    package static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy({ ASCII.isDigit($0) || ASCII.isLetter($0) }) { return text }
        // The mask is not part of a value, so it stays readable.
        if text == HeaderField.mask { return "\"\(text)\"" }
        var result = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: result += "\\\""
            case 0x5C: result += "\\\\"
            case 0x0A: result += "\\n"
            case 0x0D: result += "\\r"
            case 0x09: result += "\\t"
            case 0x20..<0x7F: result.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                result += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result + "\""
    }
}
