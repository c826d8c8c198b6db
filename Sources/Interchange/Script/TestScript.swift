internal import SortieBase
internal import WorkspaceModel

/// A script that a tool runs before a request or after its response.
struct TestScript {
    let stage: ScriptTranslation.Stage
    /// The script in messages, such as “test” or “pre-request”.
    let kind: String
    /// The folder or the collection whose requests all run it; nil for a script of one request.
    let owner: String?
    /// The place of a line, which is counted from 0.
    let place: (Int) -> SourceLocation?
    private let text: String
    private let program: Result<JavaScriptProgram, Diagnostic>

    init(_ text: String, _ stage: ScriptTranslation.Stage, kind: String, owner: String? = nil, place: @escaping (Int) -> SourceLocation?) {
        (self.stage, self.kind, self.owner, self.place, self.text) = (stage, kind, owner, place, text)
        do throws(Diagnostic) { program = .success(try JavaScriptProgram(text)) } catch { program = .failure(error) }
    }

    /// The names of the variables that the script reads.
    private var reads: Set<String> {
        switch program {
        case .success(let program): program.variables(passedTo: "get")
        case .failure: []
        }
    }

    /// What is left of a script after its translation.
    struct Rest {
        /// The text for a comment in the file; nil where everything is translated.
        var comment: String?
        /// The complete script, where a part of it that runs after the response is not translated.
        var script: String?
        /// The variables that the script sets for other requests.
        fileprivate(set) var unused: Set<String> = []
        fileprivate var entries: [ImportReport.Entry] = []

        /// What the report must say about an item.
        func entries(of item: String, id: String? = nil) -> [ImportReport.Entry] {
            entries.map { entry in
                var entry = entry
                (entry.item, entry.id) = (item, id)
                return entry
            }
        }
    }

    /// The result of the translation of all scripts of a request.
    struct Translation {
        /// What is left of each script, in order.
        var rests: [Rest] = []
        /// The numbers of statements that are translated and that are not.
        var counts = (translated: 0, kept: 0)
        /// The scripts before the request where a part of them is not translated; nil where a hook cannot run them.
        var preparation: ScriptPreparation?
        /// The variables that the request or its scripts use.
        var used: Set<String> = []
    }

    /// Translates scripts into the expectation, the captures and the variables of an endpoint.
    ///
    /// - Parameters:
    ///   - scripts: The scripts in the order in which the tool runs them.
    ///   - inherited: The texts of the service that the request sends as well.
    ///   - nextRequest: The name of the request that follows; nil for none.
    ///   - hiddenNames: Names that mean something else in the tool than in others.
    static func translate(
        _ scripts: [TestScript], into endpoint: inout Endpoint, inherited: [String] = [], nextRequest: String? = nil, hiddenNames: Set<String> = []
    ) -> Translation {
        guard !scripts.isEmpty else { return Translation() }
        let texts = (endpoint.texts + inherited).joined(separator: "\n")
        func run(_ facts: ScriptExpectation?) -> (state: ScriptTranslation, result: Translation) {
            var state = ScriptTranslation(endpoint.expectation ?? Expectation(), texts: texts, facts: facts)
            (state.nextRequest, state.hiddenNames, state.auth) = (nextRequest, hiddenNames, endpoint.auth)
            state.authorization = endpoint.headers.first { $0.isEnabled && $0.name.lowercased() == "authorization" }?.value
            var result = Translation()
            for script in scripts { result.rests.append(script.translate(&state)) }
            result.counts = state.counts
            return (state, result)
        }
        // What any statement requires decides the conditions of others, also of earlier ones.
        let (state, result) = run(run(nil).state.expectation)
        for capture in state.captures {
            endpoint.captures.removeAll { $0.name == capture.name }
            endpoint.captures.append(capture)
        }
        endpoint.variables.merge(state.variables) { $1 }
        if let login = state.login {
            endpoint.auth = login
            endpoint.headers.removeAll { $0.isEnabled && $0.name.lowercased() == "authorization" }
        }
        for (field, replaces) in state.headers {
            if replaces { endpoint.headers.removeAll { $0.isEnabled && $0.name.lowercased() == field.name.lowercased() } }
            endpoint.headers.append(field)
        }
        let expectation = state.expectation.result(beside: endpoint.captures)
        if expectation != Expectation() { endpoint.expectation = expectation }
        var translation = result
        translation.used = scripts.reduce(into: Set(state.variables.keys)) { $0.formUnion($1.reads) }
        translation.preparation = preparation(of: zip(scripts, result.rests).filter { $0.0.stage == .beforeRequest }.map { ($0, $1) })
        return translation
    }

    private static func preparation(of scripts: [(script: TestScript, rest: Rest)]) -> ScriptPreparation? {
        guard scripts.contains(where: { $0.rest.comment != nil }) else { return nil }
        var programs: [(program: JavaScriptProgram, text: String)] = []
        for (script, _) in scripts {
            guard case .success(let program) = script.program else { return nil }
            programs.append((program, script.text))
        }
        return ScriptPreparation(programs)
    }

    private func translate(_ state: inout ScriptTranslation) -> Rest {
        let name = owner.map { "\($0) (\(kind))" } ?? "(\(kind))"
        let program: JavaScriptProgram
        switch self.program {
        case .success(let parsed): program = parsed
        case .failure(let problem):
            let reason = "the script \(name) is not run, and is a comment in the file: \(problem.message)"
            return Rest(
                comment: comment(text), script: stage == .afterResponse ? text : nil,
                entries: [notRun(reason, at: place(problem.location.line - 1))])
        }
        let (known, changes, unused) = (state.captures, state.changes.count, state.unused)
        let (inner, outer) = state.run(program, in: stage, isShared: owner != nil)
        var rest = Rest()
        for capture in state.captures where !known.contains(capture) {
            let reason = "the script \(name) sets \(capture.name): captured from \(capture.path); a response without it fails"
            rest.entries.append(.init(.changed, "", reason, place: place(0)))
        }
        for change in state.changes.dropFirst(changes) {
            rest.entries.append(.init(.changed, "", "the script \(name): \(change)", place: place(0)))
        }
        rest.unused = state.unused.subtracting(unused)
        for range in inner {
            // What follows may have credentials.
            let shown = ForeignText.short(program.text(at: range).prefix { !"\"'`({=".contains($0) })
            let reason = "a statement of the script \(name) is not run, and is a comment in the file: \(shown)…"
            rest.entries.append(notRun(reason, at: place(program.line(of: range.lowerBound))))
        }
        guard !outer.isEmpty else { return rest }
        rest.comment = comment(outer.map { program.text(at: $0) }.joined(separator: "\n"))
        if stage == .afterResponse { rest.script = text }
        return rest
    }

    private func notRun(_ reason: String, at place: SourceLocation?) -> ImportReport.Entry {
        var entry = ImportReport.Entry(.omitted, "", reason, place: place)
        entry.script = stage == .beforeRequest ? .beforeRequest : .afterResponse
        return entry
    }

    private func comment(_ text: String) -> String {
        "Script\(owner.map { " for every request of \($0)" } ?? "") (\(kind)), as far as it is not translated; without a hook, it is not run:\n\(text)"
    }
}
