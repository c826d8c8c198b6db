public import SortieHTTP

internal import class FoundationEssentials.JSONDecoder

/// An endpoint as a type: its stored properties are the parameters, and its requirements define the request.
///
/// An endpoint that is not `Encodable` must define ``parameters()``, so that no property is left out by mistake; `[]` sends none.
///
/// ```swift
/// struct Login: TypedEndpoint, Encodable {
///     var username: String
///     var password: String
///
///     var method: HTTPMethod { .post }
///     var path: String { "/login" }
///     var parameterPlacement: ParameterPlacement { .json }
///
///     typealias Output = Token
/// }
/// let token = try await client.send(Login(username: "demo", password: "sortie"), through: "shop")
/// ```
public protocol TypedEndpoint: Sendable {
    /// The type of the result.
    associatedtype Output: Sendable

    /// The service whose server and settings are used where the caller names no other one; nil for the server of the client.
    var service: String? { get }
    /// The method; GET by default.
    var method: HTTPMethod { get }
    /// The path on the server, or an absolute URL; empty by default, which is the URL of the server.
    var path: String { get }
    /// A value for the program's own use, which plugins and observers find in the request; nil for none.
    var tag: RequestTag? { get }
    /// Query parameters, in order.
    var query: [(name: String, value: String)] { get }
    /// The parameters; those of an `Encodable` endpoint are its stored properties, in their order.
    ///
    /// A thrown error ends the call before anything is sent.
    func parameters() throws -> [ParameterValue.Member]
    /// Where the parameters are sent; by method by default.
    var parameterPlacement: ParameterPlacement { get }
    /// Writes the parameters as text; `ParameterEncoding` by default.
    var parameterEncoder: any ParameterEncoder { get }
    /// What the parameters must be, checked before anything is sent.
    var parameterRules: [ParameterRule] { get }
    /// Header fields; they take precedence over those of the server.
    var headers: Headers { get }
    /// The body; a thrown error ends the call before anything is sent.
    func body() throws -> RequestBody
    /// The options, above those of the server and below those of the call; fields that are not assigned are inherited.
    var options: RequestOptions { get }
    /// The plugins of this endpoint, after those of the client and the service, or in their places where ``Plugin/isReplaceable`` is true.
    ///
    /// With `options.inheritsPlugins` false, they are the only ones.
    var plugins: [any Plugin] { get }
    /// Encrypts the body and decrypts the response in place of the encryptor of the service; nil for that of the service.
    var encryptor: (any BodyEncryptor)? { get }
    /// Decodes JSON where the output is `Decodable`.
    var decoder: any JSONBodyDecoder { get }
    /// The statuses that count as success.
    ///
    /// A rule in `options.answer.statuses` takes precedence. The default, 200–299, applies where neither the service nor the client has a rule.
    var acceptedStatuses: Range<Int> { get }
    /// The accepted media types, without parameters; nil accepts any.
    var acceptedContentTypes: [String]? { get }
    /// The JSON Schema of the body, which `JSONSchema(shape:)` makes of an example; nil for none.
    var schema: JSONSchema? { get }
    /// Messages for the user by the server's result codes; they take precedence over the server's messages.
    var resultMessages: [String: String] { get }
    /// Inspects or replaces the response before the output is made; a thrown error ends the call.
    func filter(_ response: Response) throws -> Response
    /// Checks the output against business rules; a thrown error ends the call with a business error, which has it as its `cause`.
    func validate(_ output: Output) throws
    /// Makes the output; a thrown error ends the call.
    func output(of response: Response) throws -> Output
}

extension TypedEndpoint {
    /// None.
    public var service: String? { nil }
    /// GET.
    public var method: HTTPMethod { .get }
    /// The URL of the server.
    public var path: String { "" }
    /// None.
    public var tag: RequestTag? { nil }
    /// None.
    public var query: [(name: String, value: String)] { [] }
    /// In the query for GET, HEAD and DELETE, and otherwise in a form.
    public var parameterPlacement: ParameterPlacement { .byMethod }
    /// The standard encoding.
    public var parameterEncoder: any ParameterEncoder { ParameterEncoding() }
    /// None.
    public var parameterRules: [ParameterRule] { [] }
    /// None.
    public var headers: Headers { [] }
    /// None.
    public func body() throws -> RequestBody { .none }
    /// Assigns nothing.
    public var options: RequestOptions { RequestOptions() }
    /// None.
    public var plugins: [any Plugin] { [] }
    /// That of the service.
    public var encryptor: (any BodyEncryptor)? { nil }
    /// A `JSONDecoder` without conversions.
    public var decoder: any JSONBodyDecoder { JSONDecoder() }
    /// 200–299.
    public var acceptedStatuses: Range<Int> { ResponseRules.defaultStatuses }
    /// Any.
    public var acceptedContentTypes: [String]? { nil }
    /// Anything.
    public var schema: JSONSchema? { nil }
    /// None.
    public var resultMessages: [String: String] { [:] }
    /// Returns the response unchanged.
    public func filter(_ response: Response) -> Response { response }
    /// Accepts every output.
    public func validate(_ output: Output) {}
}

extension TypedEndpoint where Self: Encodable {
    /// The stored properties; a property without a value is null.
    ///
    /// - Throws: The errors of `ParameterValue.members(encoding:)`.
    public func parameters() throws -> [ParameterValue.Member] { try ParameterValue.members(encoding: self) }
}

extension TypedEndpoint where Output: Decodable {
    /// Decodes the body as JSON.
    ///
    /// - Throws: `badBody`, with the `DecodingError` as its cause, for a body of another format or with other values.
    public func output(of response: Response) throws -> Output { try response.decoded(as: Output.self, by: decoder) }
}

extension TypedEndpoint where Output == Response {
    /// Returns the response.
    public func output(of response: Response) -> Response { response }
}

/// A typed endpoint whose responses are cached; a cached response is decoded like one of the server.
public protocol CacheableEndpoint: TypedEndpoint {
    /// How long a cached response may be served without revalidation; 60 s by default.
    var cacheLifetime: Duration { get }
    /// Whether the stored response is ignored and replaced; false by default.
    var ignoresCache: Bool { get }
    /// Whether responses are also stored in the cache folder of the client; false by default.
    var cachesOnDisk: Bool { get }
}

extension CacheableEndpoint {
    /// 60 s.
    public var cacheLifetime: Duration { .seconds(60) }
    /// False.
    public var ignoresCache: Bool { false }
    /// False.
    public var cachesOnDisk: Bool { false }

    /// Adds the cache settings to the endpoint's options where they assign none; a POST is then cached by its URL and body.
    func addCache(to options: inout RequestOptions) {
        if options.$cacheLifetime == nil { options.cacheLifetime = cacheLifetime }
        if cachesOnDisk, options.$cachesOnDisk == nil { options.cachesOnDisk = true }
        if ignoresCache, options.$cachePolicy == nil { options.cachePolicy = .reload }
        if method == .post, options.$cachedMethods == nil { options.cachedMethods.insert(.post) }
    }
}
