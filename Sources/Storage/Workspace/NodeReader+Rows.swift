internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

extension NodeReader {
    /// Reads rows as a mapping of names to values, or as a list of `{name, value, encoded, enabled, description}`.
    ///
    /// - Parameter style: how lists and mappings are flattened into rows; nil rejects them.
    mutating func rows(_ node: YAMLNode?, of what: String, style: ParameterStyle? = nil) -> [Parameter] {
        guard let node, !node.isNull else { return [] }
        guard let items = node.items else {
            guard node.entries != nil else {
                report(node, "\(what) must be a mapping of names to values or a list of {name, value}, not \(node.kindName)")
                return []
            }
            return pairs(node, of: what).flatMap { pair -> [Parameter] in
                note(pair.name, at: pair.key)
                if let nested = nestedRows(pair.value, named: pair.name, style: style) { return nested }
                return template(pair.value, "the value of “\(pair.name.shortened)”").map { [Parameter(pair.name, $0)] } ?? []
            }
        }
        return items.flatMap { row($0, of: what, style: style) }
    }

    private mutating func row(_ item: YAMLNode, of what: String, style: ParameterStyle?) -> [Parameter] {
        guard item.entries != nil else {
            report(item, "a row of \(what) must be {name, value}, not \(item.kindName)")
            return []
        }
        let fields = fields(item, of: "a row of \(what)", known: .row)
        guard let nameNode = fields["name"] else {
            report(item, "a row of \(what) has no name")
            return []
        }
        guard let name = template(nameNode, "the name of a row of \(what)") else { return [] }
        let isEnabled = bool(fields["enabled"], "enabled") ?? true
        let summary = text(fields["description"], "description")
        if let value = fields["value"], let nested = nestedRows(value, named: name, style: style) {
            return nested.map { row in
                var row = row
                row.isEnabled = row.isEnabled && isEnabled
                row.summary = summary
                return spelled(row, fields["encoded"])
            }
        }
        let value = template(fields["value"], "the value of “\(name.shortened)”") ?? ""
        return [spelled(Parameter(name, value, isEnabled: isEnabled, summary: summary), fields["encoded"])]
    }

    /// The row with the text that it has in a URL, which must be that of its name and value.
    private mutating func spelled(_ row: Parameter, _ node: YAMLNode?) -> Parameter {
        guard let node, let text = text(node, "encoded") else { return row }
        func isSame(_ typed: Parameter) -> Bool { typed.name == row.name && typed.value == row.value }
        var result = row
        if let typed = URLText.row(text[...]), isSame(typed) {
            result.isNameOnly = typed.isNameOnly
            result.spelling = typed.spelling
        } else if let typed = URLText.row(text[...], isForm: true), isSame(typed) {
            // Programs write a space in a query as in a form.
            result.isNameOnly = typed.isNameOnly
            result.spelling = text
        } else {
            report(node, "encoded is not the text of “\(row.name.shortened)” and its value in a URL; correct it, or remove it")
        }
        return result
    }

    /// Reads header fields, validated as far as their templates permit (RFC 9110 §5.5), and the names of fields with the value null, which are
    /// removed.
    mutating func headers(_ node: YAMLNode?) -> (rows: [Parameter], removed: [String]) {
        guard let node else { return ([], []) }
        let (sent, removed) = splitHeaders(node)
        let rows = rows(sent, of: "headers")
        for row in rows {
            // The value of a template is unknown here; a letter replaces it for the validation.
            let name = Template(row.name).isPlain ? row.name : "x"
            guard let problem = HeaderField(name, row.value).problem else { continue }
            reportInvalid(rowNode(row, in: node), problem)
        }
        let fields = Headers(rows.filter(\.isEnabled).map { HeaderField($0.name, $0.value) })
        if let problem = fields.framingProblem { reportInvalid(node, problem) }
        return (rows, removed)
    }

