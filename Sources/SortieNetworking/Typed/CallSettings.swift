public import SortieHTTP

public import class FoundationEssentials.JSONDecoder

/// The settings of a one-line call, such as ``Client/get(_:query:headers:through:with:as:)-(String,_,_,_,_,_)``.
public struct CallSettings: Sendable {
    /// The options of the request, above those of the service.
    public var options: RequestOptions {
        _read { yield sharedOptions.wrappedValue }
        _modify { yield &sharedOptions.wrappedValue }
    }
    private var sharedOptions: CopyOnWrite<RequestOptions>
    /// The statuses that count as success; nil for those of the options or the service, otherwise 200–299.
    public var acceptedStatuses: Range<Int>?
    /// The accepted media types, without parameters; nil accepts any.
    public var acceptedContentTypes: [String]?
    /// Returns the response to decode, or throws the error of the call; nil leaves the response unchanged.
    public var filter: (@Sendable (Response) throws -> Response)?
    /// The plugins of the call, after those of the client and the service.
    public var plugins: [any Plugin]
    /// The encryptor in place of that of the service; nil for that of the service.
    public var encryptor: (any BodyEncryptor)?
    /// Decodes the body.
    public var decoder: any JSONBodyDecoder
    /// The charset of the body, such as `gbk`; nil for the declared one.
    public var charset: String?

    /// Creates settings; by default only JSON is accepted, and nothing is filtered.
    ///
    /// - Parameters:
    ///   - options: The options of the request.
    ///   - acceptedStatuses: The statuses that count as success; nil for those of the options or the service, otherwise 200–299.
    ///   - acceptedContentTypes: The accepted media types; nil accepts any.
    ///   - filter: Inspects or replaces the response; nil leaves it unchanged.
    ///   - plugins: The plugins of the call.
    ///   - encryptor: The encryptor; nil for that of the service.
    ///   - decoder: Decodes the body.
    ///   - charset: The charset of the body, such as `gbk`; nil for the declared one.
    public init(
        options: RequestOptions = RequestOptions(), acceptedStatuses: Range<Int>? = nil,
        acceptedContentTypes: [String]? = ResponseRules.jsonTypes, filter: (@Sendable (Response) throws -> Response)? = nil,
        plugins: [any Plugin] = [], encryptor: (any BodyEncryptor)? = nil, decoder: any JSONBodyDecoder = JSONDecoder(), charset: String? = nil
    ) {
        sharedOptions = CopyOnWrite(wrappedValue: options)
        (self.acceptedStatuses, self.charset, self.acceptedContentTypes, self.filter) = (acceptedStatuses, charset, acceptedContentTypes, filter)
        (self.plugins, self.encryptor, self.decoder) = (plugins, encryptor, decoder)
    }
}

extension Envelope {
    /// `code` is 200, the result is `results`, the message `description`.
    public static let results = Envelope(
        codePath: JSONPath(steps: [.init(.name("code"))]), success: [.number("200")],
        messagePath: JSONPath(steps: [.init(.name("description"))]), resultPath: JSONPath(steps: [.init(.name("results"))]))

    /// A filter that replaces a response by the result in its envelope, and throws the failure that the server reported.
    public var filter: @Sendable (Response) throws -> Response {
        { response in
            var response = response
            let text = response.utf8Body
            response.body = BodyBytes(Array(try apply(to: JSONValue(parsing: text)).get().text.utf8))
            return response
        }
    }
}
