internal import SortieHTTP
internal import WorkspaceModel

extension NodeReader {
    /// The endpoint of a file; nil when its path or method is not usable, because a request must not be sent to a guessed URL.
    ///
    /// All other keys are checked in every case. A stored endpoint is always read, because a user may still be typing its path.
    ///
    /// - Parameters:
    ///   - base: The time limits where the file has none.
    ///   - style: The style of nested parameters of the service; nil for a stored endpoint, whose parameters are texts.
    ///   - ports: The ports of the service that are moved to TLS.
    mutating func endpoint(
        _ root: YAMLNode?, target: String, timeouts base: Timeouts, parameters style: ParameterStyle?, tlsPorts ports: [UInt16: UInt16] = [:]
    ) -> Endpoint? {
        guard let root, root.entries != nil else {
            let place = root.map(place) ?? SourceLocation(file: file)
            problems.append(Diagnostic(place, "an endpoint must be a mapping with keys such as path; write path: /…"))
            return nil
        }
        var fields = fields(root, of: "an endpoint", known: isStored ? Self.storedKeys : .endpoint)
        ownKeys = EndpointExtension(
            keys: Set(fields.keys), replaced: Set(["query", "headers"].filter { key in fields[key].map { $0.entries == nil } ?? false }))
        let isOptional = fields["grpc"] != nil || fields.count == root.entries?.count
        // Null is nothing in place of the value of the extended endpoint.
        if !isStored, fields["extends"] != nil { fields = fields.filter { !$0.value.isNull } }
        let method = method(fields["method"])
        let path = path(fields["path"], of: root, isOptional: isOptional)

        var endpoint = Endpoint(
            target: target, name: name(fields["name"], "name") ?? FilePath.name(of: target), method: method ?? .get, path: path ?? "")
        endpoint.location = SourceLocation(file: file, line: root.line, column: root.column)
        endpoint.parameters = parameterStyle(fields["parameters"])
        let style = style.map { endpoint.parameters?.over($0) ?? $0 }
        endpoint.query = rows(fields["query"], of: "query", style: style)
        let headers = headers(fields["headers"])
        endpoint.headers = headers.rows
        if !headers.removed.isEmpty { endpoint.removedHeaders = headers.removed }
        endpoint.auth = auth(fields["auth"], otherwise: .inherit)
        endpoint.body = body(fields["body"], style: style)
        for key in EndpointKey.all where key.name != "parameters" { read(key, from: fields[key.name], into: &endpoint) }
        if fields["method"] == nil { endpoint.method = endpoint.defaultMethod }
        if let rules = style?.rules, !rules.isEmpty {
            check(endpoint.query, by: rules, in: fields["query"])
            if case .form(let rows) = endpoint.body { check(rows, by: rules, in: fields["body"]?["form"]) }
        }
        if endpoint.requiresTLS == true, HTTPURL.isAbsolute(endpoint.path), isWithoutTLS(endpoint.path, by: ports), let node = fields["path"] {
            reportInvalid(node, "TLS is required by https:, and this URL does not use it; write an https URL")
        }
        endpoint.timeouts = timeouts(fields["timeout"], base: endpoint.inherits == false ? Timeouts() : base)
        if let place = fields["cache"], endpoint.cache != nil, ![.get, .head, .post].contains(endpoint.method) {
            reportInvalid(place, "responses to \(endpoint.method) are not cached; use cache with GET, HEAD and POST", severity: .warning)
        }
        if endpoint.kind == .grpc, fields["grpc"] == nil, fields["extends"] == nil, let place = fields["kind"] {
            reportInvalid(place, "the endpoint names no method; write grpc: {method: package.Service/Method}")
        }
        for pair in pairs(fields[EndpointForm.unreadableKey], of: EndpointForm.unreadableKey) {
            if let section = EndpointSection(rawValue: pair.name) { endpoint.unreadableSections[section] = text(pair.value, pair.name) }
        }
        return isStored || method != nil && path != nil ? endpoint : nil
    }

