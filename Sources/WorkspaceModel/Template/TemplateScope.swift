internal import SortieBase
package import SortieHTTP
internal import Synchronization

/// The names that templates may use, in order of precedence, and the source of built-in values.
///
/// The order of precedence is step captures, `--var`, endpoint, environment, workspace.
package struct TemplateScope: Sendable {
    /// Returns the value of a built-in: a clock, a random number, a file, input of the user.
    ///
    /// Nil for an unknown name.
    package typealias Builtin = @Sendable (_ name: String, _ argument: String) throws(TemplateError) -> String?

    /// Literal values that precede all layers; braces in them are not resolved.
    package var literals: [String: String]
    /// The values that steps of a run captured, which are literals, too, after ``literals``.
    package var captures: [String: String]
    /// The layers of variables; the first layer with a name takes precedence.
    package var layers: [[String: String]]
    /// The names of the layers in previews, in the same order: `environment dev`.
    package var layerNames: [String] = []
    /// The sources of secrets, for previews.
    package var secretSources: [String: SecretSource] = [:]
    /// The names for which ``secret`` has a value, for suggestions.
    package var secretNames: [String]
    /// Returns the value of a secret by its name in `secrets`, or nil when there is no such secret.
    package var secret: @Sendable (_ name: String) throws(TemplateError) -> String?
    /// Returns the value of a response that another endpoint captures, by a name such as `login.token`, or nil when no endpoint captures it.
    package var earlier: @Sendable (_ name: String) throws(TemplateError) -> String? = { _ in nil }
    /// Returns built-in values.
    package var builtin: Builtin
    /// Returns the text of a file that a check needs, such as a JSON Schema; the path is relative to the workspace.
    package var fileText: @Sendable (_ path: String) throws(TemplateError) -> String = { path throws(TemplateError) in
        throw TemplateError("\(path) was not read")
    }
    /// The folder of the workspace where bodies are recorded as snapshots; nil where they are compared.
    package var recordedSnapshots: String?
    /// Collects the values of templates; nil where they are not needed.
    package var memo: TemplateMemo?
    /// Rejects a request that uses something, or sends a value to an origin, without permission; nil where everything is permitted.
    package var authorize: (@Sendable (Request) throws(TemplateError) -> Void)?
    /// The budget that the texts of one request share; without it, each text has a separate budget.
    var budget: TemplateBudget?

    /// Creates a scope.
    package init(
        literals: [String: String] = [:], captures: [String: String] = [:], layers: [[String: String]], secretNames: [String] = [],
        secret: @escaping @Sendable (String) throws(TemplateError) -> String? = { _ in nil },
        builtin: @escaping Builtin = { _, _ in nil }
    ) {
        (self.literals, self.captures, self.layers) = (literals, captures, layers)
        (self.secretNames, self.secret, self.builtin) = (secretNames, secret, builtin)
    }

    /// Whether a variable has this name; secrets do not count.
    func defines(_ name: String) -> Bool { literal(name) != nil || layers.contains { $0[name] != nil } }

    /// The value of a name that is used as it is: of the step of a run, or captured.
    func literal(_ name: String) -> String? { literals[name] ?? captures[name] }

    /// The names of the built-ins, for suggestions and completion.
    package static let builtinNames = ["uuid", "timestamp", "date", "random", "env", "file", "prompt", "promptSecret", "braces"]

    /// Replaces every template of `text` by its value, written in the notation of the text.
    ///
    /// Values of variables that contain templates are plain text while they are resolved. The complete value is written in the notation once.
    ///
    /// - Throws: A ``TemplateError`` for an undefined name, with the most similar known one, for variables that refer to each other, for braces
    ///   that are not closed, and for a value that the notation does not permit at its place.
    package func resolve(_ text: String, as notation: TemplateNotation = .text) throws(TemplateError) -> String {
        guard text.contains("{{") else { return text }
        return try notation.text(of: try pieces(of: text, trail: [], budget: budget ?? TemplateBudget()))
    }

    /// Returns the same scope with one budget for several texts.
    func withinOneBudget() -> TemplateScope {
        var scope = self
        scope.budget = TemplateBudget()
        return scope
    }

    private func pieces(of text: String, trail: [String], budget: TemplateBudget) throws(TemplateError) -> [TemplatePiece] {
        var pieces: [TemplatePiece] = []
        for segment in Template(text).segments {
            let value: String
            switch segment {
            case .text(let text):
                pieces.append(.text(text))
                continue
            case .unclosed(let text): throw TemplateError(unclosed: text)
            case .variable, .builtin:
                try budget.follow(segment, depth: trail.count)
                do throws(TemplateError) { value = try self.value(of: segment, trail: trail, budget: budget) } catch { throw error.naming(segment) }
            }
            try budget.insert(value, for: segment)
            pieces.append(.value(value, segment, isRaw: segment.isRaw))
        }
        return pieces
    }

    private func value(of segment: Template.Segment, trail: [String], budget: TemplateBudget) throws(TemplateError) -> String {
        switch segment {
        case .text(let text), .unclosed(let text): return text
        case .variable(let name, _): return try value(of: name, trail: trail, budget: budget)
        case .builtin(let name, let argument, _): return try builtinValue(name, argument)
        }
    }

    private func value(of name: String, trail: [String], budget: TemplateBudget) throws(TemplateError) -> String {
        let text = try found(name, trail: trail, budget: budget)
        // The parts of the value may be secret, or different at each evaluation, so the result is recorded.
        memo?.note(name, text)
        return text
    }

    private func found(_ name: String, trail: [String], budget: TemplateBudget) throws(TemplateError) -> String {
        guard !trail.contains(name) else {
            throw TemplateError(
                "the variables \((trail + [name]).map { "{{\($0)}}" }.joined(separator: " → ")) define each other")
        }
        if let text = literal(name) {
            memo?.note(source: name.contains(".") ? "captured \(name)" : "value \(name) of the run")
            return text
        }
        if let index = layers.firstIndex(where: { $0[name] != nil }), let text = layers[index][name] {
            guard text.contains("{{") else {
                memo?.note(source: "variable \(name)" + (layerNames.indices.contains(index) ? ", \(layerNames[index])" : ""))
                return text
            }
            return try TemplateNotation.text.text(of: try pieces(of: text, trail: trail + [name], budget: budget))
        }
        if let text = try secret(name) {
            memo?.noteSecret(name, text)
            memo?.note(source: "secret \(name)" + (secretSources[name].map { ": \($0.text)" } ?? ""))
            return text
        }
        if name.contains("."), let text = try earlier(name) {
            memo?.noteCaptured(name)
            memo?.note(source: "captured \(name)")
            return text
        }
        let known = (Array(literals.keys) + captures.keys + layers.flatMap(\.keys) + secretNames).sorted()
        throw TemplateError(undefined: name, nearest: Suggestion.nearest(to: name, in: known))
    }

    private func builtinValue(_ name: String, _ argument: String) throws(TemplateError) -> String {
        let text = try foundBuiltin(name, argument)
        memo?.note(builtin: TemplateMemo.key(name, argument), text)
        memo?.note(source: Self.source(ofBuiltin: name, argument))
        return text
    }

    /// The name of a built-in's source in a preview.
    private static func source(ofBuiltin name: String, _ argument: String) -> String {
        switch name {
        case "file": "file \(argument)"
        case _ where PromptQuestion.builtins.contains(name): "typed: \(PromptQuestion(name, argument)?.label ?? argument)"
        case _ where name.hasPrefix("env."): "env \(name.dropFirst("env.".count))"
        default: "$\(name)"
        }
    }

    /// The built-ins with the meaning of those of other tools.
    private static let foreignBuiltins = [
        "guid": "uuid", "randomuuid": "uuid", "now": "date", "datetime": "date", "localdatetime": "date", "isotimestamp": "date",
        "randomint": "random 1000", "processenv": "env.", "dotenv": "env.", "input": "prompt LABEL",
    ]

    /// The mistake in the name or the argument of a built-in, with the remedy; nil where there is none.
    package static func problem(ofBuiltin name: String, _ argument: String) -> String? {
        let text = "{{$\(name)\(argument.isEmpty ? "" : " \(argument)")}}"
        switch name {
        case "env.": return "\(text) needs the name of a variable: {{$env.NAME}}"
        case "uuid", "timestamp", "braces",
            _ where name.hasPrefix("env."):
            return argument.isEmpty ? nil : "\(text) takes no argument: {{$\(name)}}"
        case "env": return "\(text) needs a dot: {{$env.\(argument.isEmpty ? "NAME" : argument)}}"
        case "random": return argument.isEmpty || Int(argument).map { $0 > 0 } ?? false ? nil : "\(text) needs a whole number above 0"
        case "file": return argument.isEmpty ? "\(text) needs a path: {{$file PATH}}" : nil
        case _ where builtinNames.contains(name): return nil
        default:
            let meant = foreignBuiltins[name.lowercased()].map { $0 == "env." ? "env.\(argument.isEmpty ? "NAME" : argument)" : $0 }
            let hint =
                (meant ?? Suggestion.nearest(to: name, in: builtinNames)).map { "; did you mean {{$\($0)}}?" }
                ?? "; a variable is written {{\(name)}}, and the built-ins are \(builtinNames.map { $0 == "env" ? "$env.NAME" : "$\($0)" }.joined(separator: ", "))"
            return "there is no built-in {{$\(name)}}\(hint)"
        }
    }

    private func foundBuiltin(_ name: String, _ argument: String) throws(TemplateError) -> String {
        if let problem = Self.problem(ofBuiltin: name, argument) { throw TemplateError(problem) }
        if name == "braces" { return "{{" }
        // The argument of `$env.NAME` follows the dot.
        if name.hasPrefix("env.") {
            let variable = String(name.dropFirst("env.".count))
            guard let text = try builtin("env", variable) else {
                throw TemplateError("the environment variable \(variable) is not set")
            }
            return text
        }
        guard let text = try builtin(name, argument) else { throw TemplateError("{{$\(name)}} has no value here") }
        return text
    }
}

