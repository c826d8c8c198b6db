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

extension HTTPURL {
    /// The URL with the secrets of its path and query masked, and without credentials.
    ///
    /// The mask is inserted without encoding, so the URL is only for display.
    package func masked(by redaction: Redaction) -> HTTPURL {
        var result = self
        result.credentials = nil
        result.host = redaction.hidingValues(host)
        result.path = redaction.hidingValues(path)
        result.query = query.map { redaction.maskedForm($0) }
        return result
    }
}

extension RequestBody {
    /// The body in the form for storage.
    package func masked(by redaction: Redaction, contentType: String?) -> RequestBody {
        switch self {
        case .none, .file: return self
        case .bytes(let bytes, let own): return .bytes(redaction.maskedBody(bytes, contentType: contentType ?? own), contentType: own)
        case .multipart(let parts):
            return .multipart(
                parts.map { part in
                    guard case .bytes(let bytes) = part.content else { return part }
                    var part = part
                    let isSecret = redaction.isSecretPath(part.name) && !bytes.isEmpty
                    part.content = .bytes(
                        isSecret ? Array(HeaderField.mask.utf8) : redaction.maskedBody(bytes, contentType: part.contentType ?? "text/plain"))
                    return part
                })
        }
    }
}