    /// The node without the fields whose value is null, and the names of those.
    private func splitHeaders(_ node: YAMLNode) -> (sent: YAMLNode, removed: [String]) {
        var sent = node
        var removed: [String] = []
        if let items = node.items {
            sent.content = .sequence(
                items.filter { item in
                    guard let value = item["value"], value.isNull, item["enabled"] == nil, let name = item["name"]?.text else { return true }
                    removed.append(name)
                    return false
                })
        } else if let entries = node.entries {
            sent.content = .mapping(
                entries.filter { entry in
                    guard entry.value.isNull, let name = entry.key.text else { return true }
                    removed.append(name)
                    return false
                })
        }
        return (sent, removed)
    }

    /// The node of a row in a list or a mapping.
    private func rowNode(_ row: Parameter, in node: YAMLNode) -> YAMLNode {
        if let items = node.items { return items.first { $0["name"]?.text == row.name } ?? node }
        return node.entries?.first { $0.key.text == row.name }?.key ?? node
    }

    /// Warns of values that do not satisfy the rules for their parameters; what templates are replaced by is checked before sending.
    mutating func check(_ rows: [Parameter], by rules: [ParameterRule], in node: YAMLNode?) {
        guard let node else { return }
        for row in rows where row.isEnabled && !row.value.isEmpty && Template(row.value).isPlain {
            guard let problem = rules.first(where: { $0.name == row.name })?.problem(of: row.value) else { continue }
            reportInvalid(rowNode(row, in: node), "the parameter “\(row.name.shortened)” \(problem)", severity: .warning)
        }
    }

    /// Names and values in any order; in a stored endpoint also a list of `{name, value}`.
    mutating func variables(_ node: YAMLNode?, of what: String) -> [String: String] {
        var result: [String: String] = [:]
        if isStored, node?.items != nil {
            for row in rows(node, of: what) { result[row.name] = row.value }
            return result
        }
        for pair in pairs(node, of: what) {
            if let value = template(pair.value, "the value of “\(pair.name.shortened)”") { result[pair.name] = value }
        }
        return result
    }

    /// Reads time limits; missing ones are those of `base`, and a bare duration limits the complete call.
    mutating func timeouts(_ node: YAMLNode?, base: Timeouts) -> Timeouts? {
        guard let node, !node.isNull else { return nil }
        var result = base
        if node.text != nil {
            guard let total = timeLimit(node, "timeout") else { return nil }
            result.total = total
            return result
        }
        let fields = fields(node, of: "timeout", known: .timeout)
        result.connect = timeLimit(fields["connect"], "connect") ?? base.connect
        result.idle = timeLimit(fields["idle"], "idle") ?? base.idle
        if fields["total"]?.text == "none" {
            result.total = nil
        } else if let total = timeLimit(fields["total"], "total") {
            result.total = total
        }
        return result
    }

    /// Reads the credentials.
    mutating func auth(_ node: YAMLNode?, otherwise: Auth) -> Auth {
        guard let node, !node.isNull else { return otherwise }
        if let text = node.text {
            if WorkspaceKeys.auth.names.contains(text) {
                report(node, "auth needs the values of the scheme; write auth: {\(text): …}")
                return otherwise
            }
            return switch word(node, "auth", of: ["none", "inherit", "negotiate"]) {
            case "none": .none
            case "inherit": .inherit
            case "negotiate": .negotiate
            default: otherwise
            }
        }
        let fields = fields(node, of: "auth", known: .auth)
        guard node.entries != nil else { return otherwise }
        guard fields.count == 1, let (kind, value) = fields.first else {
            report(
                node,
                fields.isEmpty
                    ? "auth has no scheme; write one of \(WorkspaceKeys.auth.names.joined(separator: ", "))"
                    : "auth has more than one scheme; keep one"
            )
            return otherwise
        }
        let known: Auth? =
            switch kind {
            case "bearer": template(value, kind).map { .bearer(token: $0) }
            case "basic": login(value, of: kind).map { .basic(user: $0.user, password: $0.password) }
            case "digest": login(value, of: kind).map { .digest(user: $0.user, password: $0.password) }
            case "oauth2": credential(value, kind, known: .oauth2).map { .oauth2($0) }
            case "awsSigV4": credential(value, kind, known: .awsSigV4).map { .awsSigV4($0) }
            case "jwt": credential(value, kind, known: .jwt).map { .jwt($0) }
            case "ntlm": credential(value, kind, known: .login).map { .ntlm($0) }
            case "apiKey": credential(value, kind, known: .apiKey).map { .apiKey($0) }
            case "any":
                credential(value, kind, NTLMCredential(user: "", password: "", permitsOthers: true), known: .login).map { .ntlm($0) }
            default:
                SignatureCredential.Scheme(rawValue: kind).flatMap { scheme in
                    credential(value, kind, SignatureCredential(scheme), known: .signature(scheme)).map { .signature($0) }
                }
            }
        return known ?? otherwise
    }

