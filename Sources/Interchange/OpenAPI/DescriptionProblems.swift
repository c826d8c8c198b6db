internal import SortieBase

/// Finds the references of a description that cannot be followed, and the keywords with which no value is compared, each with its place.
struct DescriptionProblems {
    /// What a value of the document is.
    private enum Kind {
        case schema
        /// An object whose members are schemas.
        case schemas
        /// An object whose members have any name.
        case map
        case other
    }

    private struct Place {
        let value: OpenAPIValue
        let kind: Kind
    }

    private let root: OpenAPIValue
    private let reader: OpenAPIReader
    private let limit: Int
    private var keywords: ContractKeyword
    private var found: [Diagnostic] = []
    private var pending: [Place]
    private var targets: Set<OpenAPIValue.Identity> = []
    private var references: Set<String> = []

    private init(_ root: OpenAPIValue, _ version: OpenAPIVersion, _ reader: OpenAPIReader, limit: Int) {
        (self.root, self.reader, self.limit, keywords) = (root, reader, limit, ContractKeyword(version))
        pending = [Place(value: root, kind: .other)]
        found += [OpenAPIVersion.laterVersion(of: root)].compactMap(\.self)
    }

    /// The problems of the document, and of the documents to which it refers, at most `limit`.
    static func all(in root: OpenAPIValue, _ version: OpenAPIVersion, _ reader: OpenAPIReader, limit: Int) -> [Diagnostic] {
        var problems = DescriptionProblems(root, version, reader, limit: limit)
        while let place = problems.pending.popLast(), problems.found.count < limit { problems.visit(place) }
        return problems.found
    }

    private mutating func visit(_ place: Place) {
        let value = place.value
        var next = value.items.map { Place(value: $0, kind: place.kind == .map ? .other : place.kind) }
        // A parameter of Swagger 2.0 has the keywords of its schema.
        let isSchema = place.kind == .schema || place.kind == .other && value["in"] != nil && !["apiKey", nil].contains(value["type"]?.text)
        for member in value.members {
            if isSchema, found.count < limit, let problem = keywords.problem(of: member.name, member.value, in: value) { found.append(problem) }
            if let kind = kind(of: member.name, in: isSchema ? .schema : place.kind) { next.append(Place(value: member.value, kind: kind)) }
        }
        pending += next.reversed()
        if isSchema { followMapping(of: value) }
        guard place.kind != .map, place.kind != .schemas, let reference = value.reference,
            references.insert(reader.key(of: reference, in: value)).inserted
        else { return }
        follow(reference, of: value, kind: place.kind)
    }

    /// What a member is; nil for data.
    private func kind(of name: String, in kind: Kind) -> Kind? {
        switch kind {
        case .schemas: return .schema
        case .map: return .other
        case .schema: return SubschemaKeyword(rawValue: name).map { $0.content == .map ? .schemas : .schema }
        case .other:
            if name == "schema" { return .schema }
            if name == "schemas" || name == "definitions" { return .schemas }
            if name.hasPrefix("x-") || OpenAPIMembers.data.contains(name) { return nil }
            // Swagger 2.0 describes the items of a header so.
            return name == "items" ? .schema : OpenAPIMembers.maps.contains(name) ? .map : .other
        }
    }

    private mutating func follow(_ reference: String, of value: OpenAPIValue, kind: Kind) {
        guard found.count < limit else { return }
        switch reader.targetOrProblem(of: reference, in: value) {
        case .success(let target):
            if leadsToItself(value) {
                found.append(Diagnostic(value.place, "the reference \(reference) leads to itself; nothing is compared with it"))
            }
            // Another document is read from the places to which references lead.
            if target.file != root.file, targets.insert(OpenAPIValue.Identity(target)).inserted { pending.append(Place(value: target, kind: kind)) }
        case .failure(let problem): found.append(Diagnostic(value.place, "the reference \(reference) cannot be followed: \(problem.message)"))
        }
    }

    /// Follows the references in the mapping of a discriminator; other texts are names.
    private mutating func followMapping(of schema: OpenAPIValue) {
        for entry in schema["discriminator"]?["mapping"]?.members ?? [] {
            guard let text = entry.value.text, text.contains(where: { "#/".contains($0) }),
                references.insert(reader.key(of: text, in: entry.value)).inserted
            else { continue }
            follow(text, of: entry.value, kind: .schema)
        }
    }

    /// Whether a chain of references has no end.
    private func leadsToItself(_ value: OpenAPIValue) -> Bool {
        var (current, seen): (OpenAPIValue, Set<OpenAPIValue.Identity>) = (value, [])
        while let reference = current["$ref"]?.string, current.node.members?.count == 1 {
            guard seen.insert(OpenAPIValue.Identity(current)).inserted else { return true }
            guard case .success(let next) = reader.targetOrProblem(of: reference, in: current) else { return false }
            current = next
        }
        return false
    }
}
