/// A place that defines variables, in the order of precedence.
package enum VariableLayer: Hashable, Sendable {
    /// `--var` of the command line.
    case option
    /// `variables:` of an endpoint.
    case endpoint(EndpointID)
    /// `variables:` of an environment.
    case environment(String)
    /// `variables:` of `workspace.yaml`.
    case workspace
    /// `publicParameters:` of `workspace.yaml`.
    case publicParameters
    /// `secrets:` of `workspace.yaml`.
    case secret

    /// The name in messages.
    package var text: String {
        switch self {
        case .option: "command line"
        case .endpoint(let id): "endpoint \(id.path)"
        case .environment(let name): "environment \(name)"
        case .workspace: "workspace"
        case .publicParameters: "publicParameters"
        case .secret: "secrets"
        }
    }

    /// The position in the order of precedence.
    var rank: Int {
        switch self {
        case .option: 0
        case .endpoint: 1
        case .environment: 2
        case .workspace: 3
        case .publicParameters: 4
        case .secret: 5
        }
    }
}

/// The definition of a variable or a secret, by its name and its place.
package struct VariableKey: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The place.
    package var layer: VariableLayer

    /// Creates a value.
    package init(_ name: String, _ layer: VariableLayer) {
        (self.name, self.layer) = (name, layer)
    }

    /// The reason why a name cannot be that of a variable; nil for a usable name.
    package static func nameProblem(_ name: String) -> String? {
        if name.isEmpty { return "enter a name" }
        if name.first?.isWhitespace == true || name.last?.isWhitespace == true { return "a name does not begin or end with a space" }
        if name.hasPrefix("$") { return "names that begin with $ are built in; choose another name" }
        if name.contains("{{") || name.contains("}}") || name.contains("|") { return "a name has no braces and no “|”" }
        return name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f } ? "a name has no control characters" : nil
    }
}
