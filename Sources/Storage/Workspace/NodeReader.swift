internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Reads values from the nodes of one file and collects its problems.
struct NodeReader {
    /// A name in a template and the place of its use.
    struct Use {
        var segment: Template.Segment
        var location: SourceLocation
        /// The names that only the step of this place knows; nil outside of runs.
        var step: StepNames?
        /// Whether a condition finds out if the name is defined.
        var isOptional = false
    }

    /// The file's name relative to the workspace.
    let file: String
    /// The absolute folder to which paths in the file are relative.
    let folder: String
    /// The folders of the user, to which `~` in paths refers; nil for a text that is no file.
    let folders: UserFolders?
    /// Whether the text is a stored endpoint or service, whose values are taken as they are: only values of another type are reported.
    let isStored: Bool
    /// The problems found so far.
    var problems: [Diagnostic] = []
    /// The names that templates of the file use.
    var uses: [Use] = []
    /// The endpoints that plugins and `extends:` of the file refer to, with their locations.
    var targets: [(target: String, node: YAMLNode)] = []
    /// What the file of an endpoint says itself, for one that extends another.
    var ownKeys = EndpointExtension()

    init(file: String, folder: String, folders: UserFolders?) {
        (self.file, self.folders) = (file, folders)
        self.folder = folder
        isStored = false
    }

    /// Creates a reader of a ``StoredEndpoint`` or a ``StoredService``.
    init(stored name: String) {
        file = name
        (folder, folders) = ("", nil)
        isStored = true
    }

    /// The location of a node.
    func place(_ node: YAMLNode) -> SourceLocation {
        SourceLocation(file: file, line: node.line, column: node.column)
    }

    /// Reports an error at a node.
    mutating func report(_ node: YAMLNode, _ message: String, severity: Diagnostic.Severity = .error, remedy: Diagnostic.Remedy? = nil) {
        problems.append(Diagnostic(place(node), message, severity: severity, remedy: remedy))
    }

    /// Reports a value that is read and cannot be used; nothing is reported of a stored endpoint, in which a user may still be editing it.
    mutating func reportInvalid(_ node: YAMLNode, _ message: String, severity: Diagnostic.Severity = .error) {
        if !isStored { report(node, message, severity: severity) }
    }

    /// The entries of a mapping with keys from `known`; reports other keys with the most similar known one.
    ///
    /// - Parameter isRestriction: Whether the mapping restricts what a request does, so that a mistyped key, which would lift the restriction, is an error.
    mutating func fields(_ node: YAMLNode, of what: String, known: WorkspaceKeys, isRestriction: Bool = false) -> [String: YAMLNode] {
        let names = known.names
        guard let entries = node.entries else {
            if !node.isNull {
                report(node, "\(what) must be a mapping with \(names.joined(separator: ", ")), not \(node.kindName)")
            }
            return [:]
        }
        var result: [String: YAMLNode] = [:]
        for entry in entries {
            guard let key = entry.key.text else {
                report(entry.key, "a key must be text, not \(entry.key.kindName)")
                continue
            }
            if names.contains(key) {
                result[key] = entry.value
            } else {
                let hint =
                    ForeignKeys.hint(for: key, in: known) ?? Suggestion.nearest(to: key, in: names).map { "; did you mean “\($0)”?" }
                    ?? ForeignKeys.place(ofOwn: key, in: known)
                report(entry.key, "unknown key “\(key.shortened)”" + (hint ?? " in \(what)"), severity: isRestriction ? .error : .warning)
                problems[problems.count - 1].isUnknownKey = true
            }
        }
        return result
    }

    /// The name-value pairs of a mapping with user-defined keys, in the order of the file.
    mutating func pairs(_ node: YAMLNode?, of what: String) -> [(key: YAMLNode, name: String, value: YAMLNode)] {
        guard let node, !node.isNull else { return [] }
        guard let entries = node.entries else {
            report(node, "\(what) must be a mapping of names to values, not \(node.kindName)")
            return []
        }
        var result: [(key: YAMLNode, name: String, value: YAMLNode)] = []
        for entry in entries {
            guard let name = entry.key.text, isStored || !name.isEmpty else {
                report(entry.key, "a name in \(what) must be text, not \(entry.key.kindName)")
                continue
            }
            result.append((entry.key, name, entry.value))
        }
        return result
    }

