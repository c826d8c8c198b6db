internal import SortieHTTP
internal import WorkspaceModel

/// Renders an endpoint as the value of its file, in the style of the existing file where there is a choice.
struct EndpointForm {
    /// The current content of the file; nil for a new file.
    var source: YAMLNode?
    /// The unchanged endpoint, for choices that depend on the change.
    let original: Endpoint?
    /// The absolute folder of the file; paths are written relative to it.
    let folder: String
    /// The absolute folder of the workspace; paths outside of it stay absolute.
    let root: String
    /// The time limits that apply where the file has none.
    let base: Timeouts
    /// Whether the text is a ``StoredEndpoint``, which is not meant for editing and expresses every value exactly.
    var isStored = false
    /// The endpoint that the file extends, of whose keys the file has only those that differ; nil for none.
    var extended: Endpoint?

    /// The form of a ``StoredEndpoint``.
    static var stored: EndpointForm { EndpointForm(source: nil, original: nil, folder: "", root: "", base: Timeouts(), isStored: true) }

    /// A path as the file has it.
    func path(_ path: String) -> String { isStored ? path : FilePath.relative(path, to: folder, within: root) }

    /// The longest key of a mapping in a stored endpoint; YAML limits keys to 1024 characters.
    private static let longestKey = 200

    /// Rows as a mapping where that can express them; a stored endpoint has a list otherwise.
    private func pairs(_ rows: [Parameter]) -> YAMLValue? {
        if isStored { return self.rows(rows, source: nil) }
        return rows.isEmpty ? nil : .mapping(rows.map { .init($0.name, .text($0.value)) })
    }

    /// The members of the file in canonical order; unwritten defaults, and what the extended endpoint has, are left out.
    func value(of endpoint: Endpoint) -> YAMLValue {
        let members = members(of: endpoint)
        guard let extended, endpoint.extends != nil else { return .mapping(optional: members) }
        let inherited = self.members(of: extended)
        return .mapping(
            optional: zip(members, inherited).map { own, base in
                let key = own.0
                switch key {
                case "name", "extends": return own
                // Its default depends on the body, so that two different ones may both be unwritten.
                case "method":
                    let isInherited = endpoint.method == endpoint.inheritedMethod(from: extended)
                    return (key, isInherited && source?[key] == nil ? nil : .text(endpoint.method.rawValue))
                case "query": return (key, rows(endpoint.query, over: extended.query, source: source?["query"]))
                case "headers": return (key, headers(of: endpoint, over: extended))
                case "variables": return (key, variables(endpoint.variables.filter { extended.variables[$0.key] != $0.value }))
                default:
                    if own.1 == base.1 { return (key, source?[key] == nil ? nil : own.1) }
                    return (key, own.1 ?? nothing(key))
                }
            })
    }

    /// The value with which a file has nothing of a key that the extended endpoint has.
    private func nothing(_ key: String) -> YAMLValue {
        switch key {
        case "auth": .text("inherit")
        case "body": .text("none")
        case "path": .text("")
        case "tags", "messages", "hooks", "excludeNetworks", "examples": .sequence([])
        default: EndpointKey.all.first { $0.name == key }?.standard.map(YAMLValue.text) ?? .token("null")
        }
    }

    /// The rows that are added by name to those of the extended endpoint; a list of all rows where that cannot express them.
    ///
    /// - Parameter plain: The form in which names are compared.
    private func rows(_ rows: [Parameter], over base: [Parameter], source: YAMLNode?, plain: (String) -> String = { $0 }) -> YAMLValue? {
        if source?.items == nil, rows.count >= base.count, zip(rows, base).allSatisfy({ plain($0.name) == plain($1.name) }),
            Set(rows.map { plain($0.name) }).count == rows.count
        {
            let own = rows.enumerated().filter { $0.offset >= base.count || $0.element != base[$0.offset] }.map(\.element)
            guard !own.isEmpty else { return nil }
            if case .mapping(let members)? = self.rows(own, source: source) { return .mapping(members) }
        }
        return .sequence(list(rows))
    }

    private func headers(of endpoint: Endpoint, over base: Endpoint) -> YAMLValue? {
        let removed = endpoint.removedHeaders ?? []
        if removed == base.removedHeaders ?? [] {
            let own = rows(endpoint.headers, over: base.headers, source: source?["headers"]) { $0.lowercased() }
            guard case .sequence? = own else { return own }
        }
        return .sequence(list(endpoint.headers) + removed.map { .mapping([.init("name", .text($0)), .init("value", .token("null"))]) })
    }

