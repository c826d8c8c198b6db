/// Reads the schemas of a document and resolves their references.
struct JSONSchemaReader {
    /// A reference that is resolved when all schemas are known.
    private struct Reference {
        let node: Int
        let rule: Int
        let text: String
        /// The pointer of the schema with the `$id` that the reference is relative to.
        let resource: String
        let pointer: String
        let isDynamic: Bool
    }

    /// The greatest depth of schemas within each other.
    private static let depthLimit = 100
    /// The largest number of schemas in a document.
    private static let nodeLimit = 50_000

    private let document: JSONValue
    /// Whether the document is a part of a larger one, see ``JSONSchema/init(part:)``.
    let isPart: Bool
    /// The `$comment` of each schema of a part.
    private(set) var comments: [String?] = []
    private var nodes: [SchemaNode] = []
    private var indexes: [String: Int] = [:]
    private var references: [Reference] = []
    /// The schemas by resource and name.
    private var anchors: [String: [String: Int]] = [:]
    /// The schemas of `$dynamicAnchor` by resource and name.
    private var dynamicAnchors: [String: [String: Int]] = [:]
    /// The resource of each schema.
    private var resourceOfNode: [String] = []
    /// The pointers of schemas with an `$id`, by its text without the fragment.
    private var resources: [String: String] = [:]
    private var identifiers: [String: String] = [:]
    private var depth = 0
    /// Whether keywords beside `$ref` are ignored, as in draft-07 (8.3).
    private var ignoresSiblings = false

    init(_ document: JSONValue, isPart: Bool) {
        (self.document, self.isPart) = (document, isPart)
    }

    /// The rules of all schemas; the first one is the root.
    mutating func read() throws(JSONSchemaError) -> [SchemaNode] {
        if let dialect = document["$schema"] { try check(dialect) }
        _ = try schema(document, at: "", in: "")
        // Resolving a reference to another part of the document may add references.
        var (next, entries): (Int, Set<Int>) = (0, [0])
        while next < references.count {
            let reference = references[next]
            let target = try target(of: reference)
            entries.insert(target)
            let name = String(reference.text.drop { $0 != "#" }.dropFirst())
            if reference.isDynamic, dynamicAnchors[resourceOfNode[target]]?[name] == target {
                nodes[reference.node].rules[reference.rule] = .dynamicReference(DynamicAnchor(name: name, part: nil, node: target))
            } else {
                nodes[reference.node].rules[reference.rule] = .reference(target)
            }
            next += 1
        }
        addScopes(to: entries)
        for index in nodes.indices { nodes[index].complete() }
        return nodes
    }

    /// Adds the dynamic anchors of their resources to schemas through which the evaluation enters a resource.
    private mutating func addScopes(to entries: Set<Int>) {
        let scopes = dynamicAnchors.mapValues { anchors in
            anchors.sorted { $0.key < $1.key }.map { DynamicAnchor(name: $0.key, part: nil, node: $0.value) }
        }
        guard !scopes.isEmpty else { return }
        for index in entries.union(resources.values.compactMap { indexes[$0] }) {
            if let scope = scopes[resourceOfNode[index]] { nodes[index].rules.insert(.scope(scope), at: 0) }
        }
    }

    private mutating func check(_ dialect: JSONValue) throws(JSONSchemaError) {
        let known = ["draft/2020-12", "draft/2019-09", "draft-07", "draft-06"]
        guard case .string(let text) = dialect, let version = known.first(where: { text.contains("json-schema.org/\($0)/schema") }) else {
            throw JSONSchemaError("the draft is not supported; use https://json-schema.org/draft/2020-12/schema", at: "/$schema")
        }
        ignoresSiblings = version == "draft-07" || version == "draft-06"
    }

    // MARK: Schemas

