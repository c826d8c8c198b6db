internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// A curl command line in the place of a request, as the REST Client and JetBrains send it.
struct HTTPFileCommand {
    /// The request; nil for a command that sends none, which a note explains.
    private(set) var built: CurlEndpoint.Built?
    /// What was changed or omitted.
    private(set) var notes: [ImportReport.Entry] = []

    /// - Parameters:
    ///   - text: The lines of the command.
    ///   - place: The place of its first character.
    init(_ text: String, at place: SourceLocation, in source: ImportSource, _ translation: inout HTTPFileTranslation) {
        do throws(Diagnostic) { try read(text, at: place, in: source, &translation) } catch {
            note(.omitted, ImportReason(error.message), at: error.location)
        }
    }

    private mutating func note(_ outcome: ImportReport.Outcome, _ reason: ImportReason, at place: SourceLocation) {
        notes.append(.init(outcome, "curl", reason, place: place))
    }

    private mutating func read(
        _ text: String, at place: SourceLocation, in source: ImportSource, _ translation: inout HTTPFileTranslation
    ) throws(Diagnostic) {
        // A template is one character for the shell, whose blanks and quotes would divide it.
        var templates: [String] = []
        let marked = ForeignText.translated(text) { inner in
            templates.append(translation.text("{{\(inner)}}"))
            return "\(Self.marks[0])\(templates.count - 1)\(Self.marks[1])"
        }
        let commands = try ShellLexer.commands(in: Template.unquoting(marked), at: place)
        for other in commands.dropFirst() {
            note(.omitted, "a block has one request; write ### before the next one", at: other.place)
        }
        guard let command = commands.first else { return }
        if let problem = command.problem { throw problem }
        let words = command.words.dropFirst().map { word in
            var word = word
            word.text = Self.inserting(templates, in: word.text)
            return word
        }
        var input = command.input
        if case .text(let text) = input { input = .text(Self.inserting(templates, in: text)) }
        var variables = CurlVariables(source)
        let groups = try CurlArguments.groups(of: CurlConfiguration.inserted(into: words, from: source), &variables).filter { !$0.options.isEmpty }
        notes += variables.notes
        let settings = groups.map { CurlSettings($0, input: input, source: source) }
        guard let first = settings.first, let url = first.urls.first else { throw Diagnostic(place, "the command has no URL") }
        for other in settings.flatMap(\.urls).dropFirst() {
            note(.omitted, "a block has one request; write ### and a command for \(ShellText.display(other.text))", at: other.place)
        }
        var endpoint = CurlEndpoint(first, url: url.text, upload: first.uploads.first, at: url.place)
        built = try endpoint.build()
        notes += endpoint.notes
        omitSettings(at: place)
    }

    /// Leaves out what the clients do not take from curl, and what a block has no place for.
    private mutating func omitSettings(at place: SourceLocation) {
        guard let built else { return }
        // The clients follow redirects, decode bodies and keep cookies without -L, --compressed and -b.
        if built.endpoint.redirects == 0 { self.built?.endpoint.redirects = nil }
        self.built?.endpoint.compression = nil
        self.built?.endpoint.cookies = nil
        // As in other blocks, values of variables are escaped in JSON.
        if case .text(let text, let type) = built.endpoint.body { self.built?.endpoint.body = .foreign(text, contentType: type) }
        if built.bodyBytes != nil {
            self.built?.endpoint.body = .none
            note(.omitted, "the body is not text; write it to a file, and send -d @FILE", at: place)
        }
        var service = Service(folder: "", name: "")
        if built.service.trust.isInsecure { service.trust.isInsecure = true }
        if CurlIdentity.text(of: service) != CurlIdentity.text(of: built.service) {
            note(.omitted, "proxies, addresses and files of trust of the command; import it as curl, so that its service has them", at: place)
        }
    }

    // MARK: Templates

    /// Private characters around the number of a template.
    private static let marks: [Character] = ["\u{E000}", "\u{E001}"]

    /// A word with references to templates in place of their numbers.
    private static func inserting(_ templates: [String], in text: String) -> String {
        guard text.contains(marks[0]) else { return text }
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: marks[0]), let close = rest[open...].firstIndex(of: marks[1]) {
            let inner = rest[rest.index(after: open)..<close]
            result += rest[..<open]
            if let number = Int(inner), templates.indices.contains(number) {
                result += ShellText.text(of: [ShellText.reference(to: templates[number])])
            } else {
                result += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