    private func members(of endpoint: Endpoint) -> [(String, YAMLValue?)] {
        EndpointKey.all.map { ($0.name, member($0, of: endpoint)) } + [(Self.unreadableKey, isStored ? unreadable(endpoint) : nil)]
    }

    /// The value of a key; nil where the file does not need it.
    private func member(_ key: EndpointKey, of endpoint: Endpoint) -> YAMLValue? {
        let written = source?[key.name]
        switch key.name {
        case "name": return endpoint.name == FilePath.name(of: endpoint.target) && written == nil ? nil : .text(endpoint.name)
        case "description": return endpoint.summary.map(YAMLValue.text)
        case "tags": return endpoint.tags.isEmpty ? nil : .sequence(endpoint.tags.map(YAMLValue.text))
        case "extends": return endpoint.extends.map(YAMLValue.text)
        case "method": return endpoint.method == endpoint.defaultMethod && written == nil ? nil : .text(endpoint.method.rawValue)
        case "path": return endpoint.path.isEmpty && (endpoint.grpc != nil || source != nil) && written == nil ? nil : .text(endpoint.path)
        case "query": return rows(endpoint.query, source: written)
        case "headers": return headers(of: endpoint)
        case "auth": return auth(endpoint.auth)
        case "body": return body(endpoint.body)
        case "variables": return variables(endpoint.variables)
        case "grpc": return endpoint.grpc.map(grpc)
        case "messages": return rows(endpoint.messages, source: written)
        case "download": return endpoint.download.map(download)
        case "timeout": return endpoint.timeouts.map { timeouts($0, base: endpoint.inherits == false ? Timeouts() : base) }
        case "cache": return endpoint.cache.map(cache)
        case "retry": return endpoint.retry.map(retry)
        case "excludeNetworks": return endpoint.excludedNetworks.isEmpty ? nil : .sequence(endpoint.excludedNetworks.map { .text($0.text) })
        case "page": return endpoint.paging.map(paging)
        case "expect": return (endpoint.expectation?.usesAnswerKey == true ? endpoint.comparisons : endpoint.expectation).map(expectation)
        case "examples": return examples(endpoint.examples, source: written)
        case "capture": return pairs(endpoint.captures.map { Parameter($0.name, $0.path) })
        case "parameters": return endpoint.parameters.map(parameters)
        case "answer":
            guard let expectation = endpoint.expectation, expectation.usesAnswerKey else { return nil }
            return .mapping(optional: acceptance(expectation, status: "status"))
        case "reform": return pairs(endpoint.reform)
        case "plugins": return endpoint.pluginUse.map(plugins)
        case "hooks": return endpoint.hooks.isEmpty ? nil : .sequence(endpoint.hooks.map(hook))
        default:
            guard let text = key.text(endpoint), text != key.standard || written != nil else { return nil }
            switch key.notation {
            case .flag: return .token(text)
            case .rate: return rate(text, as: written?.text)
            case .words, .number, .interface, .other: return .text(text)
            }
        }
    }

    private func grpc(_ setting: GRPCSetting) -> YAMLValue {
        .mapping(optional: [("method", .text(setting.method)), ("proto", setting.proto.map { .text(path($0)) })])
    }

    /// The key of a stored endpoint for the texts of sections that cannot be read.
    static let unreadableKey = "unreadable"

    private func unreadable(_ endpoint: Endpoint) -> YAMLValue? {
        let members = EndpointSection.allCases.compactMap { section in
            endpoint.unreadableSections[section].map { YAMLValue.Member(section.rawValue, .text($0)) }
        }
        return members.isEmpty ? nil : .mapping(members)
    }

    /// Rows as a mapping where that can express them and the file does not already use a list; nil for none.
    func rows(_ rows: [Parameter], source: YAMLNode?) -> YAMLValue? {
        guard !rows.isEmpty else { return nil }
        let isSimple = rows.allSatisfy {
            $0.isEnabled && $0.summary == nil && $0.spelling == nil && !$0.name.isEmpty && (!isStored || $0.name.utf8.count <= Self.longestKey)
        }
        if source?.items == nil, isSimple, Set(rows.map(\.name)).count == rows.count {
            return .mapping(rows.map { .init($0.name, value(of: $0)) })
        }
        return .sequence(list(rows))
    }

