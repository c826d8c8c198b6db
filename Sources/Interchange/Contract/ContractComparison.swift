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
/// values that the old version excludes. For webhooks and callbacks, whose requests the server sends, it is the other way round.
package struct ContractComparison {
    /// The changes in the order of the new version, then what was removed.
    package private(set) var changes: [ContractChange] = []
    private let old: ContractParts
    private let new: ContractParts
    private var operation = ""
    /// Whether the server sends the requests of the operation.
    private var isReceived = false
    private var schemas: ContractSchemaComparison
    /// The values whose schemas are compared: the position in ``changes``, and the number of their pair of schemas.
    private var values: [(position: Int, operation: String, part: String, pair: Int)] = []

    /// The first references of both versions that cannot be followed; what they lead to is not compared.
    package var problems: [Diagnostic] { [old, new].flatMap { $0.problems(limit: 10) } }

    /// Compares two versions.
    ///
    /// - Throws: A diagnostic for a document that is no description.
    package init(from old: ImportSource, to new: ImportSource) throws(Diagnostic) {
        (self.old, self.new) = (try ContractParts(old), try ContractParts(new))
        schemas = ContractSchemaComparison(self.old.reader, self.new.reader)
        compareServers(self.old.servers(nil), self.new.servers(nil))
        compare(self.old.operations(), self.new.operations(), "")
        isReceived = true
        compare(self.old.webhooks(), self.new.webhooks(), "webhook ")
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

    /// Compares the servers.
    ///
    /// A client of the old version uses those of the old version; a list without any permits other ones.
    private mutating func compareServers(_ old: [(url: String, place: SourceLocation)], _ new: [(url: String, place: SourceLocation)]) {
        guard !old.isEmpty, !new.isEmpty else { return }
        let (known, present) = (Set(old.map(\.url)), Set(new.map(\.url)))
        for server in new where !known.contains(server.url) { add("server \(server.url)", "the server was added", breaks: false, at: server.place) }
        for server in old where !present.contains(server.url) {
            add("server \(server.url)", "the server was removed", breaks: true, at: server.place, isInOld: true)
        }
    }

    /// Compares the operations of a map of paths.
    ///
    /// - Parameter prefix: What precedes their names.
    private mutating func compare(_ old: [ContractOperation], _ new: [ContractOperation], _ prefix: String) {
        let isReceived = isReceived
        /// A variable of the path may have another name; that of a callback is an expression.
        func key(_ operation: ContractOperation) -> String {
            let names = isReceived ? [] : OpenAPIDocument.parameters(in: operation.path)
            return "\(operation.method) " + names.reduce(operation.path) { $0.replacing("{\($1)}", with: "{}") }
        }
        let before = Dictionary(old.map { (key($0), $0) }) { first, _ in first }
        let present = Set(new.map(key))
        for after in new {
            operation = prefix + after.name
            guard let before = before[key(after)] else {
                add("", "the operation was added", breaks: false, at: after.value.place)
                continue
            }
            compare(before, after)
        }
        for removed in before.values.filter({ !present.contains(key($0)) }).sorted(by: { abs($0.index) < abs($1.index) }) {
            operation = prefix + removed.name
            add("", "the operation was removed", breaks: true, at: removed.value.place, isInOld: true)
        }
    }

    private mutating func compareCallbacks(_ before: ContractOperation, _ after: ContractOperation) {
        let (old, new, name) = (self.old.callbacks(of: before), self.new.callbacks(of: after), operation)
        isReceived = true
        defer { (isReceived, operation) = (false, name) }
        let names = new.map(\.name) + old.map(\.name).filter { name in !new.contains { $0.name == name } }
        for callback in names {
            func operations(_ all: [(name: String, operations: [ContractOperation])]) -> [ContractOperation] {
                all.first { $0.name == callback }?.operations ?? []
            }
            compare(operations(old), operations(new), "\(name): callback \(callback): ")
        }
    }

    private mutating func compare(_ before: ContractOperation, _ after: ContractOperation) {
        if !isReceived, before.servers != nil || after.servers != nil {
            compareServers(self.old.servers(before.servers), self.new.servers(after.servers))
        }
        if before.value["deprecated"]?.bool != true, after.value["deprecated"]?.bool == true {
            add("", "the operation became deprecated", breaks: false, at: after.value.place)
        }
        let (old, new) = (self.old.details(of: before), self.new.details(of: after))
        func key(_ parameter: ContractParameter, _ operation: ContractOperation) -> String {
            switch parameter.location {
            case "path": "path \(OpenAPIDocument.parameters(in: operation.path).firstIndex(of: parameter.name) ?? -1)"
            case "header": parameter.subject.lowercased()
            default: parameter.subject
            }
        }
        let hasForm = [old, new].contains { !$0.fields.isEmpty || !$0.files.isEmpty }
        let earlier = old.parameters + (hasForm ? Self.fields(of: old, in: self.old) : [])
        let later = new.parameters + (hasForm ? Self.fields(of: new, in: self.new) : [])
        let known = Dictionary(earlier.map { (key($0, before), $0) }) { first, _ in first }
        var present: Set<String> = []
        for parameter in later {
            let name = key(parameter, after)
            present.insert(name)
            guard let earlier = known[name] else {
                let isRequired = parameter.isRequired
                add(
                    parameter.subject, "the \(isRequired ? "required" : "optional") parameter was added", breaks: isRequired && !isReceived,
                    at: parameter.place)
                continue
            }
            if earlier.isRequired != parameter.isRequired {
                add(
                    parameter.subject, parameter.isRequired ? "it became required" : "it became optional",
                    breaks: parameter.isRequired != isReceived, at: parameter.place)
            }
            if !earlier.hasSameText(as: parameter) { add(parameter.subject, "the style of its text changed", breaks: true, at: parameter.place) }
            if earlier.allowsEmpty != parameter.allowsEmpty {
                let word = parameter.allowsEmpty ? "is" : "is no longer"
                add(parameter.subject, "the empty value \(word) permitted", breaks: earlier.allowsEmpty != isReceived, at: parameter.place)
            }
            if earlier.value["deprecated"]?.bool != true, parameter.value["deprecated"]?.bool == true {
                add(parameter.subject, "it became deprecated", breaks: false, at: parameter.place)
            }
            compare(earlier.schema, parameter.schema, parameter.subject, direction(.request))
        }
        for parameter in earlier where !present.contains(key(parameter, before)) {
            // Who receives a request can do without what it may lack.
            add(parameter.subject, "the parameter was removed", breaks: !isReceived || parameter.isRequired, at: parameter.place, isInOld: true)
        }
        if !isReceived { compareCredentials(old.credentialSets, new.credentialSets, after.value.place) }
        compareBodies(old, new, after.value.place)
        compareResponses(old.responses, new.responses)
        if !isReceived { compareCallbacks(before, after) }
    }

    /// The fields of a form, which are parameters in Swagger 2.0 and properties of a schema in later versions.
    private static func fields(of details: ContractDetails, in parts: ContractParts) -> [ContractParameter] {
        guard parts.version != .swagger2 else { return details.fields + details.files }
        let form = details.body.first { OpenAPIMedia.isForm($0.type) || OpenAPIMedia.isMultipart($0.type) }
        return form.map { parts.fields(of: $0) } ?? []
    }

    /// The direction of the values of a request or a response, from the view of the client.
    private func direction(_ usual: ContractDirection) -> ContractDirection { isReceived ? usual.opposite : usual }

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
        if new.requiresBody == true, old.requiresBody != true { add("request body", "it became required", breaks: !isReceived, at: place) }
        if new.requiresBody != true, old.requiresBody == true { add("request body", "it became optional", breaks: isReceived, at: place) }
        compareMedia(old.body, new.body, "request body", direction(.request), place)
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
            add("response \(response.key)", "the response was removed", breaks: isSuccess || isReceived, at: response.place, isInOld: true)
        }
    }

    private mutating func compare(_ before: ContractResponse, _ after: ContractResponse, _ key: String) {
        let part = "response \(key)"
        compareMedia(before.media, after.media, part, direction(.response), after.place)
        for header in before.headers {
            let subject = "\(part) header \(header.name)"
            guard let present = after.headers.first(where: { $0.name.lowercased() == header.name.lowercased() }) else {
                add(subject, "the field was removed", breaks: header.isRequired && !isReceived, at: header.place, isInOld: true)
                continue
            }
            if header.isRequired != present.isRequired {
                let message = header.isRequired ? "it is no longer always sent" : "it is always sent"
                add(subject, message, breaks: header.isRequired != isReceived, at: present.place)
            }
            compare(header.schema, present.schema, subject, direction(.response))
        }
        let known = Set(before.headers.map { $0.name.lowercased() })
        for header in after.headers where !known.contains(header.name.lowercased()) {
            add("\(part) header \(header.name)", "the field was added", breaks: header.isRequired && isReceived, at: header.place)
        }
        for link in before.links {
            let present = after.links.first { $0.name == link.name }
            guard let present else {
                add("\(part) link \(link.name)", "the link was removed", breaks: true, at: link.place, isInOld: true)
                continue
            }
            if present.text != link.text { add("\(part) link \(link.name)", "the link leads elsewhere", breaks: true, at: present.place) }
        }
        for link in after.links where !before.links.contains(where: { $0.name == link.name }) {
            add("\(part) link \(link.name)", "the link was added", breaks: false, at: link.place)
        }
    }

    private mutating func compareMedia(
        _ old: [ContractMedia], _ new: [ContractMedia], _ part: String, _ direction: ContractDirection, _ place: SourceLocation
    ) {
        if (old + new).contains(where: \.isAssumed), let before = old.first, let after = new.first {
            // What one version does not say is what the other one says.
            let common = new.compactMap { media in old.first { $0.type == media.type }.map { ($0, media) } }
            for (before, after) in common.isEmpty ? [(before, after)] : common { compare(before, after, part, direction, place) }
            return
        }
        for media in new {
            guard let earlier = old.first(where: { $0.type == media.type }) else {
                // A client of the old version does not request the type.
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
        // The fields of a form of Swagger 2.0 are compared as parameters.
        guard before.value != nil, after.value != nil else { return }
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