    /// A scalar in its original notation: `007`, `1.0` and `yes` stay unchanged.
    mutating func text(_ node: YAMLNode?, _ what: String) -> String? {
        guard let node else { return nil }
        guard let text = node.text else {
            report(node, "\(what) must be text, not \(node.kindName)")
            return nil
        }
        return text
    }

    /// A text whose template names are recorded for ``TemplateCheck``.
    mutating func template(_ node: YAMLNode?, _ what: String) -> String? {
        guard let node, let text = text(node, what) else { return nil }
        note(text, at: node)
        return text
    }

    /// Records the names that `text` uses.
    mutating func note(_ text: String, at node: YAMLNode) {
        guard !isStored, text.contains("{{") else { return }
        for segment in Template(text).segments {
            if case .text = segment { continue }
            uses.append(Use(segment: segment, location: place(node)))
        }
    }

    /// A non-empty name.
    mutating func name(_ node: YAMLNode?, _ what: String) -> String? {
        guard let node, let text = text(node, what) else { return nil }
        guard isStored || !text.isEmpty else {
            report(node, "\(what) is empty")
            return nil
        }
        return text
    }

    /// `true` or `false`.
    mutating func bool(_ node: YAMLNode?, _ what: String) -> Bool? {
        guard let node else { return nil }
        guard case .scalar(let scalar) = node.content, scalar.type == .bool else {
            report(node, "\(what) must be true or false, not \(node.kindName)")
            return nil
        }
        return scalar.text.lowercased() == "true"
    }

    /// An integer in `range`.
    mutating func integer(_ node: YAMLNode?, _ what: String, in range: ClosedRange<Int>) -> Int? {
        guard let node else { return nil }
        guard let text = node.text, let value = Int(text), range.contains(value) else {
            report(node, "\(what) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(node.kindName)")
            return nil
        }
        return value
    }

    /// A duration.
    mutating func duration(_ node: YAMLNode?, _ what: String) -> Duration? {
        guard let node else { return nil }
        guard let text = node.text, let duration = DurationText.parse(text) else {
            report(node, "\(what) must be a duration, not \(node.kindName); \(DurationText.form)")
            return nil
        }
        return duration
    }

    /// A time limit: a duration longer than 0.
    mutating func timeLimit(_ node: YAMLNode?, _ what: String) -> Duration? {
        guard let node, let limit = duration(node, what) else { return nil }
        guard limit > .zero else {
            report(node, "\(what) must be longer than 0")
            return nil
        }
        return limit
    }

    /// One of the given words.
    mutating func word(_ node: YAMLNode?, _ what: String, of words: [String]) -> String? {
        guard let node, let text = text(node, what) else { return nil }
        guard words.contains(text) else {
            let hint = Suggestion.clause(for: text, in: words)
            report(node, "\(what) must be one of \(words.joined(separator: ", ")), not “\(text.shortened)”\(hint)")
            return nil
        }
        return text
    }

    /// One of the words of a type.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ node: YAMLNode?, _ what: String) -> Word? {
        word(node, what, of: Word.allCases.map(\.rawValue)).flatMap { Word(rawValue: $0) }
    }

    /// A list of texts; a single text is a list with one element.
    mutating func list(_ node: YAMLNode?, _ what: String) -> [(node: YAMLNode, text: String)] {
        guard let node, !node.isNull else { return [] }
        if let text = node.text { return [(node, text)] }
        guard let items = node.items else {
            report(node, "\(what) must be a list of texts, not \(node.kindName)")
            return []
        }
        var result: [(node: YAMLNode, text: String)] = []
        for item in items {
            if let text = text(item, "an item of \(what)") { result.append((item, text)) }
        }
        return result
    }

    /// Replaces `~/` in front of a path with the home folder, so that permission is for the file that is read.
    func expandingHome(_ text: String) -> String { isStored ? text : folders?.expanding(text) ?? text }

    /// Makes a path absolute: relative paths begin at the file's folder, `~/` is the home folder, and a path that begins with a template stays
    /// unchanged.
    func path(_ text: String) -> String {
        if isStored { return text }
        let text = expandingHome(text)
        return FilePath.isAbsolute(text) || text.hasPrefix("{{") ? text : FilePath.joining(folder, text)
    }
}

