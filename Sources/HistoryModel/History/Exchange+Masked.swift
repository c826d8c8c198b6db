package import SortieHTTP
internal import WorkspaceModel

extension Exchange {
    /// Returns the exchange in the form for storage, with secrets masked in header fields, parameters, errors, cookies, checks of hooks and the
    /// request's body.
    ///
    /// The body of the response is unchanged, because it may be of any size. It is masked when it is written, with
    /// ``Redaction/mask(_:contentType:into:)``.
    package func masked(by redaction: Redaction) -> Exchange {
        guard !redaction.isOff else { return self }
        var result = self
        result.request = request.masked(by: redaction, contentType: sentHeaders["Content-Type"])
        result.response = response?.masked(by: redaction)
        let head = response?.head
        result.attempts = attempts.map { attempt in
            var masked = attempt.masked(by: redaction)
            if attempt.body != .none { masked.body = result.request.body }
            masked.response = attempt.response == head ? result.response?.head : attempt.response?.masked(by: redaction)
            return masked
        }
        result.value = value.map { redaction.masked($0) }
        result.error = error.map { redaction.masked($0) }
        result.reportedChecks = reportedChecks.map { $0.masked(by: redaction) }
        return result
    }
}

extension Request {
    /// The request in the form for storage.
    fileprivate func masked(by redaction: Redaction, contentType: String?) -> Request {
        var result = self
        result.url = url.masked(by: redaction)
        result.otherServers = otherServers.map { $0.masked(by: redaction) }
        result.headers = redaction.masked(headers)
        result.body = body.masked(by: redaction, contentType: headers["Content-Type"] ?? body.contentType ?? contentType)
            .maskingNames(by: redaction)
        result.options.login = options.login.map { .init($0.scheme, user: redaction.masked($0.user), password: HeaderField.mask) }
        result.options.proxy?.credentials = options.proxy?.credentials.map { .init(user: $0.user, password: HeaderField.mask) }
        result.origin = origin?.masked(by: redaction)
        result.secrets = RequestSecrets()
        return result
    }
}

extension RequestBody {
    /// A copy with the names of its parts, and of the files in them, masked.
    func maskingNames(by redaction: Redaction) -> RequestBody {
        guard case .multipart(let parts) = self else { return self }
        return .multipart(
            parts.map { part in
                var part = part
                part.name = redaction.masked(part.name)
                part.fileName = part.fileName.map { redaction.masked($0) }
                return part
            })
    }
}

extension Response {
    /// The response in the form for storage, with an unchanged body.
    fileprivate func masked(by redaction: Redaction) -> Response {
        var result = self
        result.reason = redaction.masked(reason)
        result.headers = redaction.masked(headers)
        result.trailers = redaction.masked(trailers)
        result.informational = informational.map { redaction.masked($0) }
        result.truncation = truncation.map { redaction.masked($0) }
        return result
    }
}

extension Attempt {
    /// The attempt as it may be stored; the caller masks its response and replaces its body.
    fileprivate func masked(by redaction: Redaction) -> Attempt {
        var result = self
        result.url = url.masked(by: redaction)
        result.sentHeaders = redaction.masked(sentHeaders)
        result.error = error.map { redaction.masked($0) }
        result.sentCookies = sentCookies.map { $0.masked }
        result.setCookies = setCookies.map { decision in
            var decision = decision
            decision.name = redaction.masked(decision.name)
            decision.cookie = decision.cookie?.masked
            if case .refused(let reason) = decision.outcome { decision.outcome = .refused(redaction.masked(reason)) }
            return decision
        }
        return result
    }
}

extension Cookie {
    /// The cookie without its value.
    fileprivate var masked: Cookie {
        var cookie = self
        if !value.isEmpty { cookie.value = HeaderField.mask }
        return cookie
    }
}