    /// Reads credentials of several texts.
    private mutating func credential<Credential: FieldCredential>(
        _ mapping: YAMLNode, _ scheme: String, _ empty: Credential = .empty, known: WorkspaceKeys
    ) -> Credential? {
        guard mapping.entries != nil else {
            let needed = empty.missingFields.map(\.rawValue)
            report(mapping, "\(scheme) must be a mapping with \(needed.joined(separator: ", ")), not \(mapping.kindName)")
            return nil
        }
        let fields = fields(mapping, of: scheme, known: known)
        var result = empty
        func node(_ field: Credential.Field) -> YAMLNode? { fields[field.rawValue] ?? (AuthField(field) == .user ? fields["username"] : nil) }
        for field in Credential.Field.allCases {
            let value = node(field)
            let text =
                if let words = field.words { word(value, field.rawValue, of: words) } else if field.isJSON {
                    value.flatMap { jsonDocument($0) }
                } else {
                    template(value, field.rawValue)
                }
            if let text { result[field: field] = text }
        }
        // An unfinished draft is stored as it is.
        guard !isStored else { return result }
        for field in result.missingFields { report(mapping, "\(scheme) has no \(field.rawValue)") }
        for field in Credential.Field.allCases where !result[field: field].isEmpty && Template(result[field: field]).isPlain {
            guard let value = node(field), let problem = result.problem(of: field) else { continue }
            report(value, "auth: \(scheme): \(problem)")
        }
        return result
    }

    private mutating func login(_ node: YAMLNode, of scheme: String) -> (user: String, password: String)? {
        guard node.entries != nil else {
            report(node, "\(scheme) must be {user, password}, not \(node.kindName)")
            return nil
        }
        let fields = fields(node, of: scheme, known: .login)
        guard let user = template(fields["user"] ?? fields["username"], "user") else {
            if fields["user"] == nil, fields["username"] == nil { report(node, "\(scheme) has no user") }
            return nil
        }
        let isRefused = scheme == "basic" && !isStored && Template(user).isPlain && !BasicCredentials.canHave(user: user)
        if isRefused, let node = fields["user"] ?? fields["username"] {
            report(node, "auth: basic: the user contains a colon, which ends the name in Basic (RFC 7617); correct it, or use digest")
        }
        return (user, template(fields["password"], "password") ?? "")
    }
}

