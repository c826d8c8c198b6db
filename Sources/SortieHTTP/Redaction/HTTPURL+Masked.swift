extension HTTPURL {
    /// The URL with the secrets of its path and query masked, and without credentials.
    ///
    /// The mask stands in it as it is, in no encoding: such a URL is for the eye, and is not sent.
    package func masked(by redaction: Redaction) -> HTTPURL {
        var result = self
        result.credentials = nil
        result.host = redaction.hidingValues(host)
        result.path = redaction.hidingValues(path)
        result.query = query.map { redaction.maskedForm($0) }
        return result
    }
}
