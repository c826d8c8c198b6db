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
        return try serializer.output(of: try await send(request))
    }
}

extension TypedEndpoint where Output == XMLTree {
    /// The tree of the XML document.
    public func output(of response: Response) throws -> XMLTree { try ResponseSerializer.xml.output(of: response) }
}

extension TypedEndpoint where Output == JSONValue {
    /// The JSON of the body.
    public func output(of response: Response) throws -> JSONValue { try ResponseSerializer.json.output(of: response) }
}