extension NodeReader {
    /// Reads the batch or chain of a file.
    ///
    /// - Parameters:
    ///   - targets: the existing endpoints.
    ///   - captures: the names that each endpoint captures.
    ///   - isInside: whether a file with this absolute path may be read while the workspace is opened.
    mutating func run(
        _ root: YAMLNode?, name: String, targets: inout KnownTargets, captures: [String: [String]], isInside: (String) -> Bool
    ) -> RunDefinition? {
        guard let root, root.entries != nil else {
            let place = root.map(place) ?? SourceLocation(file: file)
            problems.append(Diagnostic(place, "a run must be a mapping with chain or batch"))
            return nil
        }
        let fields = fields(root, of: "a run", known: .run)
        _ = text(fields["description"], "description")
        guard let list = fields["chain"] ?? fields["batch"], fields["chain"] == nil || fields["batch"] == nil else {
            report(
                root,
                fields["chain"] == nil
                    ? "the run has neither chain nor batch" : "the run has both chain and batch; keep one of them")
            for case (let kind, let list?) in [(RunDefinition.Kind.chain, fields["chain"]), (.batch, fields["batch"])] {
                _ = steps(list.items ?? [], kind: kind, targets: &targets, captures: captures)
            }
            return nil
        }
        let kind: RunDefinition.Kind = fields["chain"] == nil ? .batch : .chain
        guard let items = list.items else {
            report(list, "\(kind.rawValue) must be a list of {send: TARGET}, not \(list.kindName)")
            return nil
        }
        if let concurrency = fields["concurrency"], kind == .chain {
            report(concurrency, "concurrency is valid only with batch, and in a chain beside parallel", severity: .warning)
        }
        var run = RunDefinition(
            name: name, kind: kind, steps: steps(items, kind: kind, targets: &targets, captures: captures),
            stopsOnFailure: bool(fields["stopOnFailure"], "stopOnFailure") ?? true,
            concurrency: integer(fields["concurrency"], "concurrency", in: 1...10_000))
        run.location = place(root)
        run.ignored = ignoredDifferences(fields["ignore"])
        if let data = fields["data"] { readData(data, of: &run, isInside: isInside) }
        return run
    }

    /// Reads what is ignored when responses are compared.
    private mutating func ignoredDifferences(_ node: YAMLNode?) -> [String] {
        list(node, "ignore").filter { item in
            do throws(CompareRuleProblem) { _ = try CompareRules(parsing: [item.text]) } catch {
                report(item.node, error.description)
                return false
            }
            return true
        }.map(\.text)
    }

    /// Reads the steps; in a chain, each step may use the captures of earlier steps.
    private mutating func steps(
        _ items: [YAMLNode], kind: RunDefinition.Kind, targets: inout KnownTargets, captures: [String: [String]]
    ) -> [RunDefinition.Step] {
        var steps: [RunDefinition.Step] = []
        var names: Set<String> = []
        // By name, the number of the steps and groups before the first one that captures it.
        var captured: [String: Int] = [:]
        let firstUse = uses.count
        var groups = 0
        for (turn, item) in items.enumerated() {
            var group: StepGroup?
            var members = [item]
            if let list = item.entries?.first(where: { $0.key.text == "parallel" })?.value {
                groups += 1
                guard let found = parallel(item, list, number: groups, kind: kind) else { continue }
                (group, members) = found
            }
            for member in members {
                let firstUse = uses.count
                guard var step = step(member, kind: kind, targets: &targets) else { continue }
                if !names.insert(step.name).inserted, kind == .chain {
                    report(member, "two steps are called “\(step.name)”; name this one with as: NAME")
                }
                step.group = group
                let new = kind == .chain ? (captures[step.target, default: []] + step.captures.map(\.name)).map { "\(step.name).\($0)" } : []
                var known = StepNames(own: Set(step.variables.keys), turn: turn)
                if let variable = step.loop?.variable { known.own.insert(variable) }
                // The condition of a repetition compares what the step itself captured.
                if case .repeats = step.loop { known.own.formUnion(new) }
                for index in firstUse..<uses.count { uses[index].step = known }
                if group != nil, case .repeats = step.loop {
                    report(member, "while is not valid in a parallel group; write the step before or after the group")
                    step.loop = nil
                }
                steps.append(step)
                for name in new where captured[name] == nil { captured[name] = turn }
            }
        }
        for index in firstUse..<uses.count { uses[index].step?.captured = captured }
        reportLaterCaptures(from: firstUse)
        return steps
    }

