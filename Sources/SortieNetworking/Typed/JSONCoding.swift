internal import FoundationEssentials
public import SortieHTTP

extension RequestBody {
    /// A JSON body with an encoded value.
    ///
    /// - Parameter value: The value.
    /// - Throws: `badBody` when the value cannot be encoded.
    public static func json(encoding value: some Encodable) throws(NetworkError) -> RequestBody {
        do { return .bytes([UInt8](try JSONEncoder().encode(value)), contentType: "application/json") } catch { throw .badBody(error) }
    }
}

extension NetworkError {
    /// The business error for one that code of the program threw because of a response; it stays readable as ``cause``.
    ///
    /// - Parameter name: The name of that code in the message, such as `validator`.
    static func rejected(by name: String, _ error: any Error) -> NetworkError {
        if let error = error as? NetworkError { return error }
        if let failure = error as? BusinessFailure { return failure.error }
        var result = NetworkError(.business, "the \(name) rejected the response: \(error)", underlying: String(reflecting: error))
        result.cause = error
        return result
    }

    /// Converts an error of encoding or decoding a body.
    static func badBody(_ error: any Error) -> NetworkError {
        if let error = error as? NetworkError { return error }
        if let failure = error as? BusinessFailure { return failure.error }
        guard let problem = error as? DecodingError else {
            return NetworkError(.badBody, "the body cannot be used: \(error)", underlying: String(reflecting: error))
        }
        return NetworkError(.badBody, "the body is not what was expected: \(problem.sentence)", underlying: String(reflecting: error))
    }
}

extension DecodingError {
    /// What is missing or different, and its path in the JSON.
    fileprivate var sentence: String {
        switch self {
        case .keyNotFound(let key, let context): "“\(key.stringValue)” is missing at \(path(context))"
        case .typeMismatch(let type, let context): "\(path(context)) is not a \(type)"
        case .valueNotFound(let type, let context): "\(path(context)) is null instead of a \(type)"
        case .dataCorrupted(let context): "it is not valid JSON at \(path(context))"
        @unknown default: "\(self)"
        }
    }

    private func path(_ context: Context) -> String {
        context.codingPath.reduce("$") { path, key in key.intValue.map { "\(path)[\($0)]" } ?? "\(path).\(key.stringValue)" }
    }
}
