package import SortieBase
internal import Synchronization
package import WorkspaceModel

/// A description of an API (OpenAPI 3.0 to 3.2, Swagger 2.0) with which requests and responses are compared.
///
/// An operation is read when a request matches it, and a schema when a value reaches it; both are kept.
package final class OpenAPIContract: Sendable {
    /// What the description has for a request.
    package enum Match: Sendable {
        /// An operation, and the segments of the path below the base of the server.
        case operation(ContractOperation, path: [String])
        /// The path exists with these methods only.
        case methods([String])
        case nothing
    }

    /// The name of the document in reports.
    package let name: String
    /// The title of the API.
    package let title: String
    /// The operations in the order of the description.
    package let operations: [ContractOperation]
    /// The indices of the operations by the number of segments of their paths.
    private let bySegments: [Int: [Int]]
    /// The paths of the servers, in segments.
    private let bases: [[String]]
    private let parts: Mutex<ContractParts>

    /// Reads a description.
    ///
    /// - Throws: A diagnostic with the place where the document is malformed, or is no description.
    package init(_ source: ImportSource) throws(Diagnostic) {
        let parts = try ContractParts(source)
        let operations = parts.operations()
        guard !operations.isEmpty else { throw Diagnostic(parts.root.place, "the description has no operations below paths") }
        (name, title) = (source.name, OpenAPIText.line(parts.root["info"]?["title"]?.text) ?? source.name)
        self.operations = operations
        // An operation may have a list of servers.
        bases =
            parts.bases
            + operations.compactMap(\.servers).flatMap { parts.servers($0) }.map { PathTemplate.segments(of: PathTemplate.path(ofURL: $0.url)) }
        bySegments = Dictionary(grouping: operations.indices) { operations[$0].template.segments.count }
        self.parts = Mutex(parts)
    }

    /// The operation of a request.
    ///
    /// - Parameters:
    ///   - path: The path of the URL, percent-encoded.
    ///   - bases: The paths of the servers of the service, which precede those of the description.
    package func match(_ method: String, path: String, bases: [String] = []) -> Match {
        let segments = PathTemplate.segments(of: path)
        let known = Set(bases.map { PathTemplate.segments(of: $0) } + self.bases + [[]]).sorted { $0.count > $1.count }
        var methods: [String] = []
        for base in known where segments.starts(with: base) {
            let rest = Array(segments.dropFirst(base.count))
            let matching = (bySegments[rest.count] ?? []).lazy.map { self.operations[$0] }.filter { $0.template.matches(rest) }
            var own = matching.filter { $0.method == method }
            // HEAD has the operation of GET (RFC 9110 §9.3.2).
            if own.isEmpty, method == "HEAD" { own = matching.filter { $0.method == "GET" } }
            if let best = own.min(by: { $0.template.precedes($1.template) }) { return .operation(best, path: rest) }
            methods += matching.map(\.method)
        }
        return methods.isEmpty ? .nothing : .methods(Set(methods).sorted())
    }

    // MARK: Parts

    /// What the description has for an operation.
    func details(of operation: ContractOperation) -> ContractDetails { parts.withLock { $0.details(of: operation) } }

    /// The schema with a number.
    func schema(_ number: Int) throws(PatternError) -> JSONSchema {
        try parts.withLock { (parts) throws(PatternError) in try parts.schema(number) }
    }

    /// Works with the values of the description.
    func withParts<Result: Sendable>(_ work: @Sendable (ContractParts) -> Result) -> Result { parts.withLock { work($0) } }

    /// The members of the JSON objects of an operation that only requests have (`writeOnly`), and those that only responses have (`readOnly`).
    package func hiddenMembers(of operation: ContractOperation) -> (writeOnly: Set<String>, readOnly: Set<String>) {
        parts.withLock { parts in
            let details = parts.details(of: operation)
            let media = (details.body + details.responses.flatMap(\.media)).filter { OpenAPIMedia.isJSON($0.type) }
            let schemas = media.compactMap(\.schema).map { OpenAPISchema(parts.value($0), parts.reader) }
            func names(_ keyword: String, _ schemas: [OpenAPISchema]) -> Set<String> {
                Set(schemas.flatMap(\.properties).filter { OpenAPISchema($0.schema, parts.reader)[keyword]?.bool == true }.map(\.name))
            }
            // The items of a list: an array, or a member of an object.
            let lists = schemas + schemas.flatMap(\.properties).map { OpenAPISchema($0.schema, parts.reader) }
            let items = lists.compactMap { $0["items"] }.map { OpenAPISchema($0, parts.reader) }
            return (names("writeOnly", schemas + items), names("readOnly", schemas))
        }
    }

    /// The mistakes of the description with which nothing is compared, at most `limit`: references that cannot be followed, and keywords of schemas.
    package func problems(limit: Int) -> [Diagnostic] { parts.withLock { $0.problems(limit: limit) } }

    /// Why parts of schemas were not compared.
    func problems(ofSchemas numbers: Set<Int>) -> [Diagnostic] { parts.withLock { $0.problems(ofSchemas: numbers) } }

    /// The paths of the members of a value that a schema does not have, at most `limit`.
    func undescribedMembers(of value: JSONValue, by number: Int, limit: Int) -> [JSONPath] {
        parts.withLock { $0.undescribedMembers(of: value, by: number, limit: limit) }
    }
}

