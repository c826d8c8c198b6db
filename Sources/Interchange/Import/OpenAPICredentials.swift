internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Masks the credentials in the samples of a description, before a copy of it becomes a file of a workspace.
///
/// A sample is one by the name of its parameter, its property or its member; in all texts, passwords of URLs and tokens that are known by their shape
/// are masked.
struct OpenAPICredentials: CredentialReplacement {
    var usedVariables: Set<String> = []
    private var isFound = false

    /// The description as JSON, which is YAML as well, with masks in the places of credentials; nil where it has none.
    static func masked(_ description: SourceNode) -> [UInt8]? {
        var masking = OpenAPICredentials()
        let value = masking.masked(description, of: "")
        return masking.isFound ? Array((value.text + "\n").utf8) : nil
    }

    mutating func template(for value: String, base: String) -> String {
        isFound = true
        return HeaderField.mask
    }

    /// - Parameter name: The name of the parameter or the property that the value describes; empty for none.
    private mutating func masked(_ node: SourceNode, of name: String) -> JSONValue {
        if let items = node.items { return .array(items.map { masked($0, of: name) }) }
        if let text = node.string { return .string(withoutTokens(extractedURL(text, base: name))) }
        guard let members = node.members else { return node.json }
        let name = node["in"] == nil ? name : node["name"]?.text ?? name
        return .object(
            members.map { member in
                let value: JSONValue =
                    switch (member.name, member.value.members) {
                    // Their members have names of the author, such as `default`. A response of Swagger 2.0 has examples by media type.
                    case ("examples", let named?):
                        Self.object(named) { $0.name.contains("/") ? sample($0.value, of: name) : masked($0.value, of: name) }
                    case ("properties", let named?), ("patternProperties", let named?), ("headers", let named?), ("variables", let named?):
                        Self.object(named) { masked($0.value, of: $0.name) }
                    case (let key, let named?) where OpenAPIMembers.maps.contains(key): Self.object(named) { masked($0.value, of: name) }
                    case ("example", _), ("x-example", _), ("examples", _), ("default", _), ("value", _), ("dataValue", _), ("serializedValue", _):
                        sample(member.value, of: name)
                    default: masked(member.value, of: name)
                    }
                return .init(member.name, value)
            })
    }

    private static func object(_ members: [SourceNode.Member], _ value: (SourceNode.Member) -> JSONValue) -> JSONValue {
        .object(members.map { .init($0.name, value($0)) })
    }

    /// - Parameter name: The name of the parameter, the property or the member that has the value.
    private mutating func sample(_ node: SourceNode, of name: String) -> JSONValue {
        if let items = node.items { return .array(items.map { sample($0, of: name) }) }
        if let members = node.members { return .object(members.map { .init($0.name, sample($0.value, of: $0.name)) }) }
        guard let text = node.string else { return node.json }
        return .string(isSecret(text, of: name) ? template(for: text, base: name) : extractedJSON(extractedURL(text, base: name)))
    }
}
