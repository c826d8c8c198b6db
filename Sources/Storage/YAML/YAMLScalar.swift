/// A scalar and its style.
struct YAMLScalar {
    /// The style in the source.
    enum Style {
        case plain, singleQuoted, doubleQuoted, literal, folded
    }

    /// The type in the core schema (YAML 1.2 §10.3.2), in which `yes` and `on` are strings.
    enum CoreType {
        case null, bool, integer, float, string
    }

    /// The tag of a text that is JSON, in the place of the value that it describes.
    static let jsonTag = "!json"

    var text: String
    var style: Style
    /// The tag in the source, such as `!!str`.
    var tag: String?

    var type: CoreType {
        if let tag {
            switch tag {
            case "!!null": return .null
            case "!!bool": return .bool
            case "!!int": return .integer
            case "!!float": return .float
            default: return .string
            }
        }
        return style == .plain ? YAMLScalar.coreType(ofPlain: text) : .string
    }

    /// The type of an unquoted text.
    static func coreType(ofPlain text: String) -> CoreType {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE", "false", "False", "FALSE": return .bool
        case ".nan", ".NaN", ".NAN": return .float
        default: break
        }
        let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : Substring(text)
        if [".inf", ".Inf", ".INF"].contains(unsigned) { return .float }
        if text.hasPrefix("0o"), text.count > 2, text.dropFirst(2).utf8.allSatisfy({ (0x30...0x37).contains($0) }) {
            return .integer
        }
        if text.hasPrefix("0x"), text.count > 2, text.dropFirst(2).allSatisfy({ $0.isASCII && $0.isHexDigit }) { return .integer }
        return numberType(unsigned)
    }

    private static func numberType(_ unsigned: Substring) -> CoreType {
        var rest = unsigned.utf8[...]
        func digits() -> Int {
            let run = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(run.count)
            return run.count
        }
        let whole = digits()
        if rest.isEmpty { return whole > 0 ? .integer : .string }
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            fraction = digits()
        }
        guard whole + fraction > 0 else { return .string }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            guard digits() > 0 else { return .string }
        }
        return rest.isEmpty ? .float : .string
    }
}