    /// Rows in the long form.
    private func list(_ rows: [Parameter]) -> [YAMLValue] {
        rows.map { row in
            // The encoded text shows that a name has no value, which needs a setting otherwise.
            let isShown = row.spelling != nil && row.isNameOnly && row.value.isEmpty
            return .mapping(optional: [
                ("name", .text(row.name)), ("value", isShown ? nil : value(of: row)), ("encoded", row.spelling.map(YAMLValue.text)),
                ("enabled", row.isEnabled ? nil : .token("false")),
                ("description", row.summary.map(YAMLValue.text)),
            ])
        }
    }

    /// The value of a row; null is a name without a value.
    private func value(of row: Parameter) -> YAMLValue { row.isNameOnly && row.value.isEmpty ? .token("null") : .text(row.value) }

    /// The header fields; removed fields have the value null.
    func headers(of endpoint: Endpoint) -> YAMLValue? {
        let given = rows(endpoint.headers, source: source?["headers"])
        let removed = endpoint.removedHeaders ?? []
        guard !removed.isEmpty else { return given }
        var items: [YAMLValue]?
        if case .sequence(let list)? = given { items = list }
        // A name that is given and left out needs two rows.
        if isStored, items == nil {
            items = endpoint.headers.map { .mapping([.init("name", .text($0.name)), .init("value", .text($0.value))]) }
        }
        if let items { return .sequence(items + removed.map { .mapping([.init("name", .text($0)), .init("value", .token("null"))]) }) }
        var members: [YAMLValue.Member] = []
        if case .mapping(let rows)? = given { members = rows }
        return .mapping(members + removed.map { .init($0, .token("null")) })
    }

    private func download(_ settings: DownloadSettings) -> YAMLValue {
        .mapping(optional: [
            ("to", settings.to.map(YAMLValue.text)), ("connections", settings.connections.map { .text(String($0)) }),
            ("limitRate", settings.rateLimit.map { rate(String($0), as: source?["download"]?["limitRate"]?.text) }),
            ("sha256", settings.digest.map { .text($0.hexadecimal) }),
            ("onExists", settings.collision.map { .text($0.rawValue) }),
        ])
    }

    /// The rate as the file has it, where that means the same.
    private func rate(_ bytes: String, as written: String?) -> YAMLValue {
        .text(written.flatMap { RateText.rate($0).map { String($0) } == bytes ? $0 : nil } ?? bytes)
    }

    private func variables(_ variables: [String: String]) -> YAMLValue? {
        guard !variables.isEmpty else { return nil }
        if isStored { return pairs(variables.sorted { $0.key < $1.key }.map { Parameter($0.key, $0.value) }) }
        let written = source?["variables"]?.entries?.compactMap(\.key.text) ?? []
        let names = written.filter { variables[$0] != nil } + variables.keys.filter { !written.contains($0) }.sorted()
        return .mapping(names.map { .init($0, .text(variables[$0] ?? "")) })
    }

    func auth(_ auth: Auth) -> YAMLValue? {
        guard let scheme = auth.scheme else { return auth == .none ? .text("none") : nil }
        if auth == .negotiate { return .text(scheme) }
        if case .bearer(let token) = auth { return .mapping([.init(scheme, .text(token))]) }
        let written = source?["auth"]?[scheme]
        func key(_ field: AuthField) -> String { field == .user && written?["username"] != nil ? "username" : field.name }
        let fields = auth.storedFields { isStored || written?[key($0)] != nil }
        return .mapping([
            .init(scheme, .mapping(fields.map { .init(key($0), $0.isJSON ? json(ofOneLine: auth[$0]) : .text(auth[$0])) }))
        ])
    }

