extension Workspace {
    /// The style of an endpoint's parameters: that of its file over those of its service and of the workspace.
    package func parameterStyle(of endpoint: Endpoint) -> ParameterStyle {
        if endpoint.inherits == false { return endpoint.parameters ?? .init() }
        return (endpoint.parameters ?? .init()).over(service(endpoint.serviceName)?.parameters ?? .init()).over(parameters)
    }
}

extension BodyTemplate {
    /// Whether parameters of the query can be sent in this body: a form, or no body at all.
    package var takesParameters: Bool {
        switch self {
        case .none, .form: true
        case .json, .plist, .text, .file, .multipart, .graphQL: false
        }
    }
}
