public import SortieHTTP

/// An endpoint that refines another one: what it does not define is that of its base.
///
/// ```swift
/// struct OpenOrders: RefinedEndpoint, Encodable {
///     var base = Orders(page: 1)
///     var status = "open"
/// }
/// ```
///
/// The parameters of the base come first, and those of the same name take their places; the property `base` itself is none. An endpoint that
/// defines `headers` or `options` adds to those of the base with `base.headers` and `base.options`.
public protocol RefinedEndpoint: TypedEndpoint {
    /// The type of the refined endpoint.
    associatedtype Base: TypedEndpoint
    /// The type of the result; that of the base by default.
    associatedtype Output = Base.Output

    /// The endpoint that is refined.
    var base: Base { get }
}

extension RefinedEndpoint {
    /// The value of the base.
    public var service: String? { base.service }
    /// The value of the base.
    public var method: HTTPMethod { base.method }
    /// The value of the base.
    public var path: String { base.path }
    /// The value of the base.
    public var tag: RequestTag? { base.tag }
    /// The values of the base.
    public var query: [(name: String, value: String)] { base.query }
    /// The value of the base.
    public var parameterPlacement: ParameterPlacement { base.parameterPlacement }
    /// The value of the base.
    public var parameterEncoder: any ParameterEncoder { base.parameterEncoder }
    /// The values of the base.
    public var parameterRules: [ParameterRule] { base.parameterRules }
    /// The values of the base.
    public var headers: Headers { base.headers }
    /// The value of the base.
    public func body() throws -> RequestBody { try base.body() }
    /// The values of the base.
    public var options: RequestOptions { base.options }
    /// The values of the base.
    public var plugins: [any Plugin] { base.plugins }
    /// The value of the base.
    public var encryptor: (any BodyEncryptor)? { base.encryptor }
    /// The value of the base.
    public var decoder: any JSONBodyDecoder { base.decoder }
    /// The values of the base.
    public var acceptedStatuses: Range<Int> { base.acceptedStatuses }
    /// The values of the base.
    public var acceptedContentTypes: [String]? { base.acceptedContentTypes }
    /// The value of the base.
    public var schema: JSONSchema? { base.schema }
    /// The values of the base.
    public var resultMessages: [String: String] { base.resultMessages }
    /// The value of the base.
    public func filter(_ response: Response) throws -> Response { try base.filter(response) }
}

extension RefinedEndpoint where Self: Encodable {
    /// Those of the base, and the stored properties except `base`.
    public func parameters() throws -> [ParameterValue.Member] {
        var members = try base.parameters()
        for member in try ParameterValue.members(encoding: self) where member.name != "base" {
            if let index = members.firstIndex(where: { $0.name == member.name }) { members[index] = member } else { members.append(member) }
        }
        return members
    }
}

extension RefinedEndpoint where Output == Base.Output {
    /// The value of the base.
    public func output(of response: Response) throws -> Output { try base.output(of: response) }
    /// The value of the base.
    public func validate(_ output: Output) throws { try base.validate(output) }
}

extension RefinedEndpoint where Output == Base.Output, Output: Decodable {
    /// The value of the base.
    public func output(of response: Response) throws -> Output { try base.output(of: response) }
}

extension RefinedEndpoint where Output == Base.Output, Output == JSONValue {
    /// The value of the base.
    public func output(of response: Response) throws -> Output { try base.output(of: response) }
}

extension RefinedEndpoint where Output == Base.Output, Output == Response {
    /// The value of the base.
    public func output(of response: Response) throws -> Output { try base.output(of: response) }
}
