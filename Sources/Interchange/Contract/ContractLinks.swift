package import SortieBase
package import SortieHTTP
internal import WorkspaceModel

/// An operation whose requests have values of an exchange of another operation: as `links` of the description say, or as their paths show.
package struct ContractLink: Sendable {
    /// The place of a value, as runtime expressions have it (OpenAPI 3.1 §4.8.20.4).
    fileprivate enum Source: Hashable, Sendable {
        case responseBody([String])
        case responseField(String)
        case requestBody([String])
        case requestParameter(location: String, name: String)
        case constant(String)
        /// The identifier of what was created: a member of the body with this name, or `id`, else the last segment of `Location`.
        case identifier(String)

        init(_ expression: String) {
            let parts = expression.split(separator: ".", maxSplits: 2).map(String.init)
            func pointer(_ prefix: String) -> [String] {
                expression.dropFirst(prefix.count).split(separator: "/").map { JSONPointer.unescaped($0) }
            }
            if expression.hasPrefix("$response.body#") {
                self = .responseBody(pointer("$response.body#"))
            } else if expression.hasPrefix("$request.body#") {
                self = .requestBody(pointer("$request.body#"))
            } else if parts.count == 3, parts[0] == "$response", parts[1] == "header" {
                self = .responseField(parts[2])
            } else if parts.count == 3, parts[0] == "$request" {
                self = .requestParameter(location: parts[1], name: parts[2])
            } else {
                self = .constant(expression)
            }
        }
    }

    /// The operation.
    package let operation: ContractOperation
    /// The values of its parameters by name.
    fileprivate var values: [String: Source]

    /// The values of the parameters, by name.
    ///
    /// - Parameters:
    ///   - sent: The request of the other operation.
    ///   - body: The body of its response as JSON; nil for another one.
    /// - Returns: nil where a value is missing.
    package func values(sent: ContractCase, body: JSONValue?, headers: Headers) -> [String: JSONValue]? {
        var found: [String: JSONValue] = [:]
        for (name, source) in values {
            guard let value = Self.value(of: source, sent, body, headers) else { return nil }
            found[name] = value
        }
        return found
    }

    private static func value(of source: Source, _ sent: ContractCase, _ body: JSONValue?, _ headers: Headers) -> JSONValue? {
        switch source {
        case .responseBody(let path): body.flatMap { scalar(at: path, in: $0) }
        case .responseField(let name): headers[name].map { .string($0) }
        case .requestBody(let path): sent.bodyValue.flatMap { scalar(at: path, in: $0) }
        case .requestParameter(let location, let name): sent.value(of: name, in: location)
        case .constant(let text): .string(text)
        case .identifier(let name):
            body.flatMap { identifier(named: name, in: $0) }
                ?? headers["Location"].flatMap { PathTemplate.segments(of: PathTemplate.path(ofURL: $0)).last }.map { .string($0) }
        }
    }

    private static func identifier(named name: String, in body: JSONValue) -> JSONValue? {
        var objects = [body]
        // An envelope has the resource in a member.
        if case .object(let members) = body { objects += members.map(\.value) }
        return objects.lazy.compactMap { scalar(at: [name], in: $0) ?? scalar(at: ["id"], in: $0) }.first
    }

    private static func scalar(at path: [String], in value: JSONValue) -> JSONValue? {
        var value = value
        for name in path {
            guard let next = value[name] ?? Int(name).flatMap({ value[$0] }) else { return nil }
            value = next
        }
        switch value {
        case .string(let text): return text.isEmpty ? nil : value
        case .number: return value
        case .null, .bool, .array, .object: return nil
        }
    }
}

