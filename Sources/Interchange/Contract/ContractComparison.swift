package import SortieBase
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
    private var schemas: ContractSchemaComparison
    /// The values whose schemas are compared: the position in ``changes``, and the number of their pair of schemas.
    private var values: [(position: Int, operation: String, part: String, pair: Int)] = []

    /// The first references of both versions that cannot be followed; what they lead to is not compared.
    package var brokenReferences: [Diagnostic] { [old, new].flatMap { $0.brokenReferences(limit: 10) } }

    /// Compares two versions.
    ///
    /// - Throws: A diagnostic for a document that is no description.
    package init(from old: ImportSource, to new: ImportSource) throws(Diagnostic) {
        (self.old, self.new) = (try ContractParts(old), try ContractParts(new))
        schemas = ContractSchemaComparison(self.old.reader, self.new.reader)
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
        addChangesOfSchemas()
    }

    /// Compares the schemas, and inserts their changes at the positions of their values.
    private mutating func addChangesOfSchemas() {
        schemas.finish()
        var result: [ContractChange] = []
        var copied = 0
        for value in values {
            result += changes[copied..<value.position]
            copied = value.position
            result += schemas.changes(of: value.pair).map { change in
                ContractChange(
                    operation: value.operation, part: "\(value.part) $\(change.path)", message: change.message, isBreaking: change.isBreaking,
                    place: change.place)
            }
        }
        changes = result + changes[copied...]
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
            if earlier.style != parameter.style || earlier.isJSON != parameter.isJSON {
                add(parameter.subject, "the style of its text changed", breaks: true, at: parameter.place)
            }
            compare(earlier.schema, parameter.schema, parameter.subject, .request)
        }
        for parameter in old.parameters where !present.contains(key(parameter, before)) {
            add(parameter.subject, "the parameter was removed", breaks: true, at: parameter.place)
        }
        if old.requiresCredentials != new.requiresCredentials {
            let isRequired = new.requiresCredentials
            add("", "credentials became \(isRequired ? "required" : "optional")", breaks: isRequired, after.value)
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
            for header in earlier.headers {
                let present = response.headers.first { $0.name.lowercased() == header.name.lowercased() }
                if header.isRequired, present?.isRequired != true {
                    add("\(part) header \(header.name)", "it is no longer always sent", breaks: true, at: header.place)
                }
                if let present { compare(header.schema, present.schema, "\(part) header \(header.name)", .response) }
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
            switch (earlier.schema, media.schema) {
            case (nil, nil): break
            case (let before?, let after?): compare(before, after, part, direction)
            case (nil, _): add(part, "only values of a schema are permitted", breaks: direction == .request, at: place)
            case (_, nil): add(part, "any value is permitted", breaks: direction == .response, at: place)
            }
        }
        for media in old where !new.contains(where: { $0.type == media.type }) {
            add(part, "the media type \(media.type) was removed", breaks: true, at: place)
        }
    }

    private mutating func compare(_ before: Int, _ after: Int, _ part: String, _ direction: ContractDirection) {
        values.append((changes.count, operation, part, schemas.number(old.value(before), new.value(after), direction)))
    }
}
