internal import SortieHTTP

/// `contract:` of a service: the description of its API, with which requests and responses are compared.
package struct ContractSetting: Hashable, Sendable {
    /// What a violation leads to.
    package enum Mode: String, Hashable, Sendable, CaseIterable {
        /// It is reported.
        case warn
        /// It fails the call like an expectation that is not met.
        case fail
        /// Nothing is compared.
        case off
    }

    /// The path of the OpenAPI document, relative to the workspace where it is inside.
    package var document: String
    /// What a violation leads to.
    package var mode: Mode

    /// Creates a setting.
    package init(document: String, mode: Mode = .warn) {
        (self.document, self.mode) = (document, mode)
    }
}

extension Workspace {
    /// The contract of an endpoint; nil where its service has none, where the endpoint ignores it, and for downloads and connections that stay open.
    package func contract(of endpoint: Endpoint) -> ContractSetting? {
        guard !endpoint.ignoresContract, [.data, .upload].contains(endpoint.kind), endpoint.grpc == nil else { return nil }
        guard let contract = service(endpoint.serviceName)?.contract, contract.mode != .off else { return nil }
        return contract
    }
}