    /// Reads `{parallel: […], concurrency: N}` of a chain: the group and the nodes of its steps.
    private mutating func parallel(_ item: YAMLNode, _ list: YAMLNode, number: Int, kind: RunDefinition.Kind) -> (StepGroup, [YAMLNode])? {
        let fields = fields(item, of: "a parallel group", known: .parallel)
        guard kind == .chain else {
            report(item, "parallel is valid only in a chain; the steps of a batch are sent at the same time anyway")
            return nil
        }
        guard let members = list.items, !members.isEmpty else {
            report(list, "parallel must be a list of {send: TARGET}")
            return nil
        }
        for member in members where member.entries?.contains(where: { $0.key.text == "parallel" }) == true {
            report(member, "a parallel group cannot contain another one; write its steps in this group")
            return nil
        }
        return (StepGroup(number: number, concurrency: integer(fields["concurrency"], "concurrency", in: 1...10_000)), members)
    }

    /// Reports references to captures of later steps, for which no other hint would help.
    private mutating func reportLaterCaptures(from first: Int) {
        for index in uses.indices[first...] {
            guard case .variable(let name, _) = uses[index].segment, let step = uses[index].step, step.captured[name] != nil, !step.contains(name)
            else { continue }
            // It is not reported again as a name that nothing defines.
            uses[index].step?.own.insert(name)
            problems.append(
                Diagnostic(
                    uses[index].location,
                    "{{\(name)}} is captured by a later step or in the same parallel group; a step can use only values captured before it"))
        }
    }

    private mutating func step(_ item: YAMLNode, kind: RunDefinition.Kind, targets: inout KnownTargets) -> RunDefinition.Step? {
        guard item.entries != nil else {
            report(item, "a step must be {send: TARGET}, not \(item.kindName)")
            return nil
        }
        let fields = fields(item, of: "a step", known: .step)
        // Read before the target is checked, so that their problems are reported in every case.
        let (variables, expectation, captures) = (
            variables(fields["with"], of: "with"), expectation(fields["expect"]), captures(fields["capture"])
        )
        let (conditions, loop) = (stepConditions(fields["if"], "if"), loop(fields, kind: kind))
        guard let sendNode = fields["send"] else {
            report(item, "the step has no target; write send: TARGET")
            return nil
        }
        guard let target = name(sendNode, "send") else { return nil }
        if !targets.contains(target) {
            let nearest = targets.nearest(to: target)
            let hint = nearest.map { "; did you mean “\($0)”?" } ?? ""
            report(sendNode, "there is no endpoint “\(target.shortened)”\(hint)", remedy: nearest == nil ? .listedTargets : nil)
        }
        var step = RunDefinition.Step(
            target: target, name: name(fields["as"], "as") ?? FilePath.name(of: target),
            variables: variables, expectation: expectation, captures: captures)
        (step.conditions, step.loop) = (conditions, loop)
        step.location = place(item)
        return step
    }

    private mutating func readData(_ node: YAMLNode, of run: inout RunDefinition, isInside: (String) -> Bool) {
        guard let name = name(node, "data") else { return }
        let path = FilePath.joining(folder, expandingHome(name))
        run.dataFile = path
        if let folders, let protected = ProtectedLocation(path, .reading, folders) {
            return report(node, "the data is not read: \(protected.message)", severity: .warning)
        }
        guard isInside(path) else {
            // Loading reads nothing outside the workspace (`Security.md` 1); the run itself may, with permission.
            run.dataColumns = nil
            return
        }
        do {
            // An object of a JSON list may have more members than the first one.
            run.dataColumns = Set(try DataFile.rows(at: path, name: name).flatMap(\.keys)).sorted()
        } catch let problem as Diagnostic {
            report(node, "the data cannot be used: \(problem)")
        } catch {
            report(node, "the data cannot be used: \(error)")
        }
    }
}