    /// Reads a key whose value depends on no other key; nil has the meaning of a missing key.
    mutating func read(_ key: EndpointKey, from node: YAMLNode?, into endpoint: inout Endpoint) {
        switch key.name {
        case "description": endpoint.summary = text(node, key.name)
        case "tags": endpoint.tags = tags(node)
        case "extends": endpoint.extends = extends(node)
        case "variables": endpoint.variables = variables(node, of: key.name)
        case "grpc": endpoint.grpc = grpc(node)
        case "messages": endpoint.messages = messages(node)
        case "download": endpoint.download = download(node)
        case "cache": endpoint.cache = cache(node)
        case "retry": endpoint.retry = retry(node)
        case "excludeNetworks": endpoint.excludedNetworks = excludedNetworks(node)
        case "page": endpoint.paging = paging(node)
        case "expect": endpoint.expectation = expectation(node)
        case "examples": endpoint.examples = examples(node)
        case "capture": endpoint.captures = captures(node)
        case "parameters": endpoint.parameters = parameterStyle(node)
        case "answer": readAnswer(node, into: &endpoint)
        case "reform": endpoint.reform = reform(node)
        case "plugins": endpoint.pluginUse = pluginUse(node)
        case "hooks": endpoint.hooks = hooks(node)
        default: if let text = scalar(node, key.name, key.notation) { key.set(text, &endpoint) }
        }
    }

    /// The canonical text of a scalar; nil for none, or for an invalid one, which is reported.
    mutating func scalar(_ node: YAMLNode?, _ what: String, _ notation: ScalarNotation) -> String? {
        switch notation {
        case .flag: bool(node, what).map { $0 ? "true" : "false" }
        case .words(let words, _): word(node, what, of: words)
        case .number(let range, _): integer(node, what, in: range).map { String($0) }
        case .rate: rate(node, what).map { String($0) }
        case .interface: interface(node, what)
        case .other: nil
        }
    }

    /// The tags of an endpoint or a service; a tag that is not one word is reported.
    mutating func tags(_ node: YAMLNode?) -> [String] {
        list(node, "tags").compactMap { node, tag in
            guard !isStored, let problem = Endpoint.tagProblem(tag) else { return tag }
            report(node, problem)
            return nil
        }
    }

    /// Reads `extends:`; whether there is such an endpoint is checked after all files have been read.
    mutating func extends(_ node: YAMLNode?) -> String? {
        guard let node, let target = name(node, "extends") else { return nil }
        if !isStored { targets.append((target, node)) }
        return target
    }

    /// The keys of a ``StoredEndpoint``, which also has the texts of sections that cannot be read.
    private static let storedKeys = WorkspaceKeys(
        "stored endpoint", "State files and the history.",
        WorkspaceKeys.endpoint.keys + [.init(EndpointForm.unreadableKey, "sections to texts", "texts that cannot be read")])

    private mutating func method(_ node: YAMLNode?) -> HTTPMethod? {
        guard let node else { return .get }
        guard let text = text(node, "method") else { return nil }
        guard let method = HTTPMethod(text) else {
            report(node, "“\(text.shortened)” is not a method; write one word such as GET or POST")
            return nil
        }
        return method
    }

    /// Reads `path:`; without it, the URL is that of the server, to which `grpc:` adds the method.
    ///
    /// - Parameter isOptional: Whether the path may be missing. It may not in a file with an unknown key, which may be a misspelled `path:`.
    private mutating func path(_ node: YAMLNode?, of root: YAMLNode, isOptional: Bool) -> String? {
        guard let node else {
            if isOptional || isStored { return "" }
            report(root, "the endpoint has no path, and a key that is unknown; write path: /…, or correct the key")
            return nil
        }
        guard let path = template(node, "path") else { return nil }
        if !isStored, HTTPURL.isAbsolute(path) || HTTPURL.schemeWithOtherSlashes(path) != nil, Template(path).isPlain, let problem = urlProblem(path)
        {
            report(node, problem)
            return nil
        }
        return path
    }

    /// The reason why a text without templates is not a URL; nil when it is valid.
    func urlProblem(_ text: String) -> String? {
        do {
            _ = try HTTPURL.schemeWithOtherSlashes(text) == nil ? HTTPURL(parsing: text) : HTTPURL.joining(base: nil, path: text)
            return nil
        } catch {
            return error.description
        }
    }