extension NodeReader {
    /// Reads the mapping under `grpc`.
    mutating func grpc(_ node: YAMLNode?) -> GRPCSetting? {
        guard let node, !node.isNull else { return nil }
        let fields = fields(node, of: "grpc", known: .grpc)
        guard node.entries != nil else { return nil }
        let proto = template(fields["proto"], "grpc: proto").map { expandingHome($0) }
        guard let method = template(fields["method"], "grpc: method") else {
            if fields["method"] == nil { report(node, "grpc has no method; write grpc: {method: package.Service/Method}") }
            return nil
        }
        if !isStored, let place = fields["method"], Template(method).isPlain, GRPCMethodPath(method) == nil {
            report(place, "“\(method.shortened)” is not the name of a gRPC method; write it as package.Service/Method")
        }
        return GRPCSetting(method: method, proto: proto)
    }
}

extension NodeReader {
    /// Reads the list under `hooks`.
    mutating func hooks(_ node: YAMLNode?) -> [HookSetting] {
        guard let node, !node.isNull else { return [] }
        guard let items = node.items else {
            report(node, "hooks must be a list, as in - {stage: willSend, run: [./sign.py]}")
            return []
        }
        return items.compactMap { hook($0) }
    }

    private mutating func hook(_ node: YAMLNode) -> HookSetting? {
        let fields = fields(node, of: "an entry of hooks", known: .hook)
        guard node.entries != nil else { return nil }
        let stage: HookSetting.Stage? = word(fields["stage"], "stage")
        if fields["stage"] == nil {
            report(node, "the hook has no stage; write stage: and one of \(HookSetting.Stage.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let command = command(fields["run"], of: node)
        var environment: [String: String] = [:]
        for pair in pairs(fields["env"], of: "env") {
            guard let value = template(pair.value, "env: \(pair.name.shortened)") else { continue }
            // A shell starts the program, and shells remove variables with other names from the environment (POSIX.1-2017, XCU 2.5.3).
            if pair.name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil {
                report(pair.key, "“\(pair.name.shortened)” is not the name of an environment variable, which has letters, digits and _")
            }
            if CodeVariables.contains(pair.name) { report(pair.key, CodeVariables.refusal(of: pair.name)) }
            environment[pair.name] = value
        }
        let timeout = timeLimit(fields["timeout"], "timeout")
        let keepsRunning = bool(fields["keepRunning"], "keepRunning") ?? false
        guard let stage, let command else { return nil }
        return HookSetting(
            stage, command: command, environment: environment, timeout: timeout ?? HookSetting.standardTimeout, keepsRunning: keepsRunning)
    }

    private mutating func command(_ node: YAMLNode?, of hook: YAMLNode) -> [String]? {
        guard let node, !node.isNull else {
            report(hook, "the hook has no program; write run: [./PROGRAM, ARGUMENT]")
            return nil
        }
        guard node.items != nil else {
            report(node, "run must be a list of the program and its arguments, as in run: [./sign.py]; run: [sh, -c, \"…\"] runs a shell command")
            return nil
        }
        let words = list(node, "run").map(\.text)
        guard let program = words.first, !program.isEmpty, !words.contains(where: { $0.utf8.contains(0) }) else {
            report(node, "run must begin with a program")
            return nil
        }
        return words
    }
}

extension NodeReader {
    /// Reads what a parameter must be; nil for a rule that cannot be used.
    mutating func parameterRule(_ node: YAMLNode, named name: String, at key: YAMLNode) -> ParameterRule? {
        guard node.entries != nil else {
            report(node, "the rule of “\(name.shortened)” must be a mapping such as {required: true, type: integer}, not \(node.kindName)")
            return nil
        }
        let fields = fields(node, of: "a rule", known: .rule)
        var conditions: [Condition] = []
        for key in Condition.Key.allCases where key != .exists {
            guard let node = fields[key.rawValue], let operand = operand(of: key, node, isTemplate: false) else { continue }
            do throws(ConditionError) { conditions.append(try Condition(key, operand, resolvesTemplates: false)) } catch {
                report(node, error.message)
            }
        }
        checkOrder(of: conditions, from: .atLeast, to: .atMost, fields)
        checkOrder(of: conditions, from: .shortest, to: .longest, fields)
        return ParameterRule(name, isRequired: bool(fields["required"], "required") ?? false, conditions: conditions)
    }

    /// Reports a lower limit that is above the upper one.
    private mutating func checkOrder(of conditions: [Condition], from low: Condition.Key, to high: Condition.Key, _ fields: [String: YAMLNode]) {
        func limit(_ key: Condition.Key) -> JSONDecimal? {
            conditions.map(\.entry).first { $0.key == key }.flatMap { JSONDecimal(parsing: $0.operand) }
        }
        guard let from = limit(low), let to = limit(high), from > to, let place = fields[high.rawValue] else { return }
        reportInvalid(place, "\(high.rawValue) is less than \(low.rawValue), so that no value is accepted")
    }
}

extension NodeReader {
    /// The places of the variables that a mapping, or a list of rows with `name`, defines.
    func places(of node: YAMLNode?, in layer: VariableLayer) -> [VariableKey: SourceLocation] {
        var result: [VariableKey: SourceLocation] = [:]
        let names = (node?.entries?.map(\.key) ?? []) + (node?.items?.compactMap { $0["name"] } ?? [])
        for name in names {
            guard let text = name.text else { continue }
            result[VariableKey(text, layer)] = place(name)
        }
        return result
    }
}

extension NodeReader {
    /// Reads `tunnel:` of a service.
    mutating func tunnel(_ node: YAMLNode?) -> TunnelSetting? {
        guard let node, !node.isNull else { return nil }
        let fields = fields(node, of: "tunnel", known: .tunnel)
        guard node.entries != nil else { return nil }
        guard (fields["ssh"] == nil) != (fields["command"] == nil) else {
            report(
                node, "a tunnel needs either ssh: HOST or command: with port:, as in {command: \"kubectl port-forward svc/a 8080:80\", port: 8080}")
            return nil
        }
        let timeout = timeLimit(fields["timeout"], "timeout") ?? TunnelSetting.standardTimeout
        let program = fields["ssh"].map { ssh($0, port: fields["port"]) } ?? command(fields["command"] ?? node, port: fields["port"])
        return program.map { TunnelSetting($0, timeout: timeout) }
    }

    private mutating func ssh(_ node: YAMLNode, port: YAMLNode?) -> TunnelSetting.Program? {
        if let port { report(port, "ssh needs no port: of a tunnel; the port of its server is written as ssh://USER@HOST:PORT or in ~/.ssh/config") }
        guard let host = plainText(node, "ssh") else { return nil }
        // A destination that begins with a hyphen would be an option of ssh, which can run commands.
        guard !host.hasPrefix("-"), !host.contains(where: \.isWhitespace) else {
            report(node, "ssh must be a destination such as bastion, USER@HOST or ssh://USER@HOST:PORT, not “\(host.shortened)”")
            return nil
        }
        return .ssh(host)
    }

    private mutating func command(_ node: YAMLNode, port: YAMLNode?) -> TunnelSetting.Program? {
        guard let text = plainText(node, "command") else { return nil }
        guard let port else {
            report(node, "the tunnel has no port; write port: and the port of 127.0.0.1 that the command opens")
            return nil
        }
        return integer(port, "port", in: 1...65_535).map { .command(text, port: UInt16($0)) }
    }

    /// A text without templates, so that the permission for it is the permission for what runs.
    private mutating func plainText(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = text(node, key) else { return nil }
        guard !text.allSatisfy(\.isWhitespace), !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x0a && $0 != 0x09 || $0 == 0x7f }) else {
            report(node, "\(key) of a tunnel must not be empty or contain control characters")
            return nil
        }
        guard Template(text).isPlain else {
            report(node, "\(key) of a tunnel cannot contain templates, because the permission is for its text; write one service for each tunnel")
            return nil
        }
        return text
    }
}

/// The names that a step of a run knows beside those of all files: its variables, and what was captured before it.
struct StepNames {
    /// The variables of the step, and what its condition of a repetition compares.
    var own: Set<String>
    /// The number of the steps and groups before the step or its group.
    let turn: Int
    /// The captured values of all steps, each with the turn of the first step that captures it; one dictionary for all steps.
    var captured: [String: Int] = [:]

    /// Whether the step can use a name; of the captured values only those of earlier turns.
    func contains(_ name: String) -> Bool { own.contains(name) || captured[name].map { $0 < turn } ?? false }

    /// All names that the step can use.
    var names: Set<String> { own.union(captured.filter { $0.value < turn }.keys) }
}