    func timeouts(_ timeouts: Timeouts, base: Timeouts) -> YAMLValue {
        let total = timeouts.total.map { YAMLValue.text(DurationText.text($0)) } ?? .text("none")
        if let before = original?.timeouts, source?["timeout"]?.text != nil, timeouts.total != nil,
            timeouts.$total != nil,
            timeouts.connect == before.connect,
            timeouts.idle == before.idle
        {
            return total
        }
        // An inherited value is not written, unless the file already contains it.
        func unlessInherited(_ key: String, _ limit: KeyPath<Timeouts, Duration>, isForced: Bool = false) -> (String, YAMLValue?) {
            let isWritten = isStored || timeouts[keyPath: limit] != base[keyPath: limit] || source?["timeout"]?[key] != nil || isForced
            return (key, isWritten ? .text(DurationText.text(timeouts[keyPath: limit])) : nil)
        }
        // The default total is not written, because a total in the file would limit transfers as well.
        let hasTotal = timeouts.$total != nil && (isStored || !timeouts.hasSameTotal(as: base) || source?["timeout"]?["total"] != nil)
        return .mapping(optional: [
            unlessInherited("connect", \.connect, isForced: timeouts == base), unlessInherited("idle", \.idle), ("total", hasTotal ? total : nil),
        ])
    }

    private func retry(_ retry: RetryPolicy) -> YAMLValue {
        if source?["retry"]?.text != nil, !retry.parksWhenOffline, !retry.repeatsAnyMethod { return .text(String(retry.limit)) }
        let parks: YAMLValue? = retry.parksWhenOffline ? .token("true") : nil
        let any: YAMLValue? = retry.repeatsAnyMethod ? .token("true") : nil
        return .mapping(optional: [("limit", .text(String(retry.limit))), ("anyMethod", any), ("parkWhenOffline", parks)])
    }

    private func cache(_ cache: CacheSetting) -> YAMLValue {
        let written = source?["cache"]
        let lifetime = YAMLValue.text(DurationText.text(cache.lifetime))
        if cache == CacheSetting(lifetime: cache.lifetime), written?.entries == nil { return lifetime }
        let hasLifetime = isStored || cache.lifetime != CacheSetting.defaultLifetime || written?.entries == nil || written?["for"] != nil
        let place = cache.isOnDisk ? "disk" : written?["on"] == nil ? nil : "memory"
        let policy = cache.policy != .use || written?["policy"] != nil ? cache.policy.rawValue : nil
        return .mapping(optional: [
            ("for", hasLifetime ? lifetime : nil), ("on", place.map(YAMLValue.text)), ("policy", policy.map(YAMLValue.text)),
            ("tag", cache.tag.map(YAMLValue.text)),
        ])
    }

    private func paging(_ paging: Paging) -> YAMLValue {
        let fields = [
            ("number", paging.number), ("size", paging.size), ("cursor", paging.cursor), ("next", paging.next),
            ("items", paging.items),
            ("total", paging.total),
        ]
        return .mapping(optional: fields.map { ($0, $1.map(YAMLValue.text)) })
    }

    func parameters(_ style: ParameterStyle) -> YAMLValue {
        let fields = [
            ("arrays", style.arrays?.rawValue), ("nested", style.nested?.rawValue), ("booleans", style.booleans?.rawValue),
            ("nulls", style.nulls?.rawValue), ("dates", style.dates?.rawValue), ("order", style.order?.rawValue),
            ("place", style.place?.rawValue), ("charset", style.charset),
        ]
        let rules = style.rules.isEmpty ? nil : YAMLValue.mapping(style.rules.map { .init($0.name, rule($0)) })
        return .mapping(optional: fields.map { ($0, $1.map(YAMLValue.text)) } + [("rules", rules)])
    }

    private func rule(_ rule: ParameterRule) -> YAMLValue {
        .mapping((rule.isRequired ? [.init("required", .token("true"))] : []) + rule.conditions.map(test))
    }

    private func acceptance(_ expectation: Expectation, status: String) -> [(String, YAMLValue?)] {
        let codes = expectation.messages.sorted { $0.key < $1.key }.map { YAMLValue.Member($0.key, .text($0.value)) }
        return [
            (status, expectation.accepted.map { .sequence($0.map { .text(StatusRange.text($0)) }) }),
            ("types", expectation.contentTypes.map { .sequence($0.map(YAMLValue.text)) }), ("format", expectation.format.map { .text($0.rawValue) }),
            ("shape", expectation.shape.map { isStored ? .json($0) : EndpointForm.yaml(ofJSON: $0) ?? .block($0) }),
            ("codes", codes.isEmpty ? nil : .mapping(codes)),
        ]
    }

