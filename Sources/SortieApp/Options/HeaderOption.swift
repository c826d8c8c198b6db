internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The value of `-H` for a header field.
enum HeaderOption {
    /// `Name: value`, and `Name;` for a field without a value.
    case field(HeaderField)
    /// `Name:` removes the field, even where it is sent by default.
    case removal(String)

    /// Parses the value of the option, in the notation of curl.
    init(_ text: String) throws {
        let field: HeaderField
        if let colon = text.firstIndex(of: ":") {
            field = HeaderField(String(text[..<colon]), text[text.index(after: colon)...].trimmingOptionalWhitespace)
        } else if text.hasSuffix(";") {
            field = HeaderField(String(text.dropLast()), "")
        } else {
            // What follows the name may be a credential.
            let name = text.prefix { !$0.isWhitespace }
            throw CommandFailure(
                .usage, name: "invalidHeader", "the header “\(name.count < text.count ? "\(name) …" : text)” has no “:”",
                hint: "write -H 'Name: value'; -H 'Name;' sends it without a value, -H 'Name:' removes it")
        }
        if let problem = field.problem { throw CommandFailure(.usage, name: "invalidHeader", problem) }
        self = field.value.isEmpty && text.contains(":") ? .removal(field.name) : .field(field)
    }

    /// The fields and the names of removed fields in several options; a field with a value is not removed.
    ///
    /// `@FILE` and `@-` contain one option per line; templates in them are literal text.
    static func read(_ options: [String], _ locations: LocationOptions, in program: ProgramContext) throws -> (
        fields: [HeaderField], removed: [String]
    ) {
        var (fields, removed): ([HeaderField], [String]) = ([], [])
        var texts: [(text: String, isOfFile: Bool)] = []
        for text in options {
            guard text.hasPrefix("@"), case .content(let lines) = try SecretArgument.source(text, option: "-H", locations, in: program) else {
                texts.append((text, false))
                continue
            }
            texts += lines.split(whereSeparator: \.isLineBreak).map { (String($0), true) }
        }
        for (text, isOfFile) in texts {
            switch try HeaderOption(text) {
            case .field(var field):
                if isOfFile { field.value = Template.quoting(field.value) }
                fields.append(field)
            case .removal(let name): removed.append(name)
            }
        }
        removed.removeAll { name in fields.contains { $0.isNamed(name) } }
        return (fields, removed)
    }
}
