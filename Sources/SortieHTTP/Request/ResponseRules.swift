public import SortieBase

/// The conditions for a response to count as success, besides the service's envelope.
///
/// The fields that are passed to the initializer, or assigned, take precedence over those of the layers below.
public struct ResponseRules: Hashable, Sendable {
    /// The statuses that count as success; nil leaves the decision to the service.
    @Layered public var statuses: [ClosedRange<Int>]?
    /// The accepted media types, without parameters; nil accepts any.
    @Layered public var contentTypes: [String]?
    /// The format that the body must have, whatever its type is; nil for any.
    @Layered public var format: ResponseFormat?
    /// The JSON Schema of the body, which `JSONSchema(shape:)` makes of an example; nil for none.
    @Layered public var schema: JSONSchema?
    /// Makes the value of the call from the body of a successful response; nil leaves it as it is.
    @Layered public var reform: Reform?
    /// Messages for the user by the server's result codes; they take precedence over those of the service and the server.
    @Layered public var messages: [String: String] = [:]

    /// The media types that one-line calls accept.
    public static let jsonTypes = ["application/json", "text/json", "text/javascript"]

    /// Creates rules that accept every response; an argument that is not nil assigns its field.
    public init(
        statuses: [ClosedRange<Int>]? = nil, contentTypes: [String]? = nil, format: ResponseFormat? = nil, schema: JSONSchema? = nil,
        messages: [String: String]? = nil, reform: Reform? = nil
    ) {
        if let statuses { self.statuses = statuses }
        if let contentTypes { self.contentTypes = contentTypes }
        if let format { self.format = format }
        if let schema { self.schema = schema }
        if let messages { self.messages = messages }
        if let reform { self.reform = reform }
    }

    /// Takes the rules of the layer below that this one does not have.
    package mutating func inherit(from lower: ResponseRules, _ merge: inout LayerMerge) {
        _statuses.inherit(lower._statuses, &merge)
        _contentTypes.inherit(lower._contentTypes, &merge)
        _format.inherit(lower._format, &merge)
        _schema.inherit(lower._schema, &merge)
        _messages.inherit(lower._messages, &merge)
        _reform.inherit(lower._reform, &merge)
    }

    /// Whether a status is accepted; nil where the rules leave the decision to the service.
    package func accepts(status: Int) -> Bool? {
        statuses.map { $0.contains { $0.contains(status) } }
    }

    /// Why a `Content-Type` is rejected; nil when it is accepted.
    package func problem(ofContentType contentType: String?) -> String? {
        guard let contentTypes else { return nil }
        let essence = contentType.flatMap(MediaType.init)?.essence
        guard essence.map(contentTypes.contains) != true else { return nil }
        return "the body is \(essence ?? "of no type"), not \(contentTypes.joined(separator: " or "))"
    }
}

/// A declared reformer: names with the paths of the values in a JSON body that make the result.
public struct Reform: Hashable, Sendable {
    /// One value of the result.
    public struct Member: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its place in the body, or in the result of the service's envelope.
        public var path: JSONPath

        /// Creates a member.
        public init(name: String, path: JSONPath) {
            (self.name, self.path) = (name, path)
        }
    }

    /// The values, in order.
    public var members: [Member]

    /// Creates a reformer.
    public init(_ members: [Member]) {
        self.members = members
    }

    /// Creates a reformer from the texts of paths.
    ///
    /// - Throws: A `JSONPathError` for the first path that is invalid.
    public init(paths: [(name: String, path: String)]) throws(JSONPathError) {
        var members: [Member] = []
        for pair in paths { members.append(Member(name: pair.name, path: try JSONPath(pair.path))) }
        self.members = members
    }
}

/// The format in which a body is read.
public enum ResponseFormat: String, Hashable, Codable, Sendable, CaseIterable {
    /// Text in the charset that the response declares.
    case text
    case json
    /// XML, whose tree is an object (`XMLTree.json`).
    case xml
    /// An XML property list.
    case plist
}

/// The rule for automatically switching to the next server of a ring.
public struct ServerSwitchRule: Hashable, Sendable {
    /// The number of recent results that are evaluated; no switch takes place before there are this many.
    public var after: Int
    /// The share of failures at which the server is switched.
    public var errorRate: Double
    /// Whether a 5xx status counts as a failure; false by default, because it is a response.
    public var countsServerErrors: Bool
    /// The response field with which a server of the ring switches to the server with that number, from 1; nil for none.
    ///
    /// A number above the number of servers counts modulo, so that a server cannot name one that the service does not have.
    public var field: String?

    /// Creates a rule; the default is a tenth of failures among 40 requests.
    public init(after: Int = 40, errorRate: Double = 0.1, countsServerErrors: Bool = false, field: String? = nil) {
        (self.after, self.errorRate, self.countsServerErrors, self.field) = (after, errorRate, countsServerErrors, field)
    }

    /// Whether the number of failures among the last `after` results requires a switch.
    ///
    /// Integers are compared, so that 4 of 40 are exactly a tenth.
    package func isReached(failures: Int) -> Bool {
        failures > 0 && failures * 10_000 >= Int((errorRate * 10_000).rounded()) * after
    }
}

/// The active server of a ring, and the number of switches.
package struct ServerTurn: Hashable, Sendable {
    /// The index of the server, from 0.
    package var index: Int
    /// The number of switches; results of requests from an earlier generation do not count for the active server.
    package var generation: Int

    /// Creates a value.
    package init(index: Int, generation: Int) {
        (self.index, self.generation) = (index, generation)
    }
}
