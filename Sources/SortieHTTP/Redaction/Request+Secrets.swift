extension Request {
    /// Whether anything that is sent contains the value.
    package func contains(secret value: String) -> Bool { SecretSearch(value: value).isIn(self) }

    /// The first secret of the request, ordered by name, that the host of its URL may not receive; nil where there is none.
    package var refusedSecret: RequestSecrets.Restricted? {
        guard !secrets.restricted.isEmpty else { return nil }
        let host = url.hostForLookup
        return secrets.restricted.filter { !$0.permits(host) && SecretSearch(value: $0.value).isIn(self) }.min { $0.name < $1.name }
    }

    /// The first secret, ordered by name, in the proxy's credentials that the proxy may not receive; nil where there is none.
    package var secretRefusedToProxy: RequestSecrets.Restricted? {
        guard !secrets.restricted.isEmpty, let proxy = options.proxy, proxy.isFor(url), let login = proxy.credentials else { return nil }
        return secrets.restricted.filter { secret in
            let search = SecretSearch(value: secret.value)
            return !secret.permits(proxy.hostForLookup) && (search.isIn(text: login.user) || search.isIn(text: login.password))
        }.min { $0.name < $1.name }
    }

    /// The first secret, ordered by name, that is part of `name` and that `host`, a name server, may not receive.
    package func refusedSecret(inName name: String, toldTo host: String) -> RequestSecrets.Restricted? {
        guard !secrets.restricted.isEmpty else { return nil }
        return secrets.restricted.filter { !$0.permits(host) && SecretSearch(value: $0.value).isIn(host: name) }.min { $0.name < $1.name }
    }
}
