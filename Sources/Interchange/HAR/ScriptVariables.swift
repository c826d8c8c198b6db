internal import SortieBase
internal import WorkspaceModel

/// The names of a script whose values are not known.
///
/// Texts of the script contain a placeholder for each of them, which no notation of a request changes. The placeholders become templates where the
/// endpoint is written, see ``ScriptTemplates``.
struct ScriptVariables {
    /// What a placeholder stands for.
    struct Entry {
        /// The name as the script writes it.
        var expression: String
        /// The content of the template: the name of a variable, or `$env.NAME`.
        var content: String
        /// Where the name is first used.
        var place: SourceLocation
        /// Whether the script percent-encodes the value.
        var isEncoded = false
        /// The text with placeholders whose Base64 form the placeholder stands for; nil for a name.
        var base64: String?

        var isEnvironment: Bool { content.hasPrefix("$") }
    }

    private(set) var entries: [Entry] = []
    private var indices: [String: Int] = [:]
    private var names: Set<String> = []
    private let placeholders: ExportPlaceholder

    /// Creates an empty list.
    ///
    /// - Parameter text: The script, from which the placeholders get a mark that it does not contain.
    init(of text: String) {
        placeholders = ExportPlaceholder(mark: HexDigits.text(HashFunction.sha256.digest(of: text).prefix(8)))
    }

    /// The placeholder that a key has; nil for a new key.
    private func known(_ key: String) -> String? { indices[key].map { placeholders.text("v\($0)") } }

    /// The placeholder for a key, which stands for the entry where the key is new.
    private mutating func add(_ key: String, _ entry: Entry) -> String {
        if let known = known(key) { return known }
        indices[key] = entries.count
        entries.append(entry)
        return placeholders.text("v\(entries.count - 1)")
    }

    /// The placeholder for a name or a path of members such as `user.id`.
    mutating func text(of expression: String, at place: SourceLocation) -> String {
        let key = "@\(expression)"
        if let known = known(key) { return known }
        let name = Self.name(of: expression)
        var numbered = name
        var number = 1
        while !names.insert(numbered).inserted {
            number += 1
            numbered = "\(name)\(number)"
        }
        return add(key, Entry(expression: expression, content: numbered, place: place))
    }

    /// The placeholder for an environment variable; nil where it is no name of one.
    mutating func text(ofEnvironment name: String, written expression: String, at place: SourceLocation) -> String? {
        guard EnvironmentFile.isVariableName(name) else { return nil }
        return add("$env.\(name)", Entry(expression: expression, content: "$env.\(name)", place: place))
    }

    /// The Base64 form of a text, or the placeholder for it.
    mutating func base64(of text: String, at place: SourceLocation) -> String {
        guard contains(text) else { return Base64.text(text.utf8) }
        return add("=\(text)", Entry(expression: shown(text), content: "", place: place, base64: text))
    }

    /// A text that a script percent-encodes.
    mutating func encoded(_ text: String, _ encode: (String) -> String) -> String {
        placeholders.pieces(of: text).map { piece in
            switch piece {
            case .text(let text): return encode(text)
            case .variable, .captured, .generated:
                guard var entry = entry(of: piece) else { return "" }
                entry.isEncoded = true
                return add("%\(entry.content)\(entry.base64 ?? "")", entry)
            }
        }.joined()
    }

    /// The pieces of a text.
    func pieces(of text: String) -> [ExportPlaceholder.Piece] { placeholders.pieces(of: text) }

    /// What a placeholder stands for; nil for a text.
    func entry(of piece: ExportPlaceholder.Piece) -> Entry? {
        guard case .variable(let name) = piece, let index = Int(name.dropFirst()), entries.indices.contains(index) else { return nil }
        return entries[index]
    }

    /// The number of characters of the placeholder at the beginning of a text; nil where it begins with other text.
    func length(ofFirstIn text: String) -> Int? {
        guard let first = pieces(of: text).first, entry(of: first) != nil else { return nil }
        return placeholders.text(first).count
    }

    /// Whether a text contains a name.
    func contains(_ text: String) -> Bool {
        !entries.isEmpty && placeholders.pieces(of: text).contains { entry(of: $0) != nil }
    }

    /// What a text stands for that is only a name; nil for another text.
    func name(in text: String?) -> Entry? {
        guard !entries.isEmpty, let text, text.utf8.count < 64 else { return nil }
        let pieces = placeholders.pieces(of: text)
        guard pieces.count == 1, let entry = entry(of: pieces[0]), entry.base64 == nil else { return nil }
        return entry
    }

    /// The text for messages and names.
    func shown(_ text: String) -> String {
        guard !entries.isEmpty else { return text }
        return placeholders.pieces(of: text).map { piece in
            if case .text(let text) = piece { text } else { entry(of: piece).map { "{\($0.expression)}" } ?? "" }
        }.joined()
    }

    /// Refuses a value that is only a name where its content must be known.
    func refuse(_ value: SourceNode?, file: String) throws(Diagnostic) {
        guard let value, let entry = name(in: value.string), !entry.isEnvironment else { return }
        throw Diagnostic(
            SourceLocation(file: file, line: value.line, column: value.column),
            "“\(ForeignText.short(entry.expression))” is not known; write its value as a string")
    }

    /// The name of a variable for a name of a script: `user.id` is `userId`, and `this` or `self` is left out.
    static func name(of expression: String) -> String {
        var parts = expression.split(separator: ".").map { part in String(part.filter { $0.isLetter || $0.isNumber || $0 == "_" }) }
        if parts.count > 1, parts[0] == "this" || parts[0] == "self" { parts.removeFirst() }
        parts.removeAll(where: \.isEmpty)
        guard let first = parts.first else { return "value" }
        let usesUnderscores = parts.contains { $0.contains("_") || $0.contains(where: \.isLetter) && $0 == $0.uppercased() }
        let name =
            usesUnderscores
            ? parts.joined(separator: "_") : first + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return name.first?.isNumber == true ? "_\(name)" : name
    }
}