    /// The index of the schema at a pointer, which is read where it is not known yet.
    mutating func schema(_ value: JSONValue, at pointer: String, in resource: String) throws(JSONSchemaError) -> Int {
        if let index = indexes[pointer] { return index }
        guard depth < Self.depthLimit else { throw JSONSchemaError("more than \(Self.depthLimit) schemas are within each other", at: pointer) }
        guard nodes.count < Self.nodeLimit else { throw JSONSchemaError("the document has more than \(Self.nodeLimit) schemas", at: pointer) }
        let index = nodes.count
        nodes.append(SchemaNode())
        resourceOfNode.append(resource)
        if isPart {
            if case .string(let text)? = value["$comment"] { comments.append(text) } else { comments.append(nil) }
        }
        indexes[pointer] = index
        depth += 1
        defer { depth -= 1 }
        switch value {
        case .bool(true): break
        case .bool(false): nodes[index].rules = [.forbidden(keyword: "false")]
        case .object(let members):
            let keywords = Dictionary(members.map { ($0.key, $0.value) }) { $1 }
            let resource = try identify(keywords, index, at: pointer, in: resource)
            resourceOfNode[index] = resource
            var keywordReader = SchemaKeywordReader(keywords: keywords, pointer: pointer, resource: resource)
            for keyword in ["$ref", "$dynamicRef"] {
                guard let reference = keywords[keyword] else { continue }
                references.append(
                    Reference(
                        node: index, rule: keywordReader.rules.count, text: try keywordReader.text(reference, keyword), resource: resource,
                        pointer: pointer + "/" + keyword, isDynamic: keyword == "$dynamicRef"))
                // The place of the reference, until it is resolved.
                keywordReader.rules.append(.forbidden(keyword: keyword))
            }
            if ignoresSiblings, keywords["$ref"] != nil {
                try keywordReader.readDefinitions(with: &self)
                nodes[index].rules = keywordReader.rules
                break
            }
            var seen: Set<String> = []
            for member in members where seen.insert(member.key).inserted { try keywordReader.read(member.key, with: &self) }
            try keywordReader.readUnevaluated(with: &self)
            nodes[index].rules = keywordReader.rules
        default: throw JSONSchemaError("a schema must be an object, true or false", at: pointer)
        }
        return index
    }

    /// Records the names of a schema, and returns the resource to which its references are relative.
    private mutating func identify(
        _ keywords: [String: JSONValue], _ index: Int, at pointer: String, in resource: String
    ) throws(JSONSchemaError) -> String {
        var resource = resource
        if case .string(let text)? = keywords["$id"] {
            if text.hasPrefix("#") {
                anchors[resource, default: [:]][String(text.dropFirst())] = index
            } else {
                let id = SchemaIdentifier.resolved(text, against: identifiers[resource])
                resource = pointer
                resources[id] = pointer
                identifiers[pointer] = id
            }
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            guard case .string(let name)? = keywords[keyword] else { continue }
            anchors[resource, default: [:]][name] = index
            if keyword == "$dynamicAnchor" { dynamicAnchors[resource, default: [:]][name] = index }
        }
        return resource
    }

    // MARK: References

    private mutating func target(of reference: Reference) throws(JSONSchemaError) -> Int {
        let parts = reference.text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var resource = reference.resource
        if let base = parts.first, !base.isEmpty {
            guard let known = resources[String(base)] ?? resources[SchemaIdentifier.resolved(base, against: identifiers[resource])] else {
                throw JSONSchemaError(
                    "the reference “\(reference.text)” leads out of the document, and nothing is fetched; copy that schema into $defs",
                    at: reference.pointer)
            }
            resource = known
        }
        let fragment = parts.count == 2 ? PercentEncoding.decode(parts[1], plusIsSpace: false) : ""
        if !fragment.isEmpty, !fragment.hasPrefix("/") {
            guard let index = anchors[resource]?[fragment] else {
                throw JSONSchemaError("the reference “\(reference.text)” names no $anchor of the document", at: reference.pointer)
            }
            return index
        }
        let pointer = resource + fragment
        guard let value = value(at: pointer) else {
            throw JSONSchemaError("the reference “\(reference.text)” leads to nothing in the document", at: reference.pointer)
        }
        return try schema(value, at: pointer, in: resource)
    }

    /// The value at a JSON pointer (RFC 6901) of the document.
    private func value(at pointer: String) -> JSONValue? {
        var value = document
        for part in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = JSONPointer.unescaped(part)
            switch value {
            case .object:
                guard let member = value[name] else { return nil }
                value = member
            case .array(let items):
                guard let index = Int(name), items.indices.contains(index) else { return nil }
                value = items[index]
            default: return nil
            }
        }
        return value
    }
}
