internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// The comparison of a resolved request with the permission, the last one before it is sent.
///
/// Every request of a workspace passes it while it is built: those of commands, runs and the workbench, and those that are sent for a token or a
/// captured value of another one. The list of the files was compared before; here the values are known that only a run or a response has.
extension WorkspacePermission {
    /// Rejects a request that would use something on this machine, or send a secret to an origin, that the list does not permit.
    ///
    /// - Parameter typed: the capabilities that the user typed.
    func require(_ request: Request, typed: TypedCapabilities) throws(TemplateError) {
        guard !isUnrestricted else { return }
        try requireReceivers(of: request, typed: typed)
        let files = request.readFiles.filter { $0 != Request.standardInput && $0 != request.options.trust.clientKeyFile } + request.describingFiles
        for path in files where !permitsReading(path, typed: typed) {
            throw refusal(of: Capability(.file, RealPath.of(path)))
        }
        for used in request.capabilities {
            let capability =
                [.clientKey, .authority].contains(used.kind) ? Capability(used.kind, RealPath.of(used.subject), to: used.destination) : used
            guard !permits(capability, typed: typed) else { continue }
            throw refusal(of: capability)
        }
    }

    private func refusal(of capability: Capability) -> TemplateError {
        let action = CapabilityList([capability], shortens: true).sentences.joined()
        return TemplateError("the workspace is not permitted to \(action), which its files do not list; --trust permits it for one command")
    }
}

extension Request {
    /// The files that describe the messages of the request.
    fileprivate var describingFiles: [String] {
        guard case .file(let path, _)? = options.grpc?.schema else { return [] }
        return [path]
    }
}
