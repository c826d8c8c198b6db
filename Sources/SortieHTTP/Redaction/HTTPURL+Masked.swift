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
