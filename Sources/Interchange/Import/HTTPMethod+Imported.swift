internal import SortieHTTP

extension HTTPMethod {
    /// The method of a request of another tool; a name in lower case is that of a standard method.
    ///
    /// - Returns: nil for a text that is no token (RFC 9110 §9.1).
    init?(imported text: String) {
        self.init(text == text.lowercased() ? text.uppercased() : text)
    }
}
