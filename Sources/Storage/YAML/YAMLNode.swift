internal import WorkspaceModel

/// A value of a YAML document with its position, for diagnostics and for edits in place.
struct YAMLNode {
    /// The kind of value.
    enum Content {
        case scalar(YAMLScalar)
        case mapping([Entry])
        case sequence([YAMLNode])
    }

    /// An entry `key: value`.
    struct Entry {
        var key: YAMLNode
        var value: YAMLNode
    }

    var content: Content
    /// The line, from 1.
    var line: Int
    /// The column in characters, from 1.
    var column: Int
    /// The offset of its first byte in the file, its tag and anchor included.
    var start: Int
    /// Whether the value comes from an alias `*name`; its position is then that of the anchor.
    var isAlias = false

    /// The text of a scalar; nil for a collection.
    var text: String? {
        guard case .scalar(let scalar) = content else { return nil }
        return scalar.text
    }

    /// Whether the value is null: empty, `null` or `~`.
    var isNull: Bool {
        guard case .scalar(let scalar) = content else { return false }
        return scalar.type == .null
    }

    /// The entries of a mapping with those that `<<` merges into it; nil for anything else.
    var entries: [Entry]? {
        guard case .mapping(let own) = content else { return nil }
        guard own.contains(where: { $0.key.isMergeKey }) else { return own }
        var result = own.filter { !$0.key.isMergeKey }
        var known = Set(result.compactMap(\.key.text))
        for entry in own where entry.key.isMergeKey {
            var sources = [entry.value]
            if case .sequence(let items) = entry.value.content { sources = items }
            for source in sources {
                guard let merged = source.entries else { continue }
                result += merged.filter { $0.key.text.map { !known.contains($0) } ?? false }
                known.formUnion(merged.compactMap(\.key.text))
            }
        }
        return result
    }

    /// The items of a sequence; nil for anything else.
    var items: [YAMLNode]? {
        guard case .sequence(let items) = content else { return nil }
        return items
    }

    /// The value of `key`; nil when the mapping has no such key.
    subscript(key: String) -> YAMLNode? {
        entries?.last { $0.key.text == key }?.value
    }

    /// The name of this kind of value in messages.
    var kindName: String {
        switch content {
        case .scalar(let scalar):
            switch scalar.type {
            case .null: "nothing"
            case .bool, .integer, .float: scalar.text.shortened
            case .string: "the text “\(scalar.text.shortened)”"
            }
        case .mapping: "a mapping"
        case .sequence: "a list"
        }
    }

    private var isMergeKey: Bool {
        guard case .scalar(let scalar) = content else { return false }
        return scalar.style == .plain && scalar.text == "<<"
    }
}

extension String {
    /// The first line of the text, truncated to 40 characters for a message.
    var shortened: String {
        let line = prefix { !$0.isNewline }
        return line.count > 40 ? line.prefix(40) + "…" : line.count < count ? line + "…" : self
    }
}

/// The limits of a YAML document against hostile files.
struct YAMLLimits {
    /// The limits of a workspace's files.
    static let workspace = YAMLLimits(
        bytes: WorkspaceLimits.fileBytes, depth: WorkspaceLimits.yamlDepth, values: WorkspaceLimits.yamlValues,
        advice: "put a large body into a separate file")
    /// The limits of a document of another tool, such as the description of a large API.
    static let source = YAMLLimits(bytes: 64 << 20, depth: 256, values: 5_000_000, advice: "import it as JSON")

    /// The maximum size in bytes.
    let bytes: Int
    /// The maximum depth of nested collections.
    let depth: Int
    /// The maximum number of values after aliases are followed.
    let values: Int
    /// The remedy for a document that is too large.
    let advice: String
}

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
