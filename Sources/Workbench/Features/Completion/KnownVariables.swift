internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The variables and built-ins that templates of an endpoint may use, with values and sources.
struct KnownVariables {
    private let state: AppState
    private let endpoint: Endpoint

    init(_ state: AppState, _ endpoint: Endpoint) {
        self.state = state
        self.endpoint = endpoint
    }

    /// The variables in order of precedence, the values of runs, and the built-ins; each inserts the closing braces.
    var completions: [Completion] {
        let preview = RequestPreview(state, endpoint)
        let scope = preview.scope
        var names: Set<String> = []
        var result: [Completion] = []
        func add(_ name: String, _ value: String, _ source: String) {
            guard names.insert(name).inserted else { return }
            result.append(Completion(name, detail: value, source: source, text: name + "}}"))
        }
        for (index, layer) in scope.layers.enumerated() {
            let source = scope.layerNames.indices.contains(index) ? scope.layerNames[index] : ""
            for name in layer.keys.sorted() { add(name, value(of: name, preview), source) }
        }
        for name in scope.secretNames { add(name, HeaderField.mask, "secret" + (scope.secretSources[name].map { ": \($0.text)" } ?? "")) }
        for (name, run) in namesOfRuns { add(name, "", "run \(run)") }
        for (name, target) in namesOfResponses { add(name, "", "response of \(target)") }
        return result + Self.builtins
    }

    private func value(of name: String, _ preview: RequestPreview) -> String {
        if !state.showsSecrets, state.redaction.isSecretPath(name) { return HeaderField.mask }
        do throws(TemplateError) { return state.redaction.masked(try preview.resolve("{{\(name)}}")) } catch { return error.message }
    }

    /// The values that runs pass to the endpoint: those of its step, and the captures of the steps before.
    private var namesOfRuns: [(name: String, run: String)] {
        state.workspace.runs.flatMap { run -> [(name: String, run: String)] in
            guard let last = run.steps.lastIndex(where: { $0.target == endpoint.target }) else { return [] }
            let own = run.steps.filter { $0.target == endpoint.target }.flatMap {
                $0.variables.keys.sorted() + ($0.loop?.variable.map { [$0] } ?? [])
            }
            let captured = run.steps[..<last].flatMap { step in
                let captures = step.captures + (state.workspace.endpoint(step.target)?.captures ?? [])
                return captures.map { "\(step.name).\($0.name)" }
            }
            return (own + captured).map { ($0, run.name) }
        }
    }

    /// The captured values of other endpoints, by the shortest name that means one of them.
    private var namesOfResponses: [(name: String, target: String)] {
        state.workspace.endpoints.filter { $0.target != endpoint.target }.flatMap { other in
            other.captures.map { capture in
                let short = "\(FilePath.name(of: other.target)).\(capture.name)"
                let isShort: Bool
                do throws(TemplateError) {
                    isShort = try state.workspace.earlierValue(named: short, for: endpoint)?.target == other.target
                } catch { isShort = false }
                return (isShort ? short : "\(other.target).\(capture.name)", other.target)
            }
        }
    }

    /// The built-ins; one with an argument leaves the cursor at its place.
    private static let builtins: [Completion] = [
        ("uuid", "a random UUID"), ("timestamp", "seconds since 1970"), ("date ", "the date; a format such as yyyy-MM-dd"),
        ("random ", "a random number below the one given"), ("env.", "an environment variable of the program"), ("file ", "the text of a file"),
        ("prompt ", "asks for the value when the request is sent"), ("promptSecret ", "asks for the value, which is masked and not kept"),
        ("braces", "{{ itself"),
    ].map { name, detail in
        let isComplete = name.last?.isLetter == true
        let label = "$" + (isComplete ? name : String(name.dropLast()))
        return Completion(label, detail: detail, source: "built-in", text: "$\(name)}}", cursor: isComplete ? nil : name.count + 1)
    }
}
