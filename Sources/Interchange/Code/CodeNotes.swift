internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// What a request of a workspace does that the code of other programs does not do.
enum CodeNotes {
    /// The sentences about an item, which apply to every program.
    static func common(of item: ExportSource.Item, in workspace: Workspace) -> [String] {
        var notes: [String] = []
        let endpoint = item.endpoint
        if let service = workspace.service(endpoint.serviceName), !item.request.options.bypassesPlugins {
            let plugins = workspace.plugins(of: endpoint, in: service).filter { setting in
                switch setting.kind {
                case .token, .sign, .encrypt: true
                case .errorFilter, .signals, .debugLog: false
                }
            }
            if !plugins.isEmpty { notes.append("the plugins \(plugins.map(\.name).joined(separator: ", ")) of the service do not run") }
            let parameters = workspace.publicParameters(of: service)
            if !parameters.isEmpty { notes.append("the public parameters \(parameters.map(\.name).joined(separator: ", ")) are not added") }
        }
        if let tunnel = workspace.service(endpoint.serviceName)?.tunnel { notes.append("the tunnel is not opened (\(tunnel.name))") }
        if endpoint.paging != nil { notes.append("only one page is requested") }
        if endpoint.kind == .download { notes.append("the response is not saved to a file") }
        return notes
    }

    /// The sentences about options that only Sortie has.
    static func options(of item: ExportSource.Item) -> [String] {
        var notes: [String] = []
        let options = item.request.options
        if let retry = options.retry, retry.limit > 0 { notes.append("failed requests are not repeated (retry: \(retry.limit))") }
        if !options.trust.pins.isEmpty || !options.trust.pinFiles.isEmpty { notes.append("the pinned keys are not checked") }
        if let addresses = options.resolution.hosts[item.request.url.host], !addresses.fixed.isEmpty || !addresses.further.isEmpty {
            notes.append("the host is resolved by the system, not to the addresses of the service")
        }
        if options.resolution.server != nil { notes.append("the host is resolved by the system, not by DNS over HTTPS") }
        if options.interface != nil { notes.append("the network interface is the system's choice") }
        if !options.excludedNetworks.isEmpty { notes.append("no network is excluded") }
        if options.unixSocket != nil { notes.append("the Unix socket is not used") }
        if options.maximumUploadRate != nil { notes.append("the upload rate is not limited") }
        if let proxy = options.proxy, !proxy.exceptions.isEmpty { notes.append("the exceptions of the proxy are not used") }
        return notes
    }
}
