public import Model

/// One endpoint as a type of its own: its stored properties are the parameters, its requirements say how they are sent (S0.1, S2.2, S3.5, S4.1).
///
/// ```swift
/// struct Login: TypedEndpoint {
///     var username: String
///     var password: String
///
///     var method: HTTPMethod { .post }
///     var path: String { "/login" }
///     func body() throws -> RequestBody { try .json(encoding: ["username": username, "password": password]) }
///
///     typealias Output = Token
/// }
/// let token = try await client.send(Login(username: "demo", password: "sortie"), to: shop)
/// ```
public protocol TypedEndpoint: Sendable {
    /// What a response is made into.
    associatedtype Output: Sendable

    /// The method; GET unless said otherwise (X1).
    var method: HTTPMethod { get }
    /// The path on the server, or an absolute URL (X5).
    var path: String { get }
    /// Query parameters, in order.
    var query: [(name: String, value: String)] { get }
    /// Header fields; they win over those of the server's.
    var headers: Headers { get }
    /// The body; thrown errors end the call before anything is sent (S2.20).
    func body() throws -> RequestBody
    /// How it is sent; where these are the defaults, as the server says.
    var options: RequestOptions { get }
    /// Which statuses count as success (S0.14).
    var acceptedStatuses: Range<Int> { get }
    /// Which media types are taken, without parameters; nil takes any (S2.60).
    var acceptedContentTypes: [String]? { get }
    /// What the JSON of the body must look like; nil for anything.
    var shape: JSONShape? { get }
    /// Messages for the person by the server's codes; they win over the server's own (S0.16).
    var resultMessages: [String: String] { get }
    /// Looks at the answer before the output is made of it: an error thrown here is the call's, and what it returns takes the answer's place (S2.28, S2.60).
    func filter(_ response: Response) throws -> Response
    /// Judges the output by the rules of the business; an error thrown here is the call's (S0.15, S1.31).
    func validate(_ output: Output) throws
    /// Makes the output; an error thrown here is the call's (S2.27, S4.10).
    func output(of response: Response) throws -> Output
}

extension TypedEndpoint {
    /// GET.
    public var method: HTTPMethod { .get }
    /// None.
    public var query: [(name: String, value: String)] { [] }
    /// None.
    public var headers: Headers { [] }
    /// None.
    public func body() throws -> RequestBody { .none }
    /// The defaults, so that those of the server count.
    public var options: RequestOptions { RequestOptions() }
    /// 200–299.
    public var acceptedStatuses: Range<Int> { 200..<300 }
    /// Any.
    public var acceptedContentTypes: [String]? { nil }
    /// Anything.
    public var shape: JSONShape? { nil }
    /// None.
    public var resultMessages: [String: String] { [:] }
    /// The response as it is.
    public func filter(_ response: Response) -> Response { response }
    /// Every output will do.
    public func validate(_ output: Output) {}
}

extension TypedEndpoint where Output: Decodable {
    /// Reads the body as JSON.
    public func output(of response: Response) throws -> Output { try response.decoded(as: Output.self) }
}

extension TypedEndpoint where Output == Response {
    /// The response itself.
    public func output(of response: Response) -> Response { response }
}
