public import SortieBase

extension Response {
    /// The format that the `Content-Type` declares; nil for a type that is none of them.
    public var format: ResponseFormat? {
        guard let type = contentType.flatMap(MediaType.init) else { return nil }
        if type.isJSON { return .json }
        if type.essence == "application/x-plist" || type.essence.hasSuffix("+plist") { return .plist }
        if type.essence == "application/xml" || type.essence == "text/xml" || type.essence.hasSuffix("+xml") { return .xml }
        return type.essence.hasPrefix("text/") ? .text : nil
    }

    /// The body as a value for JSON paths.
    ///
    /// - Parameter format: The format of the body; nil for the declared one, where that is XML or a property list, and otherwise JSON.
    /// - Throws: A `BodyProblem` with the position of the error, for a body that does not have the format.
    public func value(as format: ResponseFormat? = nil) throws(BodyProblem) -> JSONValue {
        let declared = self.format
        switch format ?? (declared == .xml || declared == .plist ? declared : .json) {
        case .text: return .string(try readText())
        case .xml: return try XMLTree(parsing: utf8Body).json
        case .plist: return try XMLTree(parsing: utf8Body).propertyList()
        case .json, nil: return try JSONValue(parsing: utf8Body)
        }
    }

    /// The text of the body in its charset.
    ///
    /// - Throws: A `BodyProblem` for a binary body.
    public func readText() throws(BodyProblem) -> String {
        guard !body.isEmpty else { return "" }
        guard let text else { throw BodyProblem(message: "not text: the body is binary", line: 1, column: 1, byte: 0) }
        return text
    }
}