    /// Whether an absolute URL is without TLS, and a table of ports does not move it to TLS; the port of a template may be in the table.
    func isWithoutTLS(_ text: String, by ports: [UInt16: UInt16]) -> Bool {
        guard text.lowercased().hasPrefix("http:") else { return false }
        guard !ports.isEmpty else { return true }
        guard Template(text).isPlain else { return false }
        return HTTPURL(ifValid: text)?.movedToTLS(by: ports) == nil
    }

    mutating func retry(_ node: YAMLNode?) -> RetryPolicy? {
        guard let node, !node.isNull else { return nil }
        if node.text != nil { return integer(node, "retry", in: RetryPolicy.limits).map { RetryPolicy(limit: $0) } }
        let fields = fields(node, of: "retry", known: .retry)
        guard node.entries != nil else { return nil }
        return RetryPolicy(
            limit: integer(fields["limit"], "limit", in: RetryPolicy.limits) ?? 0,
            parksWhenOffline: bool(fields["parkWhenOffline"], "parkWhenOffline") ?? false,
            repeatsAnyMethod: bool(fields["anyMethod"], "anyMethod") ?? false)
    }

    /// Reads `cache:`, a duration or a mapping.
    mutating func cache(_ node: YAMLNode?) -> CacheSetting? {
        guard let node, !node.isNull else { return nil }
        if node.text != nil { return duration(node, "cache").map { CacheSetting(lifetime: $0) } }
        let fields = fields(node, of: "cache", known: .cache)
        guard node.entries != nil else { return nil }
        var cache = CacheSetting()
        if let lifetime = duration(fields["for"], "for") { cache.lifetime = lifetime }
        cache.isOnDisk = scalar(fields["on"], "on", CacheSetting.place.notation) == "disk"
        cache.policy = word(fields["policy"], "policy") ?? .use
        cache.tag = template(fields["tag"], "tag")
        return cache
    }

    mutating func download(_ node: YAMLNode?) -> DownloadSettings? {
        guard let node, !node.isNull else { return nil }
        let fields = fields(node, of: "download", known: .download)
        guard node.entries != nil else { return nil }
        var settings = DownloadSettings(
            to: destination(fields["to"]), connections: integer(fields["connections"], "connections", in: 1...Download.mostConnections))
        settings.rateLimit = rate(fields["limitRate"], "limitRate")
        if let digest = fields["sha256"], let text = text(digest, "sha256") {
            settings.digest = FileDigest(hexadecimal: text)
            if settings.digest == nil { report(digest, "sha256 must be 64 hexadecimal digits, not “\(text.shortened)”") }
        }
        settings.collision = word(fields["onExists"], "onExists")
        return settings
    }

    private mutating func rate(_ node: YAMLNode?, _ key: String) -> Int64? {
        guard let node, let text = text(node, key) else { return nil }
        if let rate = RateText.rate(text) { return rate }
        report(node, "\(key) must be a number of bytes a second such as 2MB, not “\(text.shortened)”")
        return nil
    }

    /// The destination of a download: a template that is not empty.
    private mutating func destination(_ node: YAMLNode?) -> String? {
        guard let node, let text = text(node, "to") else { return nil }
        // The values of the response are not names that a file defines.
        note(ResponseFileName.withoutReferences(text), at: node)
        guard isStored || !text.isEmpty else {
            report(node, "to must not be empty; write a file, or a folder with / at its end")
            return nil
        }
        if !isStored, let problem = ResponseFileName.problem(in: text) { report(node, "to: \(problem)") }
        return text
    }

    private mutating func interface(_ node: YAMLNode?, _ what: String) -> String? {
        guard let node, let name = name(node, what) else { return nil }
        guard isStored || Endpoint.isInterface(name) else {
            report(node, "“\(name.shortened)” is neither a network interface nor an address; write one such as eth0 or 192.0.2.7")
            return nil
        }
        return name
    }

    private mutating func excludedNetworks(_ node: YAMLNode?) -> [ExcludedNetwork] {
        list(node, "excludeNetworks").compactMap { node, text in
            guard isStored || Endpoint.isInterface(text) && IPAddress(text) == nil else {
                report(node, "“\(text.shortened)” is not a network; write cellular, metered, or the name of an interface such as wlan0")
                return nil
            }
            return ExcludedNetwork(text: text)
        }
    }

