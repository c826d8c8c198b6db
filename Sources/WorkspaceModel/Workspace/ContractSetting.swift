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

    /// The path of the OpenAPI document, relative to the workspace where it is inside; or its URL.
    package var document: String
    /// What a violation leads to.
    package var mode: Mode

    /// Creates a setting.
    package init(document: String, mode: Mode = .warn) {
        (self.document, self.mode) = (document, mode)
    }

    /// The URL of the document, which is fetched with permission only; nil for a file.
    package var url: String? { HTTPURL.isAbsolute(document) ? document : nil }
    /// The path of the document; nil for a URL.
    package var file: String? { url == nil ? document : nil }
}

extension Endpoint {
    /// Whether a contract applies: not where the endpoint ignores it, and not for downloads and connections that stay open.
    package var mayHaveContract: Bool { !ignoresContract && [.data, .upload].contains(kind) && grpc == nil }
}

extension Workspace {
    /// The contract of an endpoint; nil where its service has none, and where none applies.
    package func contract(of endpoint: Endpoint) -> ContractSetting? {
        guard endpoint.mayHaveContract else { return nil }
        guard let contract = service(endpoint.serviceName)?.contract, contract.mode != .off else { return nil }
        return contract
    }

    /// The paths of the files outside of the workspace to which a description in it refers.
    package func outsideReferences(of contract: ContractSetting) -> Set<String> {
        contract.file.flatMap { outsideReferences[FilePath.joining(folder, $0)] } ?? []
    }
}
