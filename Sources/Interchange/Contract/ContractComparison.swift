package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// A change between two versions of a description.
package struct ContractChange: Hashable, Sendable {
    /// The method and the path.
    package var operation: String
    /// The changed part, such as `query limit` or `response 200 $.items[*].id`; empty for the operation.
    package var part: String
    /// What changed.
    package var message: String
    /// Whether a client of the old version can fail with the new one.
    package var isBreaking: Bool
    /// The place in the new version, or in the old one of what was removed.
    package var place: SourceLocation
}

/// The comparison of two versions of a description, from the view of a client of the old one.
///
/// A request may only become less restricted: a value that was permitted stays permitted. A response may only become more restricted: it has no
/// values that the old version excludes.
package struct ContractComparison {
    /// The changes in the order of the new version, then what was removed.
    package private(set) var changes: [ContractChange] = []
    private let old: ContractParts
    private let new: ContractParts
    private var operation = ""
    private var visited: Set<[OpenAPIValue.Identity]> = []
    /// The pairs of schemas without a change in them and in what they refer to, which many operations share.
    private var unchanged: [ContractDirection: Set<[OpenAPIValue.Identity]>] = [:]
    /// The most pairs of schemas that are compared for one value.
    private static let mostPairs = 5000

    /// Compares two versions.
    ///
    /// - Throws: A diagnostic for a document that is no description.
    package init(from old: ImportSource, to new: ImportSource) throws(Diagnostic) {
        (self.old, self.new) = (try ContractParts(old), try ContractParts(new))
        func key(_ operation: ContractOperation) -> String { "\(operation.method) \(operation.template.text)" }
        let before = Dictionary(self.old.operations().map { (key($0), $0) }) { first, _ in first }
        var present: Set<String> = []
        for after in self.new.operations() {
            present.insert(key(after))
            operation = after.name
            guard let before = before[key(after)] else {
                add("", "the operation was added", breaks: false, after.value)
                continue
            }
            compare(before, after)
        }
        for removed in before.values.filter({ !present.contains(key($0)) }).sorted(by: { $0.index < $1.index }) {
            operation = removed.name
            add("", "the operation was removed", breaks: true, removed.value)
        }
    }

    private mutating func add(_ part: String, _ message: String, breaks: Bool, _ value: OpenAPIValue) {
        add(part, message, breaks: breaks, at: value.place)
    }

    private mutating func add(_ part: String, _ message: String, breaks: Bool, at place: SourceLocation) {
        changes.append(ContractChange(operation: operation, part: part, message: message, isBreaking: breaks, place: place))
    }

    // MARK: Operations

    private mutating func compare(_ before: ContractOperation, _ after: ContractOperation) {
        let (old, new) = (old.details(of: before), new.details(of: after))
        // A variable of the path may have another name.
        func key(_ parameter: ContractParameter, _ operation: ContractOperation) -> String {
            guard parameter.location == "path" else { return parameter.subject.lowercased() }
            let index = operation.template.segments.firstIndex { segment in
                if case .variable(parameter.name?, _, _) = segment { return true }
                return false
            }
            return "path \(index ?? -1)"
        }
        let known = Dictionary(old.parameters.map { (key($0, before), $0) }) { first, _ in first }
        var present: Set<String> = []
        for parameter in new.parameters {
            let name = key(parameter, after)
            present.insert(name)
            guard let earlier = known[name] else {
                let isRequired = parameter.isRequired
                add(parameter.subject, "the \(isRequired ? "required" : "optional") parameter was added", breaks: isRequired, at: parameter.place)
                continue
            }
            if earlier.isRequired != parameter.isRequired {
                add(
                    parameter.subject, parameter.isRequired ? "it became required" : "it became optional", breaks: parameter.isRequired,
                    at: parameter.place)
            }
            compare(earlier.schema, parameter.schema, parameter.subject, .request)
        }
        for parameter in old.parameters where !present.contains(key(parameter, before)) {
            add(parameter.subject, "the parameter was removed", breaks: true, at: parameter.place)
        }
        compareBodies(old, new, after.value)
        compareResponses(old, new)
    }

    private mutating func compareBodies(_ old: ContractDetails, _ new: ContractDetails, _ value: OpenAPIValue) {
        if new.requiresBody == true, old.requiresBody != true { add("request body", "it became required", breaks: true, value) }
        if new.requiresBody != true, old.requiresBody == true { add("request body", "it became optional", breaks: false, value) }
        compareMedia(old.body, new.body, "request body", .request, value.place)
    }

    private mutating func compareResponses(_ old: ContractDetails, _ new: ContractDetails) {
        let known = Dictionary(old.responses.map { ($0.key.lowercased(), $0) }) { first, _ in first }
        for response in new.responses {
            let part = "response \(response.key)"
            guard let earlier = known[response.key.lowercased()] else {
                add(part, "the response was added", breaks: false, at: response.place)
                continue
            }
            compareMedia(earlier.media, response.media, part, .response, response.place)
            for header in earlier.headers where header.isRequired {
                guard let present = response.headers.first(where: { $0.name.lowercased() == header.name.lowercased() }), present.isRequired else {
                    add("\(part) header \(header.name)", "it is no longer always sent", breaks: true, at: header.place)
                    continue
                }
            }
        }
        let present = Set(new.responses.map { $0.key.lowercased() })
        for response in old.responses where !present.contains(response.key.lowercased()) {
            let isSuccess = response.statuses.map { (200...299).contains($0.lowerBound) } ?? false
            add("response \(response.key)", "the response was removed", breaks: isSuccess, at: response.place)
        }
    }

    private mutating func compareMedia(
        _ old: [ContractMedia], _ new: [ContractMedia], _ part: String, _ direction: ContractDirection, _ place: SourceLocation
    ) {
        for media in new {
            guard let earlier = old.first(where: { $0.type == media.type }) else {
                // A client reads the types that it knows.
                if !old.isEmpty { add(part, "the media type \(media.type) was added", breaks: false, at: place) }
                continue
            }
            if let before = earlier.schema, let after = media.schema { compare(before, after, part, direction) }
        }
        for media in old where !new.contains(where: { $0.type == media.type }) {
            add(part, "the media type \(media.type) was removed", breaks: true, at: place)
        }
    }

    // MARK: Schemas

    private mutating func compare(_ before: Int, _ after: Int, _ part: String, _ direction: ContractDirection) {
        visited = []
        let count = changes.count
        compare(old.value(before), new.value(after), "\(part) $", direction)
        if changes.count == count, visited.count < Self.mostPairs { unchanged[direction, default: []].formUnion(visited) }
    }

    private mutating func compare(_ before: OpenAPIValue, _ after: OpenAPIValue, _ part: String, _ direction: ContractDirection) {
        let pair = [OpenAPIValue.Identity(before), OpenAPIValue.Identity(after)]
        guard unchanged[direction]?.contains(pair) != true, visited.insert(pair).inserted, visited.count < Self.mostPairs else { return }
        let (left, right) = (OpenAPISchema(before, old.reader), OpenAPISchema(after, new.reader))
        /// A change after which fewer values, or more, are valid.
        func narrowed(_ message: String) { add(part, message, breaks: direction == .request, after) }
        func widened(_ message: String) { add(part, message, breaks: direction == .response, after) }
        Self.compareSets(Self.types(left), Self.types(right), "type", narrowed, widened)
        Self.compareSets(Self.values(left), Self.values(right), "value", narrowed, widened)
        Self.compareSets(Self.alternatives(left), Self.alternatives(right), "alternative", narrowed, widened)
        for (keyword, isLower) in [
            ("minimum", true), ("exclusiveMinimum", true), ("minLength", true), ("minItems", true), ("minProperties", true), ("maximum", false),
            ("exclusiveMaximum", false), ("maxLength", false), ("maxItems", false), ("maxProperties", false),
        ] {
            let (old, new) = (Self.number(left[keyword]), Self.number(right[keyword]))
            guard old != new else { continue }
            let message = "\(keyword) changed from \(left[keyword]?.text ?? "none") to \(right[keyword]?.text ?? "none")"
            switch (old, new) {
            case (nil, _): narrowed(message)
            case (_, nil): widened(message)
            case (let old?, let new?): if (new > old) == isLower { narrowed(message) } else { widened(message) }
            }
        }
        for keyword in ["pattern", "format", "multipleOf"] {
            let (old, new) = (left[keyword]?.text, right[keyword]?.text)
            guard old != new else { continue }
            let message = "\(keyword) changed from \(old ?? "none") to \(new ?? "none")"
            if old == nil { narrowed(message) } else if new == nil { widened(message) } else { add(part, message, breaks: true, after) }
        }
        let (wasClosed, isClosed) = (left["additionalProperties"]?.bool == false, right["additionalProperties"]?.bool == false)
        if isClosed, !wasClosed { narrowed("other members are no longer permitted") }
        if wasClosed, !isClosed { widened("other members are permitted") }
        compareProperties(left, right, part, direction, isClosed: isClosed)
        if let old = left["items"], let new = right["items"] { compare(old, new, part + "[*]", direction) }
    }

    private mutating func compareProperties(
        _ left: OpenAPISchema, _ right: OpenAPISchema, _ part: String, _ direction: ContractDirection, isClosed: Bool
    ) {
        func properties(_ schema: OpenAPISchema) -> [OpenAPISchema.Property] {
            schema.properties.filter { OpenAPISchema($0.schema, schema.reader)[direction.hidingKeyword]?.bool != true }
        }
        let known = Dictionary(properties(left).map { ($0.name, $0) }) { first, _ in first }
        var present: Set<String> = []
        for property in properties(right) {
            present.insert(property.name)
            let place = "\(part).\(property.name)"
            guard let earlier = known[property.name] else {
                let breaks = property.isRequired && direction == .request
                add(place, "the \(property.isRequired ? "required" : "optional") member was added", breaks: breaks, property.schema)
                continue
            }
            if earlier.isRequired != property.isRequired {
                let breaks = property.isRequired == (direction == .request)
                add(place, property.isRequired ? "it became required" : "it became optional", breaks: breaks, property.schema)
            }
            compare(earlier.schema, property.schema, place, direction)
        }
        for property in properties(left) where !present.contains(property.name) {
            add("\(part).\(property.name)", "the member was removed", breaks: direction == .response || isClosed, property.schema)
        }
    }

    private static func compareSets(
        _ old: Set<String>?, _ new: Set<String>?, _ name: String, _ narrowed: (String) -> Void, _ widened: (String) -> Void
    ) {
        func list(_ items: Set<String>) -> String { items.sorted().prefix(10).joined(separator: ", ") }
        switch (old, new) {
        case (nil, nil): return
        case (nil, let new?): narrowed("only these \(name)s are permitted: \(list(new))")
        case (_?, nil): widened("any \(name) is permitted")
        case (let old?, let new?):
            let (removed, added) = (old.subtracting(new), new.subtracting(old))
            func words(_ items: Set<String>) -> String { items.count == 1 ? "the \(name) \(list(items)) was" : "the \(name)s \(list(items)) were" }
            if !removed.isEmpty { narrowed("\(words(removed)) removed") }
            if !added.isEmpty { widened("\(words(added)) added") }
        }
    }

    private static func types(_ schema: OpenAPISchema) -> Set<String>? {
        guard let declared = schema["type"]?.texts, !declared.isEmpty else { return nil }
        let isNullable = (schema["nullable"] ?? schema["x-nullable"])?.bool == true
        let types = Set(declared + (isNullable ? ["null"] : []))
        return types.contains("number") ? types.union(["integer"]) : types
    }

    private static func values(_ schema: OpenAPISchema) -> Set<String>? {
        schema["enum"]?.node.items.map { Set($0.map(\.json.compactText)) } ?? schema["const"].map { [$0.node.json.compactText] }
    }

    private static func alternatives(_ schema: OpenAPISchema) -> Set<String>? {
        let all = schema.alternatives
        guard !all.isEmpty else { return nil }
        return Set(all.map { $0["$ref"]?.string ?? $0.node.json.compactText })
    }

    private static func number(_ value: OpenAPIValue?) -> Double? { value?.text.flatMap { Double($0) } }
}
