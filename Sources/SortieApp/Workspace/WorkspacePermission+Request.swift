internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import Synchronization
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
        try refuseRestrictedCaptures(of: request)
        guard !isUnrestricted else { return }
        try requireReceivers(of: request, typed: typed)
        try requireCaptures(of: request, typed: typed)
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

    /// Records the origins from which captured values came.
    func note(_ captures: some Sequence<String>, from origins: some Sequence<String>) {
        state.withLock { $0.captures.note(captures, from: origins) }
    }

    /// Rejects a request that would send a captured value to another origin than that from which it came, without permission.
    private func requireCaptures(of request: Request, typed: TypedCapabilities) throws(TemplateError) {
        for capture in request.secrets.captures {
            let origins = state.withLock { $0.captures[capture.value] }
            try require(sending: capture.target, from: origins, with: request, typed: typed)
        }
    }

    /// Rejects a request that would send a value of a response of an endpoint to another origin than those from which it came, without permission.
    func require(
        sending target: String, from origins: Set<String>, with request: Request, typed: TypedCapabilities
    ) throws(TemplateError) {
        guard !isUnrestricted, state.withLock({ $0.scan.protectsCaptures }) else { return }
        for url in [request.url] + request.otherServers where !origins.contains(url.origin) {
            let capability = Capability(.captured, target, to: url.origin)
            guard !permits(capability, typed: typed) else { continue }
            throw refusal(of: capability)
        }
    }

    /// Rejects a request that would send a secret to a host that `hosts:` excludes, because a response contained it.
    private func refuseRestrictedCaptures(of request: Request) throws(TemplateError) {
        let restricted = state.withLock { state in
            state.captures.note(request)
            return state.captures.restricted
        }
        for secret in restricted where !secret.value.isEmpty {
            guard request.secrets.captures.contains(where: { $0.value.contains(secret.value) }),
                let url = ([request.url] + request.otherServers).first(where: { !secret.permits($0.hostForLookup) })
            else { continue }
            throw TemplateError("a captured value contains the secret \(secret.name), which may not be sent to \(url.origin): see its hosts")
        }
    }

    private func refusal(of capability: Capability) -> TemplateError {
        let action = CapabilityList([capability], limit: CapabilityList.messageLimit).sentences.joined()
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
