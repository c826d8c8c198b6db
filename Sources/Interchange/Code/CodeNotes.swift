internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// What the options of a request do that the code of other programs does not do.
enum CodeNotes {
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
