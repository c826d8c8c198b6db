extension Request {
    /// Uses the configured addresses of the URL's host where there are any.
    package mutating func useConfiguredAddresses() {
        guard let known = options.resolution.hosts[url.host] else { return }
        options.addresses = known.fixed
        options.resolution.further = known.further
    }

    /// Directs the request to another URL.
    ///
    /// Addresses belong to a host: the addresses of another host are replaced by its configured ones.
    package mutating func redirect(to target: HTTPURL) {
        let former = url.host
        url = target
        guard target.host != former else { return }
        let addresses = HostAddresses(fixed: options.addresses, further: options.resolution.further)
        guard addresses != HostAddresses() || !options.resolution.hosts.isEmpty else { return }
        // A later redirect may lead back to this host.
        if options.resolution.hosts[former] == nil { options.resolution.hosts[former] = addresses }
        let next = options.resolution.hosts[target.host] ?? HostAddresses()
        options.addresses = next.fixed
        options.resolution.further = next.further
        options.firstAddress = nil
    }
}
