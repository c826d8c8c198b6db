import Foundation

/// A JSON value for output, whose objects keep the given order of keys.
enum JSON: Sendable {
    case object([(String, JSON)])
    case array([JSON])
    case string(String)
    case integer(Int)
    /// A number in the given notation, for example the price 19.90.
    case number(String)
    case bool(Bool)
    case null

    /// The value as compact JSON.
    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                JSON.write(member.0, to: &text)
                text += ":"
                member.1.write(to: &text)
            }
            text += "}"
        case .array(let items):
            text += "["
            for (index, item) in items.enumerated() {
                if index > 0 { text += "," }
                item.write(to: &text)
            }
            text += "]"
        case .string(let string): JSON.write(string, to: &text)
        case .integer(let value): text += String(value)
        case .number(let spelling): text += spelling
        case .bool(let value): text += value ? "true" : "false"
        case .null: text += "null"
        }
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case let control where control.value < 0x20 || control.value == 0x7F:
                text += "\\u" + String(0x10000 + control.value, radix: 16).dropFirst()
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }

    /// A string, or `null` for nil.
    static func optional(_ string: String?) -> JSON {
        string.map(JSON.string) ?? .null
    }

    /// A number of seconds with three decimals.
    static func seconds(_ duration: Duration) -> JSON {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        return .number("\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())")
    }
}