/// Requests that follow each other: what one creates, others read, change and delete.
package struct ContractSequence: Sendable {
    /// What a request does with what was created.
    package enum Role: Sendable {
        case read, change, delete
        /// Reads what was deleted.
        case readDeleted
    }

    /// The most changes.
    private static let mostChanges = 3

    /// The request that creates.
    package var creation: ContractCase
    /// The requests after it, in order.
    package private(set) var steps: [(role: Role, link: ContractLink)]

    /// Creates the requests that follow the one that creates; nil where the description has none.
    package init?(after creation: ContractCase, in contract: OpenAPIContract) {
        self.creation = creation
        let all = contract.links(from: creation.operation)
        func links(_ methods: [String]) -> [ContractLink] { all.filter { methods.contains($0.operation.method) } }
        let (reads, changes, deletes) = (links(["GET"]), links(["PUT", "PATCH"]).prefix(Self.mostChanges), links(["DELETE"]))
        steps = reads.map { (Role.read, $0) } + changes.map { (Role.change, $0) }
        if let delete = deletes.first {
            let same = reads.first { $0.operation.path == delete.operation.path }
            if !changes.isEmpty, let same { steps.append((.read, same)) }
            steps.append((.delete, delete))
            if let same { steps.append((.readDeleted, same)) }
        }
        guard !steps.isEmpty else { return nil }
    }

    /// The sequence without one of its requests, or with a smaller first one, for each of them.
    package var smaller: [ContractSequence] {
        var result: [ContractSequence] = []
        for index in steps.indices.dropLast() where steps[index].role != .delete {
            var copy = self
            copy.steps.remove(at: index)
            result.append(copy)
        }
        for item in creation.smaller {
            var copy = self
            copy.creation = item
            result.append(copy)
        }
        return result
    }
}

extension OpenAPIContract {
    /// The operations that can follow an operation which creates something: those of `links` of its successful responses, and those whose path is its own
    /// with one parameter more.
    package func links(from operation: ContractOperation) -> [ContractLink] {
        var found = described(from: operation)
        for other in operations where other.path.hasPrefix(operation.path) {
            let rest = other.path.dropFirst(operation.path.count).drop { $0 == "/" }
            guard rest.hasPrefix("{"), rest.hasSuffix("}"), !rest.contains("/") else { continue }
            guard !found.contains(where: { $0.operation.index == other.index }) else { continue }
            let name = String(rest.dropFirst().dropLast())
            found.append(ContractLink(operation: other, values: [name: .identifier(name)]))
        }
        // Parameters of the path that both have, such as the parent, have the same value.
        let own = Set(details(of: operation).parameters.filter { $0.location == "path" }.map(\.name))
        for index in found.indices {
            for parameter in details(of: found[index].operation).parameters
            where parameter.location == "path" && own.contains(parameter.name) && found[index].values[parameter.name] == nil {
                found[index].values[parameter.name] = .requestParameter(location: "path", name: parameter.name)
            }
        }
        return found
    }

    private func described(from operation: ContractOperation) -> [ContractLink] {
        let name = name
        let items = withParts { parts -> [(id: String?, reference: String?, values: [String: String])] in
            let responses = (operation.value["responses"]?.members ?? []).filter { $0.name.hasPrefix("2") }.compactMap {
                parts.reader.resolved($0.value)
            }
            return responses.flatMap { $0["links"]?.members ?? [] }.compactMap { member in
                guard let link = parts.reader.resolved(member.value) else { return nil }
                let values = (link["parameters"]?.members ?? []).compactMap { parameter in
                    // A name may have its location before it.
                    parameter.value.text.map { (String(parameter.name.split(separator: ".", maxSplits: 1).last ?? ""), $0) }
                }
                // The braces of a path are encoded in a URI; an operation of another document has no endpoint here.
                let reference = link["operationRef"]?.text.map { PercentEncoding.decode($0) }
                let isOwn = reference.map { $0.hasPrefix("#") || $0.hasPrefix(name + "#") || $0.hasPrefix("./\(name)#") } ?? true
                return (link["operationId"]?.text, isOwn ? reference : nil, Dictionary(values) { $1 })
            }
        }
        return items.compactMap { item in
            let target = operations.first { other in
                if let id = item.id { return other.value["operationId"]?.text == id }
                let path = "#/paths/\(other.path.replacing("~", with: "~0").replacing("/", with: "~1"))/\(other.method.lowercased())"
                return item.reference?.hasSuffix("#" + path.dropFirst()) == true
            }
            return target.map { ContractLink(operation: $0, values: item.values.mapValues(ContractLink.Source.init)) }
        }
    }
}
