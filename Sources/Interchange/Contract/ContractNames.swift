internal import SortieBase
internal import SortieHTTP
package import WorkspaceModel

extension OpenAPIContract {
    /// What the description has for the request of an endpoint; nil without an operation of its method and path.
    ///
    /// - Parameter bases: The paths of the servers of the service.
    package func describedRequest(of endpoint: Endpoint, bases: [String]) -> DescribedRequest? {
        let isRelative = !endpoint.path.contains("://") && !endpoint.path.hasPrefix("{{")
        let path = isRelative ? "/" + endpoint.path : PathTemplate.path(ofURL: endpoint.path)
        guard case .operation(let operation, _) = match(endpoint.shownMethod.rawValue, path: path, bases: bases) else { return nil }
        return withParts { parts in
            var reading = DescribedRequestReading(parts)
            reading.add(parts.details(of: operation))
            return reading.request
        }
    }
}

/// Reads the names and values of a request from a description, those of a schema once.
private struct DescribedRequestReading {
    /// The greatest number of schemas, and how deep they nest.
    private static let (limit, depth) = (5_000, 64)

    private let parts: ContractParts
    private(set) var request = DescribedRequest()
    private var known: [OpenAPIValue.Identity: Int] = [:]

    init(_ parts: ContractParts) { self.parts = parts }

    mutating func add(_ details: ContractDetails) {
        for parameter in details.parameters {
            let schema = parts.value(parameter.schema)
            let summary = OpenAPIText.line(parameter.value["description"]?.text)
            let value = value(schema, depth: 0)
            var members = [
                DescribedRequest.Member(parameter.name, isRequired: parameter.isRequired, summary: summary ?? self.summary(of: schema), value: value)
            ]
            if case .object = parameter.shape, parameter.location == "query", !parameter.isJSON {
                // The members are parameters themselves.
                let style = parameter.style
                let own = request.value(value)?.members ?? []
                if style.name == "deepObject" {
                    members = own.map { member in
                        var member = member
                        member.name = "\(parameter.name)[\(member.name)]"
                        return member
                    }
                } else if style.explodes {
                    members = own
                }
            }
            switch parameter.location {
            case "query": request.query += members
            case "path": request.path += members
            case "header" where !ContractDetails.ignoredFields.contains(parameter.name.lowercased()): request.headers += members
            default: break
            }
        }
        for media in details.body {
            guard let schema = media.schema.map(parts.value) else { continue }
            if OpenAPIMedia.isJSON(media.type) {
                request.body = request.body ?? value(schema, depth: 0)
            } else if media.type == "application/x-www-form-urlencoded" || media.type == "multipart/form-data" {
                request.form = request.form ?? value(schema, depth: 0)
            }
        }
    }

    private func summary(of value: OpenAPIValue) -> String {
        let schema = OpenAPISchema(value, parts.reader)
        return OpenAPIText.line((schema["description"] ?? schema["title"])?.text) ?? ""
    }

    /// The position of a schema's value; nil where there are too many.
    private mutating func value(_ source: OpenAPIValue, depth: Int) -> Int? {
        let identity = OpenAPIValue.Identity(source)
        if let index = known[identity] { return index }
        guard request.values.count < Self.limit, depth < Self.depth else { return nil }
        let index = request.values.count
        // A schema that contains itself refers to this position.
        known[identity] = index
        request.values.append(DescribedRequest.Value())
        let schema = OpenAPISchema(source, parts.reader)
        var result = DescribedRequest.Value(type: schema.type ?? "")
        if let choices = schema["enum"]?.node.items {
            result.choices = choices.map(\.json)
        } else if let constant = schema["const"] {
            result.choices = [constant.node.json]
        } else if schema.type == "boolean" {
            result.choices = [.bool(true), .bool(false)]
        }
        for property in schema.properties where OpenAPISchema(property.schema, parts.reader)["readOnly"]?.bool != true {
            result.members.append(
                DescribedRequest.Member(
                    property.name, isRequired: property.isRequired, summary: summary(of: property.schema),
                    value: value(property.schema, depth: depth + 1)))
        }
        result.items = schema["items"].flatMap { value($0, depth: depth + 1) }
        for alternative in schema.layers.flatMap({ ($0["oneOf"]?.items ?? []) + ($0["anyOf"]?.items ?? []) }) {
            let index = value(alternative, depth: depth + 1)
            guard let other = request.value(index) else { continue }
            let names = Set(result.members.map(\.name))
            result.members += other.members.filter { !names.contains($0.name) }.map { member in
                var member = member
                member.isRequired = false
                return member
            }
            result.choices += other.choices.filter { !result.choices.contains($0) }
            result.items = result.items ?? other.items
            if result.type.isEmpty { result.type = other.type }
        }
        if result.type == "array", let type = request.value(result.items)?.type, !type.isEmpty { result.type = "array of \(type)" }
        if result.type == "string", let format = schema["format"]?.text { result.type = format }
        request.values[index] = result
        return index
    }
}
