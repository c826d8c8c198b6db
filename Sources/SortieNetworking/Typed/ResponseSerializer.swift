public import FoundationEssentials
public import SortieHTTP

/// Makes the output of a response.
///
/// The serializers are ``text``, ``data``, ``json``, ``xml``, ``propertyList`` and ``decoded(as:by:charset:)``; a program creates others from a closure.
public struct ResponseSerializer<Output: Sendable>: Sendable {
    private let make: @Sendable (Response) throws -> Output

    /// Creates a serializer; an error of `make` ends the call with `badBody`, unless it is a `NetworkError`.
    public init(_ make: @escaping @Sendable (Response) throws -> Output) {
        self.make = make
    }

    /// The output of a response.
    ///
    /// - Throws: `badBody` for a body of another format, with the position of the error and the path of the request's URL.
    public func output(of response: Response) throws(NetworkError) -> Output {
        do { return try make(response) } catch { throw .badBody(error) }
    }
}

extension ResponseSerializer where Output == String {
    /// Text in the charset that the response declares, otherwise in UTF-8.
    public static var text: Self { Self { try $0.readText() } }

    /// Text in a charset, whatever the response declares.
    ///
    /// - Parameter charset: A label such as `gbk` or `iso-8859-1`.
    public static func text(charset: String) -> Self { Self { try $0.text(charset: charset) } }
}

extension ResponseSerializer where Output == BodyBytes {
    /// The bytes of the body.
    public static var data: Self { Self { $0.body } }
}

extension ResponseSerializer where Output == JSONValue {
    /// Any JSON, in which numbers keep their digits.
    public static var json: Self { Self { try $0.value(as: .json) } }
    /// An XML property list as a value.
    public static var propertyList: Self { Self { try $0.value(as: .plist) } }
}

extension ResponseSerializer where Output == XMLTree {
    /// The tree of an XML document.
    public static var xml: Self { Self { try XMLTree(parsing: $0.utf8Body) } }
}

extension ResponseSerializer where Output: Decodable {
    /// A value that is decoded from JSON.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: Decodes the JSON, by default without conversions.
    ///   - charset: The charset of the body, such as `gbk`; nil for the declared one.
    public static func decoded(as type: Output.Type = Output.self, by decoder: any JSONBodyDecoder = JSONDecoder(), charset: String? = nil) -> Self {
        Self { try $0.decoded(as: type, by: decoder, charset: charset) }
    }

    /// A value that is decoded from a property list, in XML or in the binary format.
    public static func decodedPropertyList(as type: Output.Type = Output.self) -> Self {
        Self { response in
            let bytes = response.body.bytes(in: 0..<response.body.count)
            // The decoder reads nested values recursively; the parser of the tree limits their depth.
            if !bytes.starts(with: "bplist".utf8) { _ = try response.value(as: .plist) }
            return try PropertyListDecoder().decode(type, from: Data(bytes))
        }
    }
}

extension Client {
    /// Sends a request and returns the output that a serializer makes of its response.
    ///
    /// - Throws: The errors of ``send(_:plugins:)``, `status` for a status outside 200–299 that the request does not accept, and `badBody` for a body of another
    ///   format.
    public func send<Output>(_ request: Request, as serializer: ResponseSerializer<Output>) async throws(NetworkError) -> Output {
        var request = request
        if request.options.answer.statuses == nil { request.options.answer.statuses = [200...299] }
        let response = try await send(request)
        do throws(NetworkError) { return try serializer.output(of: response) } catch {
            var error = error
            error.response = response
            throw error
        }
    }
}

extension TypedEndpoint where Output == XMLTree {
    /// The tree of the XML document.
    ///
    /// - Throws: `badBody` for a body that is not well-formed XML.
    public func output(of response: Response) throws -> XMLTree { try ResponseSerializer.xml.output(of: response) }
}

extension TypedEndpoint where Output == JSONValue {
    /// The JSON of the body.
    ///
    /// - Throws: `badBody` for a body that is not JSON.
    public func output(of response: Response) throws -> JSONValue { try ResponseSerializer.json.output(of: response) }
}

/// Decodes values from JSON; `JSONDecoder` is one.
public protocol JSONBodyDecoder: Sendable {
    /// Decodes a value from JSON in UTF-8.
    func decode<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value
}

extension JSONDecoder: JSONBodyDecoder {}

extension Response {
    /// A copy of the body.
    public var data: Data { Data(body.bytes(in: 0..<body.count)) }

    /// Decodes the body as JSON, from its declared character encoding.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: Decodes the JSON, by default without conversions.
    ///   - charset: The charset of the body, such as `gbk`; nil for the declared one.
    /// - Throws: `badBody` with the path in the JSON when the body is not JSON or does not fit the type; `invalidOption` for an unknown charset.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, by decoder: any JSONBodyDecoder = JSONDecoder(), charset: String? = nil
    ) throws(NetworkError) -> Value {
        var text = utf8Body
        if let charset { text = try utf8Body(charset: charset) }
        // A decoder would lose the order of the members and the digits of numbers.
        if type == JSONValue.self {
            do { if let value = try JSONValue(parsing: text) as? Value { return value } } catch { throw .badBody(error) }
        }
        do { return try decoder.decode(type, from: Data(text.bytes(in: 0..<text.count))) } catch {
            // A decoder reports an empty body as JSON that is not valid.
            guard text.isEmpty else { throw .badBody(error) }
            throw NetworkError(.badBody, "the response \(status) has no body, and JSON was expected", cause: error)
        }
    }
}

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
        return NetworkError(.business, "the \(name) rejected the response: \(error.wordsInMessage)", cause: error)
    }

    /// The error for one of encoding or decoding a body; it stays readable as ``cause``.
    static func badBody(_ error: any Error) -> NetworkError {
        if let error = error as? NetworkError { return error }
        if let failure = error as? BusinessFailure { return failure.error }
        guard let problem = error as? DecodingError else {
            return NetworkError(.badBody, "the body cannot be used: \(error.wordsInMessage)", cause: error)
        }
        return NetworkError(.badBody, "the body is not what was expected: \(problem.sentence)", cause: error)
    }
}

extension DecodingError {
    /// What is missing or different, and its path in the JSON.
    fileprivate var sentence: String {
        switch self {
        case .keyNotFound(let key, let context): "“\(key.stringValue)” is missing at \(path(context))"
        case .typeMismatch(let type, let context): "\(path(context)) is not \(kind(type))"
        case .valueNotFound(let type, let context): "\(path(context)) is null instead of \(kind(type))"
        case .dataCorrupted(let context): "it is not valid JSON at \(path(context))"
        @unknown default: "\(self)"
        }
    }

    /// The name of a type; decoders name arrays and objects by generic types such as `Array<Any>`.
    private func kind(_ type: any Any.Type) -> String {
        let name = "\(type)"
        return name.hasPrefix("Array<") ? "an array" : name.hasPrefix("Dictionary<") ? "an object" : "a \(name)"
    }

    private func path(_ context: Context) -> String {
        context.codingPath.reduce("$") { path, key in key.intValue.map { "\(path)[\($0)]" } ?? "\(path).\(key.stringValue)" }
    }
}
