/// The names that templates may use, the more special ones first, and where the built-in ones come from.
///
/// The order is that of the contract: step captures, `--var`, endpoint, environment, workspace.
public struct TemplateScope: Sendable {
    /// Gives the value of a built-in: a clock, a random number, a file, an answer of the person.
    ///
    /// Nil when it knows no such name.
    public typealias Builtin = @Sendable (_ name: String, _ argument: String) throws(TemplateError) -> String?

    /// Values from outside, before all layers; braces in them stand for themselves.
    public var literals: [String: String]
    /// Variables, the first layer that has a name wins.
    public var layers: [[String: String]]
    /// The names that ``secret`` knows, for suggestions.
    public var secretNames: [String]
    /// Gives the value of a secret by its name in `secrets`, or nil when there is no such secret.
    public var secret: @Sendable (_ name: String) throws(TemplateError) -> String?
    /// Gives built-in values.
    public var builtin: Builtin
    /// Who keeps what templates stood for; nil where nobody does.
    public var memo: TemplateMemo?

    /// A scope.
    public init(
        literals: [String: String] = [:], layers: [[String: String]], secretNames: [String] = [],
        secret: @escaping @Sendable (String) throws(TemplateError) -> String? = { _ in nil },
        builtin: @escaping Builtin = { _, _ in nil }
    ) {
        self.literals = literals
        self.layers = layers
        self.secretNames = secretNames
        self.secret = secret
        self.builtin = builtin
    }

    /// The names of the built-ins, for suggestions and completion.
    public static let builtinNames = ["uuid", "timestamp", "date", "random", "env", "file", "prompt", "braces"]

    /// `text` with every template replaced by its value, written in the notation of the text.
    ///
    /// Variables that hold templates themselves are plain text: their whole value is written in the notation once.
    ///
    /// - Throws: a ``TemplateError`` for a name that nothing defines, with the nearest known one, for names that define each other, for braces that
    ///   are not closed, and for a value that the notation cannot hold at its place.
    public func resolve(_ text: String, as notation: TemplateNotation = .text) throws(TemplateError) -> String {
        guard text.contains("{{") else { return text }
        return try notation.text(of: try pieces(of: text, trail: []))
    }

    private func pieces(of text: String, trail: [String]) throws(TemplateError) -> [TemplatePiece] {
        var pieces: [TemplatePiece] = []
        for segment in Template(text).segments {
            switch segment {
            case .text(let text): pieces.append(.text(text))
            case .variable(let name, let isRaw): pieces.append(.value(try value(of: name, trail: trail), segment, isRaw: isRaw))
            case .builtin(let name, let argument, let isRaw):
                pieces.append(.value(try builtinValue(name, argument), segment, isRaw: isRaw))
            case .unclosed(let text): throw TemplateError(unclosed: text)
            }
        }
        return pieces
    }

    private func resolve(_ text: String, trail: [String]) throws(TemplateError) -> String {
        try TemplateNotation.text.text(of: try pieces(of: text, trail: trail))
    }

    private func value(of name: String, trail: [String]) throws(TemplateError) -> String {
        let text = try found(name, trail: trail)
        // What it is made of may be secret, or another one each time; what comes out is what stood there.
        memo?.note(name, text)
        return text
    }

    private func found(_ name: String, trail: [String]) throws(TemplateError) -> String {
        guard !trail.contains(name) else {
            throw TemplateError(
                "the variables \((trail + [name]).map { "{{\($0)}}" }.joined(separator: " → ")) define each other")
        }
        if let text = literals[name] { return text }
        if let text = layers.lazy.compactMap({ $0[name] }).first {
            return try resolve(text, trail: trail + [name])
        }
        if let text = try secret(name) {
            memo?.noteSecret(name, text)
            return text
        }
        let known = (Array(literals.keys) + layers.flatMap(\.keys) + secretNames).sorted()
        let hint =
            Suggestion.nearest(to: name, in: known).map { "; did you mean {{\($0)}}?" }
            ?? "; set it with --var \(name)=… or in the environment"
        throw TemplateError("nothing defines {{\(name)}}\(hint)")
    }

    private func builtinValue(_ name: String, _ argument: String) throws(TemplateError) -> String {
        let text = try foundBuiltin(name, argument)
        memo?.note(builtin: TemplateMemo.key(name, argument), text)
        return text
    }

    private func foundBuiltin(_ name: String, _ argument: String) throws(TemplateError) -> String {
        if name == "braces" { return "{{" }
        // `$env.NAME` carries its argument after a dot.
        if name.hasPrefix("env.") {
            let variable = String(name.dropFirst("env.".count))
            guard let text = try builtin("env", variable) else {
                throw TemplateError("the environment has no variable \(variable)")
            }
            return text
        }
        if let text = try builtin(name, argument) { return text }
        let hint = Suggestion.nearest(to: name, in: Self.builtinNames).map { "; did you mean {{$\($0)}}?" } ?? ""
        throw TemplateError("there is no built-in {{$\(name)}}\(hint)")
    }
}