/// One operation of a description: a method and the template of a path.
package struct ContractOperation: Sendable {
    /// The position in ``OpenAPIContract/operations``; a negative number for an operation of a webhook or a callback.
    package let index: Int
    /// The method in capital letters.
    package let method: String
    /// The path as it is written.
    package let path: String
    /// The path, for comparisons.
    package let template: PathTemplate
    /// The operation, and the members that all operations of its path share.
    let value: OpenAPIValue
    let sharedParameters: OpenAPIValue?
    /// The servers of the operation or of its path; nil where they are those of the description.
    let servers: OpenAPIValue?

    /// Method and path.
    package var name: String { "\(method) \(path)" }

    /// The values of the parameters in a path of this form, by name; also of several in one segment, such as `{name}.{format}`.
    func pathValues(in segments: [String]) -> [String: String] {
        var values = template.values(in: segments)
        for (form, text) in zip(PathTemplate.segments(of: path), segments) where form.count(where: { $0 == "{" }) > 1 {
            var (form, rest) = (form[...], text[...])
            func literal() -> Substring {
                defer { form = form.drop { $0 != "{" } }
                return form.prefix { $0 != "{" }
            }
            rest = rest.dropFirst(literal().count)
            while let end = form.firstIndex(of: "}") {
                let name = String(form[form.index(after: form.startIndex)..<end])
                form = form[form.index(after: end)...]
                let isLast = !form.contains("{")
                let separator = literal()
                // A value has as much as possible: `a.b.pdf` is `a.b` and `pdf`.
                let ranges = separator.isEmpty ? [] : rest.ranges(of: separator)
                guard let range = isLast && separator.isEmpty ? rest.endIndex..<rest.endIndex : ranges.last else { break }
                values[name] = String(rest[..<range.lowerBound])
                rest = rest[range.upperBound...]
            }
        }
        return values
    }
}

/// The use of a value.
enum ContractDirection: Hashable, Sendable {
    case request, response

    /// The keyword of a property that values of this direction do not have.
    var hidingKeyword: String { self == .request ? "readOnly" : "writeOnly" }

    var opposite: ContractDirection { self == .request ? .response : .request }
}

/// What a description has for an operation.
struct ContractDetails: Sendable {
    /// The parameters in path, query, header and cookie.
    var parameters: [ContractParameter]
    /// Whether a parameter is the whole query, or an object whose properties are parameters of any name.
    var hasFreeQuery: Bool
    /// The whole query as a media type (`in: querystring`); nil without it.
    var query: ContractMedia?
    /// Whether a body must be sent; nil where none is described.
    var requiresBody: Bool?
    /// The media types of the body.
    var body: [ContractMedia]
    /// The fields of a form of Swagger 2.0, which have no common schema.
    var fields: [ContractParameter] = []
    /// The files of such a form, whose content is not compared.
    var files: [ContractParameter] = []
    /// The responses in the order of the description.
    var responses: [ContractResponse]
    /// The names of the parameters of the query that have credentials.
    var credentials: Set<String>
    /// The names of the fields that have credentials.
    var credentialFields: Set<String>
    /// The alternatives of credentials, each with its schemes and their scopes; an empty one permits requests without credentials.
    var credentialSets: [Set<String>]
    /// The place of the responses.
    var place: SourceLocation