/// Limits the text that templates insert, so that a few bytes of variables that refer to each other cannot become gigabytes of text.
///
/// One budget covers one request. References are counted as well as bytes, because empty values take time, too.
final class TemplateBudget: Sendable {
    private struct State {
        package var bytes = 0
        var references = 0
    }

    private let state = Mutex(State())

    /// Counts one reference, before its value is looked up.
    ///
    /// - Parameters:
    ///   - template: the reference, for the message.
    ///   - depth: the number of enclosing variables that are being resolved.
    func follow(_ template: Template.Segment, depth: Int) throws(TemplateError) {
        guard depth < WorkspaceLimits.templateDepth else {
            throw TemplateError(
                "\(template) is nested in more than \(WorkspaceLimits.templateDepth) variables; reduce the nesting of variables", of: template)
        }
        let count = state.withLock { state in
            state.references += 1
            return state.references
        }
        guard count <= WorkspaceLimits.templateReferences else {
            throw TemplateError(
                "the templates of one request refer to more than \(WorkspaceLimits.templateReferences) values, which \(template) exceeds; "
                    + "reduce the references of variables", of: template)
        }
    }

    /// Counts the bytes that `template` inserts.
    package func insert(_ text: String, for template: Template.Segment) throws(TemplateError) {
        let bytes = state.withLock { state in
            state.bytes += text.utf8.count
            return state.bytes
        }
        guard bytes <= WorkspaceLimits.templateBytes else {
            throw TemplateError(
                "the templates of one request insert more than \(WorkspaceLimits.templateBytes >> 20) MiB, which \(template) exceeds; "
                    + "send a large text as body: {file: …}", of: template)
        }
    }
}

/// The sources of the values in one place of a request, for previews.
///
/// It does not contain the values.
package struct ValueSource: Hashable, Sendable {
    /// A part of a request.
    package enum Place: Hashable, Sendable {
        case header(String)
        /// Server, path, query, body, proxy and so on, named as in a problem.
        case part(String)

        /// The place as text: `header X-Token`.
        package var text: String {
            switch self {
            case .header(let name): "header \(name)"
            case .part(let name): name
            }
        }
    }

    /// The place of the values.
    package let place: Place
    /// The sources in the order of the text, without duplicates: `env AWS_SECRET`, `variable base, environment dev`.
    package let sources: [String]

    /// Creates the sources of one place.
    package init(_ place: Place, _ sources: [String]) {
        (self.place, self.sources) = (place, sources)
    }

    /// The maximum number of sources on a line.
    private static let most = 4

    /// The sources on one line, abbreviated where there are many.
    package var text: String {
        let rest = sources.count - Self.most
        return sources.prefix(Self.most).joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
    }
}