    mutating func paging(_ node: YAMLNode?) -> Paging? {
        guard let node, !node.isNull else { return nil }
        let fields = fields(node, of: "page", known: .page)
        guard node.entries != nil else { return nil }
        var paging = Paging()
        paging.number = name(fields["number"], "number")
        paging.size = name(fields["size"], "size")
        paging.cursor = name(fields["cursor"], "cursor")
        paging.next = jsonPath(fields["next"], "next")
        paging.items = jsonPath(fields["items"], "items")
        paging.total = jsonPath(fields["total"], "total")
        return paging
    }
}

/// Reads the expectations for a response, the values that are captured from it, and its paging.
extension NodeReader {
    /// Reads `answer` of an endpoint after `expect`, of which it is a part.
    private mutating func readAnswer(_ node: YAMLNode?, into endpoint: inout Endpoint) {
        guard let node, let answer = answer(node) else { return }
        guard endpoint.acceptance == nil else {
            return report(node, "expect and answer both have conditions of acceptance; move those of answer to expect, with status as accept")
        }
        endpoint.acceptance = answer
    }

    /// Reads `expect` of an endpoint or a step.
    mutating func expectation(_ node: YAMLNode?) -> Expectation? {
        guard let node, !node.isNull else { return nil }
        if let text = node.text, StatusRange.parse(text) != nil {
            report(node, "expect must be a mapping; write expect: {status: \(text)}")
            return nil
        }
        let fields = fields(node, of: "expect", known: .expect)
        guard node.entries != nil else { return nil }
        var expectation = Expectation(
            json: conditions(fields["json"], of: "json", byPath: true),
            headers: conditions(fields["headers"], of: "headers", byPath: false), under: duration(fields["under"], "under"))
        expectation.statuses = expectedStatuses(fields["status"])
        expectation.body = bodyConditions(fields["body"])
        expectation.size = size(fields["size"])
        expectation.schema = schema(fields["schema"])
        expectation.snapshot = snapshot(fields["snapshot"])
        acceptance(fields, status: "accept", into: &expectation)
        return expectation
    }

    /// Reads the condition on the size of the body.
    private mutating func size(_ node: YAMLNode?) -> SizeCondition? {
        guard let node, let text = name(node, "size") else { return nil }
        let condition = SizeCondition(text)
        if condition == nil { reportInvalid(node, "“\(text.shortened)” is not a condition on a size; \(SizeCondition.form)") }
        return condition
    }

    /// Reads the JSON Schema of the body: the path of its file, or the schema itself.
    private mutating func schema(_ node: YAMLNode?) -> SchemaSource? {
        guard let node else { return nil }
        if node.entries == nil, !isJSONDocument(node) {
            guard let path = name(node, "schema") else { return nil }
            return .file(expandingHome(path))
        }
        guard let text = jsonDocument(node) else { return nil }
        do { _ = try JSONSchema(parsing: text) } catch { reportInvalid(node, "this is not a JSON Schema: \(error)") }
        return .inline(text)
    }

    /// Reads whether the body is compared with a recorded one, and the paths that are not.
    private mutating func snapshot(_ node: YAMLNode?) -> SnapshotExpectation? {
        guard let node, !node.isNull else { return nil }
        guard node.entries != nil else { return bool(node, "snapshot") == true ? SnapshotExpectation() : nil }
        let fields = fields(node, of: "snapshot", known: .snapshot)
        var paths: [String] = []
        for item in list(fields["ignore"], "ignore") {
            if let path = jsonPath(item.node, "ignore") { paths.append(path) }
        }
        return SnapshotExpectation(ignoring: paths)
    }

    /// Reads `capture` of an endpoint or a step.
    mutating func captures(_ node: YAMLNode?) -> [Capture] {
        if isStored, let node, node.items != nil { return rows(node, of: "capture").map { Capture(name: $0.name, path: $0.value) } }
        return pairs(node, of: "capture").compactMap { pair -> Capture? in
            guard let text = name(pair.value, "the place of “\(pair.name.shortened)”") else { return nil }
            let capture = Capture(name: pair.name, path: text)
            do { _ = try capture.source() } catch { reportInvalid(pair.value, "\(error)") }
            return capture
        }
    }

