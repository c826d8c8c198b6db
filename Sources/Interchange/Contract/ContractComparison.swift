package import SortieBase
internal import WorkspaceModel

/// A change between two versions of a description.
package struct ContractChange: Hashable, Sendable {
    /// The method and the path; empty for all operations.
    package var operation: String
    /// The changed part, such as `query limit` or `response 200 $.items[*].id`; empty for the operation.
    package var part: String
    /// What changed.
    package var message: String
    /// Whether a client of the old version can fail with the new one.
    package var isBreaking: Bool
    /// The place in the new version, or in the old one of what was removed.
    package var place: SourceLocation
    /// Whether the place is in the old version.
    package var isInOld = false

    /// Operation, part and message.
    package var text: String { [operation, part, message].filter { !$0.isEmpty }.joined(separator: ": ") }
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
        // A variable of the path may have another name.
        func key(_ operation: ContractOperation) -> String {
            "\(operation.method) "
                + OpenAPIDocument.parameters(in: operation.path).reduce(operation.path) { $0.replacing("{\($1)}", with: "{}") }
        }
        let before = Dictionary(self.old.operations().map { (key($0), $0) }) { first, _ in first }
        var present: Set<String> = []
        compareServers(self.old.servers(nil), self.new.servers(nil))
        for after in self.new.operations() {
            present.insert(key(after))
            operation = after.name
            guard let before = before[key(after)] else {
                add("", "the operation was added", breaks: false, at: after.value.place)
                continue
            }
            compare(before, after)
        }
        for removed in before.values.filter({ !present.contains(key($0)) }).sorted(by: { $0.index < $1.index }) {
            operation = removed.name
            add("", "the operation was removed", breaks: true, at: removed.value.place, isInOld: true)
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
                    place: change.place, isInOld: change.isInOld)
            }
        }
        changes = result + changes[copied...]
    }

    private mutating func add(_ part: String, _ message: String, breaks: Bool, at place: SourceLocation, isInOld: Bool = false) {
        changes.append(ContractChange(operation: operation, part: part, message: message, isBreaking: breaks, place: place, isInOld: isInOld))
    }

    // MARK: Operations

    /// Compares the servers, of which a client of the old version knows those of the old version; a list without any permits other ones.
    private mutating func compareServers(_ old: [(url: String, place: SourceLocation)], _ new: [(url: String, place: SourceLocation)]) {
        guard !old.isEmpty, !new.isEmpty else { return }
        let (known, present) = (Set(old.map(\.url)), Set(new.map(\.url)))
        for server in new where !known.contains(server.url) { add("server \(server.url)", "the server was added", breaks: false, at: server.place) }
        for server in old where !present.contains(server.url) {
            add("server \(server.url)", "the server was removed", breaks: true, at: server.place, isInOld: true)
        }
    }

    private mutating func compare(_ before: ContractOperation, _ after: ContractOperation) {
        if before.servers != nil || after.servers != nil {
            compareServers(self.old.servers(before.servers), self.new.servers(after.servers))
        }
        if before.value["deprecated"]?.bool != true, after.value["deprecated"]?.bool == true {
            add("", "the operation became deprecated", breaks: false, at: after.value.place)
        }
        // The fields of a form of Swagger 2.0 are properties of a schema in later versions.
        let hasFields = self.old.version == .swagger2 && self.new.version == .swagger2
        let (old, new) = (old.details(of: before), new.details(of: after))
        func key(_ parameter: ContractParameter, _ operation: ContractOperation) -> String {
            guard parameter.location == "path" else { return parameter.subject.lowercased() }
            return "path \(OpenAPIDocument.parameters(in: operation.path).firstIndex(of: parameter.name) ?? -1)"
        }
        let (earlier, later) = (old.parameters + (hasFields ? old.fields : []), new.parameters + (hasFields ? new.fields : []))
        let known = Dictionary(earlier.map { (key($0, before), $0) }) { first, _ in first }
        var present: Set<String> = []
        for parameter in later {
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
            if !earlier.hasSameText(as: parameter) { add(parameter.subject, "the style of its text changed", breaks: true, at: parameter.place) }
            if earlier.allowsEmpty != parameter.allowsEmpty {
                let word = parameter.allowsEmpty ? "is" : "is no longer"
                add(parameter.subject, "the empty value \(word) permitted", breaks: earlier.allowsEmpty, at: parameter.place)
            }
            if earlier.value["deprecated"]?.bool != true, parameter.value["deprecated"]?.bool == true {
                add(parameter.subject, "it became deprecated", breaks: false, at: parameter.place)
            }
            compare(earlier.schema, parameter.schema, parameter.subject, .request)
        }
        for parameter in earlier where !present.contains(key(parameter, before)) {
            add(parameter.subject, "the parameter was removed", breaks: true, at: parameter.place, isInOld: true)
        }
        compareCredentials(old.credentialSets, new.credentialSets, after.value.place)
        compareBodies(old, new, after.value.place)
        compareResponses(old.responses, new.responses)
    }

    /// Compares the alternatives of credentials: a request may have more than an alternative requires.
    private mutating func compareCredentials(_ old: [Set<String>], _ new: [Set<String>], _ place: SourceLocation) {
        func words(_ names: Set<String>) -> String { names.sorted().joined(separator: " and ") }
        for names in old where !new.contains(where: { $0.isSubset(of: names) }) {
            add("", names.isEmpty ? "credentials became required" : "credentials are no longer enough: \(words(names))", breaks: true, at: place)
        }
        for names in new where !old.contains(where: { $0.isSubset(of: names) }) {
            add("", names.isEmpty ? "credentials became optional" : "credentials are enough: \(words(names))", breaks: false, at: place)
        }
    }

    private mutating func compareBodies(_ old: ContractDetails, _ new: ContractDetails, _ place: SourceLocation) {
        if new.requiresBody == true, old.requiresBody != true { add("request body", "it became required", breaks: true, at: place) }
        if new.requiresBody != true, old.requiresBody == true { add("request body", "it became optional", breaks: false, at: place) }
        compareMedia(old.body, new.body, "request body", .request, place)
    }

    private mutating func compareResponses(_ old: [ContractResponse], _ new: [ContractResponse]) {
        /// The response of the same key, else that of a range around it.
        func counterpart(of response: ContractResponse, in others: [ContractResponse]) -> ContractResponse? {
            others.first { $0.key.lowercased() == response.key.lowercased() }
                ?? others.first { other in
                    guard let own = response.statuses, let range = other.statuses else { return false }
                    return range.contains(own.lowerBound) && range.contains(own.upperBound)
                }
        }
        for response in new {
            guard let earlier = counterpart(of: response, in: old) else {
                add("response \(response.key)", "the response was added", breaks: false, at: response.place)
                continue
            }
            compare(earlier, response, response.key)
        }
        for response in old where !new.contains(where: { counterpart(of: $0, in: [response]) != nil }) {
            if let range = counterpart(of: response, in: new) {
                add("response \(response.key)", "it is one of \(range.key)", breaks: false, at: range.place)
                compare(response, range, response.key)
                continue
            }
            let isSuccess = response.statuses.map { (200...299).contains($0.lowerBound) } ?? false
            add("response \(response.key)", "the response was removed", breaks: isSuccess, at: response.place, isInOld: true)
        }
    }

    private mutating func compare(_ before: ContractResponse, _ after: ContractResponse, _ key: String) {
        let part = "response \(key)"
        compareMedia(before.media, after.media, part, .response, after.place)
        for header in before.headers {
            let subject = "\(part) header \(header.name)"
            guard let present = after.headers.first(where: { $0.name.lowercased() == header.name.lowercased() }) else {
                add(subject, "the field was removed", breaks: header.isRequired, at: header.place, isInOld: true)
                continue
            }
            if header.isRequired != present.isRequired {
                add(subject, header.isRequired ? "it is no longer always sent" : "it is always sent", breaks: header.isRequired, at: present.place)
            }
            compare(header.schema, present.schema, subject, .response)
        }
        let known = Set(before.headers.map { $0.name.lowercased() })
        for header in after.headers where !known.contains(header.name.lowercased()) {
            add("\(part) header \(header.name)", "the field was added", breaks: false, at: header.place)
        }
    }

    private mutating func compareMedia(
        _ old: [ContractMedia], _ new: [ContractMedia], _ part: String, _ direction: ContractDirection, _ place: SourceLocation
    ) {
        for media in new {
            guard let earlier = old.first(where: { $0.type == media.type }) else {
                // A client reads the types that it knows.
                add(part, "the media type \(media.type) was added", breaks: false, at: place)
                continue
            }
            compare(earlier, media, part, direction, place)
        }
        for media in old where !new.contains(where: { $0.type == media.type }) {
            // A range such as `application/*` may include the type.
            if direction == .request, let range = new.media(ofType: media.type) {
                compare(media, range, part, direction, place)
            } else {
                add(part, "the media type \(media.type) was removed", breaks: true, at: place)
            }
        }
    }

    private mutating func compare(
        _ before: ContractMedia, _ after: ContractMedia, _ part: String, _ direction: ContractDirection, _ place: SourceLocation
    ) {
        func number(_ media: ContractMedia, _ parts: ContractParts) -> Int? {
            media.schema.flatMap { ComparedSchema(parts.value($0), parts.reader).isAny ? nil : $0 }
        }
        switch (number(before, old), number(after, new)) {
        case (nil, nil): break
        case (let before?, let after?): compare(before, after, part, direction)
        case (nil, _): add(part, "only values of a schema are permitted", breaks: direction == .request, at: place)
        case (_, nil): add(part, "any value is permitted", breaks: direction == .response, at: place)
        }
    }

    private mutating func compare(_ before: Int, _ after: Int, _ part: String, _ direction: ContractDirection) {
        values.append((changes.count, operation, part, schemas.number(old.value(before), new.value(after), direction)))
    }
}