    /// Whether a request without credentials is to be refused.
    var requiresCredentials: Bool { !credentialSets.contains([]) }

    /// The fields that are no parameters, in lower case: the body and the authentication determine them (OpenAPI 3.1 §4.8.12.1).
    static let ignoredFields = ["accept", "content-type", "authorization"]
}

/// A parameter of an operation, or a field of a response.
struct ContractParameter: Sendable {
    /// `path`, `query`, `header` or `cookie`.
    var location: String
    var name: String
    var isRequired: Bool
    /// Whether the empty text is a value, whatever the schema is (`allowEmptyValue`).
    var allowsEmpty: Bool
    var style: OpenAPIStyle
    /// Whether the text is JSON.
    var isJSON: Bool
    var shape: ContractShape
    /// The number of the schema.
    var schema: Int
    /// The schema, for generated values.
    var value: OpenAPIValue
    var place: SourceLocation

    /// Whether the text is written as pairs of names and values.
    var isPair: Bool { location == "query" || location == "cookie" || location == "formData" }

    /// Whether a value has the same text in another version of the parameter.
    func hasSameText(as other: ContractParameter) -> Bool {
        guard isJSON == other.isJSON else { return false }
        // A scalar is written as it is.
        if case .scalar = shape, case .scalar = other.shape { return style.prefix(for: "") == other.style.prefix(for: "") }
        return style == other.style
    }

    /// The name in reports: `query limit`, `request header X-ID`.
    var subject: String { location == "header" ? "request header \(name)" : location == "formData" ? "form \(name)" : "\(location) \(name)" }
}

/// The form of a value that is written as text.
indirect enum ContractShape: Sendable {
    /// A value of a type; nil where several types are possible.
    case scalar(String?)
    /// An array whose items have a type.
    case array(String?)
    /// An object whose properties have forms, those of objects in it up to two levels.
    case object([String: ContractShape])
    /// One of several forms, of which one is a list or an object.
    case choice([ContractShape])

    /// The forms among which a value has one.
    var choices: [ContractShape] { if case .choice(let shapes) = self { shapes } else { [self] } }
}

/// A media type of a body.
struct ContractMedia: Sendable {
    var type: String
    /// The number of the schema; nil for any value.
    var schema: Int?
    /// The types of the properties of a form, and the type of a text; of another media type, it is not known.
    var shape: ContractShape
    /// The styles of the properties, for forms (`encoding`).
    var styles: [String: OpenAPIStyle] = [:]
    /// The media type object, or the response of Swagger 2.0, for generated values; nil for a form of Swagger 2.0, whose fields are parameters.
    var value: OpenAPIValue?
    /// Whether the description names no type, as Swagger 2.0 permits.
    var isAssumed = false
    /// Whether parts of a multipart form are files or have a type, for which no values are generated.
    var hasTypedParts = false
    /// Whether it must be sent, of a query.
    var isRequired = false
}

extension [ContractMedia] {
    /// The media type object of a type: that of its name, else that of a range.
    func media(ofType type: String) -> ContractMedia? {
        [type, type.prefix { $0 != "/" } + "/*", "*/*", "*"].lazy.compactMap { name in first { $0.type == name } }.first
    }
}

/// A response of an operation.
struct ContractResponse: Sendable {
    /// `200`, `2XX` or `default`.
    var key: String
    /// The statuses; nil for `default`.
    var statuses: ClosedRange<Int>?
    var media: [ContractMedia]
    var headers: [ContractParameter]
    var links: [ContractResponseLink]
    var place: SourceLocation
}

/// A link of a response, for comparisons.
struct ContractResponseLink: Sendable {
    var name: String
    /// The operation to which it leads, and the values that it gives.
    var text: String
    var place: SourceLocation
}
