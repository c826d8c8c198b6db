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
    /// That of the base.
    public var service: String? { base.service }
    /// That of the base.
    public var method: HTTPMethod { base.method }
    /// That of the base.
    public var path: String { base.path }
    /// That of the base.
    public var tag: RequestTag? { base.tag }
    /// Those of the base.
    public var query: [(name: String, value: String)] { base.query }
    /// That of the base.
    public var parameterPlacement: ParameterPlacement { base.parameterPlacement }
    /// That of the base.
    public var parameterEncoder: any ParameterEncoder { base.parameterEncoder }
    /// Those of the base.
    public var parameterRules: [ParameterRule] { base.parameterRules }
    /// Those of the base.
    public var headers: Headers { base.headers }
    /// That of the base.
    public func body() throws -> RequestBody { try base.body() }
    /// Those of the base.
    public var options: RequestOptions { base.options }
    /// Those of the base.
    public var plugins: [any Plugin] { base.plugins }
    /// That of the base.
    public var encryptor: (any BodyEncryptor)? { base.encryptor }
    /// That of the base.
    public var decoder: any JSONBodyDecoder { base.decoder }
    /// Those of the base.
    public var acceptedStatuses: Range<Int> { base.acceptedStatuses }
    /// Those of the base.
    public var acceptedContentTypes: [String]? { base.acceptedContentTypes }
    /// That of the base.
    public var shape: JSONShape? { base.shape }
    /// Those of the base.
    public var resultMessages: [String: String] { base.resultMessages }
    /// That of the base.
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
    /// That of the base.
    public func output(of response: Response) throws -> Output { try base.output(of: response) }
    /// That of the base.
    public func validate(_ output: Output) throws { try base.validate(output) }
}

extension RefinedEndpoint where Output == Base.Output, Output: Decodable {
    /// That of the base.
    public func output(of response: Response) throws -> Output { try base.output(of: response) }
}

extension RefinedEndpoint where Output == Base.Output, Output == JSONValue {
    /// That of the base.
    public func output(of response: Response) throws -> Output { try base.output(of: response) }
}

extension RefinedEndpoint where Output == Base.Output, Output == Response {
    /// That of the base.
    public func output(of response: Response) throws -> Output { try base.output(of: response) }
}
