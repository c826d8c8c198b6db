internal import SortieBase
internal import WorkspaceModel

/// Reads the expectations for a response, the values that are captured from it, and its paging.
extension NodeReader {
    /// Reads `expect` of an endpoint or a step.
    mutating func expectation(_ node: YAMLNode?) -> Expectation? {
        guard let node, !node.isNull else { return nil }
        let fields = fields(node, of: "expect", known: .expect)
        guard node.entries != nil else { return nil }
        let statuses = expectedStatuses(fields["status"])
        var expectation = Expectation(
            json: conditions(fields["json"], of: "json", byPath: true),
            headers: conditions(fields["headers"], of: "headers", byPath: false), under: duration(fields["under"], "under"))
        if let statuses { expectation.expect(statuses) }
        expectation.size = size(fields["size"])
        expectation.schema = schema(fields["schema"])
        expectation.snapshot = snapshot(fields["snapshot"])
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
                do { _ = try JSONPath(pair.name) } catch { reportInvalid(pair.key, error.description) }
            }
            rows += conditions(pair.value, name: pair.name).map { Parameter(pair.name, $0) }
        }
        return rows
    }

    /// The conditions on one value: a text, a list that it must equal, or a mapping of tests.
    private mutating func conditions(_ node: YAMLNode, name: String) -> [String] {
        if node.text != nil {
            guard let text = template(node, "the condition of “\(name.shortened)”") else { return [] }
            return checked(text, at: node)
        }
        guard let entries = node.entries else { return jsonText(node).map { ["= " + $0] } ?? [] }
        var conditions: [String] = []
        for entry in entries {
            guard let key = entry.key.text, let test = Self.tests[key] else {
                let known = Self.tests.keys.sorted()
                let hint = entry.key.text.flatMap { Suggestion.nearest(to: $0, in: known) }.map { "did you mean \($0)?" }
                report(entry.key, "this is not a condition; " + (hint ?? "there are \(known.joined(separator: ", "))"))
                continue
            }
            if key == "exists" {
                if let exists = bool(entry.value, "exists") { conditions.append(exists ? "exists" : "missing") }
            } else if entry.value.text == nil, key == "equals" || key == "not" {
                if let json = jsonText(entry.value) { conditions.append("\(test) \(json)") }
            } else if let text = template(entry.value, key) {
                conditions += checked("\(test) \(text)", at: entry.value)
            }
        }
        return conditions
    }

    /// The keys of a mapping of tests and their notation in ``Condition``.
    static let tests = [
        "equals": "=", "not": "!=", "lessThan": "<", "atMost": "<=", "greaterThan": ">", "atLeast": ">=", "matches": "matches", "type": "type",
        "exists": "exists",
    ]

    private mutating func checked(_ condition: String, at node: YAMLNode) -> [String] {
        do { _ = try Condition(condition) } catch { reportInvalid(node, error.message) }
        return [condition]
    }
}