    /// Reads `reform:`: the names of the values, and their JSON paths.
    mutating func reform(_ node: YAMLNode?) -> [Parameter] {
        if isStored, let node, node.items != nil { return rows(node, of: "reform") }
        return pairs(node, of: "reform").compactMap { pair in
            jsonPath(pair.value, "the path of “\(pair.name.shortened)”").map { Parameter(pair.name, $0) }
        }
    }

    /// Reads `messages:`: names with a text or a value of JSON each.
    mutating func messages(_ node: YAMLNode?) -> [Parameter] {
        if let node, node.items != nil { return rows(node, of: "messages") }
        return pairs(node, of: "messages").compactMap { pair in
            let isValue = pair.value.items != nil || pair.value.entries != nil
            let text = isValue ? jsonText(pair.value) : template(pair.value, "the message “\(pair.name.shortened)”")
            return text.map { Parameter(pair.name, $0) }
        }
    }

    /// Reads a valid JSON path.
    mutating func jsonPath(_ node: YAMLNode?, _ what: String) -> String? {
        guard let node, let text = name(node, what) else { return nil }
        do { _ = try JSONPath(text) } catch { reportInvalid(node, error.description) }
        return text
    }

    mutating func conditions(_ node: YAMLNode?, of what: String, byPath: Bool) -> [Parameter] {
        if isStored, let node, node.items != nil { return self.rows(node, of: what) }
        var rows: [Parameter] = []
        for pair in pairs(node, of: what) {
            if byPath {
                do { _ = try NestedJSONPath(pair.name) } catch { reportInvalid(pair.key, error.description) }
            }
            rows += conditions(pair.value, name: pair.name).map { Parameter(pair.name, $0) }
        }
        return rows
    }

    /// Reads the conditions on the text of the body; several ones of the same kind are a list.
    private mutating func bodyConditions(_ node: YAMLNode?) -> [Parameter] {
        guard let node, !node.isNull else { return [] }
        if isStored, node.items != nil { return rows(node, of: "body") }
        return (node.items ?? [node]).flatMap { conditions($0, name: Expectation.bodyName) }.map { Parameter(Expectation.bodyName, $0) }
    }

    /// The conditions on one value: a text, a list that it must equal, or a mapping of tests.
    private mutating func conditions(_ node: YAMLNode, name: String) -> [String] {
        if node.text != nil {
            guard let text = template(node, "the condition of “\(name.shortened)”") else { return [] }
            return checked(text, at: node)
        }
        guard let entries = node.entries else { return jsonText(node).map { ["= " + $0] } ?? [] }
        return entries.flatMap { entry -> [String] in
            guard let key = entry.key.text.flatMap(Condition.Key.init(rawValue:)) else {
                let known = Condition.Key.allCases.map(\.rawValue)
                let hint = entry.key.text.flatMap { Suggestion.nearest(to: $0, in: known) }.map { "did you mean \($0)?" }
                report(entry.key, "this is not a condition; " + (hint ?? "there are \(known.sorted().joined(separator: ", "))"))
                return []
            }
            if key == .exists { return bool(entry.value, key.rawValue).map { [$0 ? "exists" : "missing"] } ?? [] }
            if entry.value.text == nil, key == .equals || key == .not { return jsonText(entry.value).map { ["\(key.word) \($0)"] } ?? [] }
            return operand(of: key, entry.value, isTemplate: true).map { checked("\(key.word) \($0)", at: entry.value) } ?? []
        }
    }

    /// The operand of a test in a mapping, which `oneOf` has as a list; nil for another value, which is reported.
    mutating func operand(of key: Condition.Key, _ node: YAMLNode, isTemplate: Bool) -> String? {
        switch key {
        case .oneOf:
            let items = list(node, key.rawValue)
            if isTemplate { for item in items { note(item.text, at: item.node) } }
            return Condition(.oneOf(items.map(\.text))).entry.operand
        case .shortest, .longest: return integer(node, key.rawValue, in: 1...1_000_000).map { String($0) }
        default: return isTemplate ? template(node, key.rawValue) : text(node, key.rawValue)
        }
    }

    private mutating func checked(_ condition: String, at node: YAMLNode) -> [String] {
        do { _ = try Condition(condition) } catch { reportInvalid(node, error.message) }
        return [condition]
    }
}
