package import SortieHTTP

extension Request {
    /// What sending the request with its resolved values uses on this machine, besides files and secrets.
    ///
    /// The counterpart of ``CapabilityScan``, which computes the same from the files.
    package var capabilities: [Capability] {
        let urls = [url] + otherServers
        var found: [Capability] = []
        if let proxy = options.proxy { found.append(Capability(.proxy, proxy.description)) }
        if let server = options.resolution.server { found.append(Capability(.nameServer, server.origin)) }
        if let key = options.trust.clientKeyFile { found.append(Capability(.clientKey, key)) }
        for url in urls {
            if options.trust.isInsecure { found.append(Capability(.insecure, url.origin)) }
            if options.negotiates { found.append(Capability(.ticket, url.origin)) }
            if let authority = options.trust.certificateAuthorityFile { found.append(Capability(.authority, authority, to: url.origin)) }
            if let host = options.resolution.hosts[url.host] {
                let addresses = host.further + host.fixed.filter { !host.further.contains($0) }
                if !addresses.isEmpty { found.append(Capability(addresses: addresses, of: url.origin)) }
            }
            for issuer in tokenIssuers where issuer != url.origin { found.append(Capability(.token, issuer, to: url.origin)) }
        }
        return found
    }

    /// The origins that issue the access token of the request, where it is issued for a secret or for a sign-in of the user.
    private var tokenIssuers: Set<String> {
        guard let settings = options.oauth2 else { return [] }
        let isSecret = settings.grant.isInteractive || secrets.uses.contains { use in settings.texts.contains { $0.contains(use.value) } }
        guard isSecret else { return [] }
        return Set(
            settings.receivers.compactMap { receiver in
                // The request for a token refuses a URL that cannot be read.
                do { return try HTTPURL(parsing: receiver.url).origin } catch { return nil }
            })
    }
}