    func expectation(_ expectation: Expectation) -> YAMLValue {
        let ranges = expectation.statuses?.map { YAMLValue.text(StatusRange.text($0)) }
        return .mapping(
            optional: [
                ("status", ranges.map { $0.count == 1 ? $0[0] : .sequence($0) }), ("json", conditions(expectation.json)),
                ("headers", conditions(expectation.headers)), ("body", bodyConditions(expectation.body)),
                ("under", expectation.under.map { .text(DurationText.text($0)) }),
                ("size", expectation.size.map { .text($0.text) }), ("schema", expectation.schema.map(schema)),
                ("snapshot", expectation.snapshot.map(snapshot)),
            ] + acceptance(expectation, status: "accept"))
    }

    private func snapshot(_ snapshot: SnapshotExpectation) -> YAMLValue {
        guard !snapshot.ignored.isEmpty else { return .token("true") }
        return .mapping([.init("ignore", .sequence(snapshot.ignored.map(YAMLValue.text)))])
    }

    private func schema(_ source: SchemaSource) -> YAMLValue {
        switch source {
        case .file(let path), .loaded(_, let path): .text(path)
        case .inline(let text): isStored ? .json(text) : EndpointForm.yaml(ofJSON: text) ?? .block(text)
        }
    }

    private func bodyConditions(_ rows: [Parameter]) -> YAMLValue? {
        guard let first = rows.first else { return nil }
        // A mapping would be one of tests.
        if isStored { return .sequence(list(rows)) }
        if rows.count == 1 { return .text(first.value) }
        let tests = rows.map { test($0.value) }
        return Set(tests.map(\.key)).count == tests.count ? .mapping(tests) : .sequence(rows.map { .text($0.value) })
    }

    /// Conditions by path or name; several conditions on one value are a mapping of tests.
    func conditions(_ rows: [Parameter]) -> YAMLValue? {
        guard !isStored, Set(rows.map(\.name)).count < rows.count else { return pairs(rows) }
        return .mapping(
            Self.names(of: rows).map { name in
                let tests = rows.filter { $0.name == name }.map(\.value)
                return .init(name, tests.count == 1 ? .text(tests[0]) : .mapping(tests.map(test)))
            })
    }

    /// The rows as a file has them: the conditions on one value are together, and several ones begin with the words of their tests (`= 1`, not `1`).
    static func grouped(_ rows: [Parameter]) -> [Parameter] {
        names(of: rows).flatMap { name in
            let own = rows.filter { $0.name == name }
            return own.count == 1 ? own : own.map { Parameter(name, written($0.value)) }
        }
    }

    /// A condition as it is read from a mapping of tests.
    private static func written(_ text: String) -> String {
        do throws(ConditionError) { return try Condition(text).text } catch { return "\(Condition.Key.equals.word) \(text)" }
    }

    private static func names(of rows: [Parameter]) -> [String] {
        var names: [String] = []
        for row in rows where !names.contains(row.name) { names.append(row.name) }
        return names
    }

    /// A condition as a member of a mapping of tests: `>= 3` is `atLeast: 3`.
    private func test(_ text: String) -> YAMLValue.Member {
        do throws(ConditionError) { return test(try Condition(text)) } catch {
            return .init(Condition.Key.equals.rawValue, .text(text))
        }
    }

    private func test(_ condition: Condition) -> YAMLValue.Member {
        let (key, operand) = condition.entry
        let value: YAMLValue =
            switch condition.test {
            case .exists, .missing: .token(operand)
            case .oneOf(let values): .sequence(values.map(YAMLValue.text))
            default: .text(operand)
            }
        return .init(key.rawValue, value)
    }
}

extension EndpointForm {
    /// An entry of `hooks:`.
    func hook(_ hook: HookSetting) -> YAMLValue {
        let environment = hook.environment.sorted { $0.key < $1.key }.map { YAMLValue.Member($0.key, .text($0.value)) }
        return .mapping(optional: [
            ("stage", .text(hook.stage.rawValue)), ("run", .sequence(hook.command.map(YAMLValue.text))),
            ("env", environment.isEmpty ? nil : .mapping(environment)),
            ("timeout", hook.timeout == HookSetting.standardTimeout ? nil : .text(DurationText.text(hook.timeout))),
            ("keepRunning", hook.keepsRunning ? .token("true") : nil),
        ])
    }
}
