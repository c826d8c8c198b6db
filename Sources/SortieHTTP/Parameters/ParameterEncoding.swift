public import SortieBase

/// The options for writing nested parameters as `name=value` pairs and pairs as text; every choice is explicit.
///
/// The raw value of a choice is its name in the files of workspaces.
public struct ParameterEncoding: Hashable, Sendable {
    /// The form of an array.
    public enum ArrayStyle: String, Hashable, Sendable, CaseIterable {
        /// `k[]=1&k[]=2`.
        case brackets
        /// `k[0]=1&k[1]=2`.
        case indexed = "index"
        /// `k=1&k=2`; containers in the array are written with indices, because they could not be distinguished otherwise.
        case repeated = "repeat"
        /// `k=1,2`; an array that contains containers is written with indices.
        case commaSeparated = "comma"
    }

    /// The form of an object.
    public enum ObjectStyle: String, Hashable, Sendable, CaseIterable {
        /// `k[name]=1`.
        case brackets
        /// JSON text: `k={"name":1}`.
        case json
    }

    /// The order of members.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// The original order.
        case given
        /// Sorted by name, at every level.
        case sorted
    }

    /// The form of true and false.
    public enum BoolStyle: String, Hashable, Sendable, CaseIterable {
        case trueFalse = "words"
        case oneZero = "numbers"
    }

    /// The form of null.
    public enum NullStyle: String, Hashable, Sendable, CaseIterable {
        /// Omitted.
        case omit
        /// `k=`.
        case empty
        /// `k`.
        case keyOnly = "name"
    }

    /// The form of a date.
    public enum DateStyle: String, Hashable, Sendable, CaseIterable {
        /// `2020-03-19T09:46:03Z`.
        case iso8601
        /// Seconds, with a fraction if there is one.
        case secondsSince1970 = "seconds"
        /// Whole milliseconds.
        case millisecondsSince1970 = "milliseconds"
    }

    /// The form of an array.
    public var arrays: ArrayStyle
    /// The form of an object.
    public var objects: ObjectStyle
    /// The order of members.
    public var order: Order
    /// The form of true and false.
    public var bools: BoolStyle
    /// The form of null.
    public var nulls: NullStyle
    /// The form of a date.
    public var dates: DateStyle
    /// The character encoding.
    public var charset: ParameterCharset

    /// Creates an encoding.
    public init(
        arrays: ArrayStyle = .brackets, objects: ObjectStyle = .brackets, order: Order = .given, bools: BoolStyle = .trueFalse,
        nulls: NullStyle = .omit, dates: DateStyle = .iso8601, charset: ParameterCharset = .utf8
    ) {
        (self.arrays, self.objects, self.order, self.bools, self.nulls) = (arrays, objects, order, bools, nulls)
        (self.dates, self.charset) = (dates, charset)
    }
}

extension ParameterEncoding {
    /// The pairs of named values, not encoded.
    ///
    /// Members of an object become `k[name]`; an empty container gives no pair; a set is sorted and its name repeated.
    package func pairs(of members: [ParameterValue.Member]) -> [ParameterPair] {
        var pairs: [ParameterPair] = []
        for member in ordered(members) { append(member.value, as: member.name, to: &pairs) }
        return pairs
    }

    /// The pairs as the query of a URL, percent-encoded in the charset; a space is `%20`.
    ///
    /// - Throws: A `ParameterCharset.Problem` with a character that cannot be encoded.
    package func query(of members: [ParameterValue.Member]) throws(ParameterCharset.Problem) -> String {
        try text(of: pairs(of: members), allowed: .unreserved)
    }

    /// The pairs as `application/x-www-form-urlencoded`; a space is `+`.
    ///
    /// - Throws: The errors of ``query(of:)``.
    package func form(of members: [ParameterValue.Member]) throws(ParameterCharset.Problem) -> String {
        try text(of: pairs(of: members), allowed: .form)
    }

    /// Pairs as text, percent-encoded in the charset.
    ///
    /// - Throws: The errors of ``query(of:)``.
    package func text(of pairs: [ParameterPair], allowed: PercentEncoding.Allowed) throws(ParameterCharset.Problem) -> String {
        var items: [String] = []
        items.reserveCapacity(pairs.count)
        for pair in pairs {
            if let spelling = pair.spelling, allowed == .unreserved {
                items.append(spelling)
                continue
            }
            let name = try charset.percentEncoded(pair.name, allowed: allowed)
            guard let value = pair.value else {
                items.append(name)
                continue
            }
            items.append("\(name)=\(try charset.percentEncoded(value, allowed: allowed))")
        }
        return items.joined(separator: "&")
    }

    private func ordered(_ members: [ParameterValue.Member]) -> [ParameterValue.Member] {
        order == .given ? members : members.sorted { ParameterPair.precedes($0.name, $1.name) }
    }

    /// A value as JSON, with its dates in the style of the encoding; members of an object are sorted where the encoding sorts.
    public func json(_ value: ParameterValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .integer(let value): .integer(value)
        case .number(let value): value.isFinite ? .number(ParameterValue.text(of: value)) : .null
        case .bool(let value): .bool(value)
        case .null: .null
        case .date(let seconds): dates == .iso8601 ? .string(text(ofDate: seconds)) : .number(text(ofDate: seconds))
        case .array(let items): .array(items.map(json))
        case .set(let items): .array(items.map(json).sorted { ParameterPair.precedes($0.text, $1.text) })
        case .object(let members): .object(ordered(members).map { .init($0.name, json($0.value)) })
        }
    }

    private func append(_ value: ParameterValue, as name: String, to pairs: inout [ParameterPair]) {
        switch value {
        case .null:
            switch nulls {
            case .omit: break
            case .empty: pairs.append(.init(name, ""))
            case .keyOnly: pairs.append(.init(name, nil))
            }
        case .object where objects == .json: pairs.append(.init(name, json(value).compactText))
        case .object(let members):
            for member in ordered(members) { append(member.value, as: "\(name)[\(member.name)]", to: &pairs) }
        case .array(let items): append(items, as: name, to: &pairs)
        case .set(let items):
            let texts = items.filter { !$0.isContainer }.map { text(of: $0) ?? "" }
            pairs += texts.sorted(by: ParameterPair.precedes).map { ParameterPair(name, $0) }
            append(items.filter(\.isContainer), as: name, to: &pairs)
        default: pairs.append(.init(name, text(of: value)))
        }
    }

    private func append(_ items: [ParameterValue], as name: String, to pairs: inout [ParameterPair]) {
        let hasContainers = items.contains(where: \.isContainer)
        if arrays == .commaSeparated, !hasContainers {
            let texts = items.compactMap { item in text(of: item) ?? (nulls == .omit ? nil : "") }
            if !texts.isEmpty { pairs.append(.init(name, texts.joined(separator: ","))) }
            return
        }
        for (index, item) in items.enumerated() {
            let isIndexed = arrays == .indexed || (arrays == .commaSeparated) || (arrays == .repeated && item.isContainer)
            append(item, as: isIndexed ? "\(name)[\(index)]" : arrays == .brackets ? "\(name)[]" : name, to: &pairs)
        }
    }

    /// A scalar as text; nil for null and for containers.
    private func text(of value: ParameterValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let value): String(value)
        case .number(let value): ParameterValue.text(of: value)
        case .bool(let value): bools == .oneZero ? (value ? "1" : "0") : String(value)
        case .date(let seconds): text(ofDate: seconds)
        case .null, .array, .set, .object: nil
        }
    }

    private func text(ofDate seconds: Double) -> String {
        switch dates {
        case .secondsSince1970: ParameterValue.text(of: seconds)
        case .millisecondsSince1970: ParameterValue.text(of: (seconds * 1000).rounded())
        case .iso8601: CalendarTime(secondsSince1970: seconds).iso8601
        }
    }
}

extension ParameterValue {
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .set, .object: true
        default: false
        }
    }
}

/// The places and the order of the parameters that a signature in the query covers.
///
/// Public parameters sorted by name, then business parameters sorted by name, then `sign`. Public parameters are always in the query.
package enum SignedParameterOrder {
    /// The name of the signature parameter.
    package static let signName = "sign"

    /// Whether business parameters of a method are in the query.
    package static func isInQuery(_ method: HTTPMethod) -> Bool { method == .get || method == .head || method == .delete }

    /// The URL with the signature as the last parameter, in place of an earlier one.
    package static func url(_ url: HTTPURL, signed sign: String, name: String = signName) -> HTTPURL {
        unsigned(url, name: name).appending(query: [(name: name, value: sign)])
    }

    /// The URL without a signature.
    package static func unsigned(_ url: HTTPURL, name: String = signName) -> HTTPURL {
        guard let query = url.query else { return url }
        var result = url
        let rest = query.split(separator: "&").filter { $0 != name && !$0.hasPrefix(name + "=") }.joined(separator: "&")
        result.query = rest.isEmpty ? nil : rest
        return result
    }

    /// Sorts the items of a query or a form by their decoded names without changing them; items of one name keep their order.
    package static func sorted(_ text: String, plusIsSpace: Bool = false) -> String {
        text.split(separator: "&")
            .map { item in (item, PercentEncoding.decode(item.prefix { $0 != "=" }, plusIsSpace: plusIsSpace)) }
            .sorted { ParameterPair.precedes($0.1, $1.1) }
            .map { String($0.0) }.joined(separator: "&")
    }
}

/// Writes parameters as the text of a query or a form.
///
/// ``ParameterEncoding`` is the standard encoder; a program conforms its own type where a server expects another notation.
public protocol ParameterEncoder: Sendable {
    /// The text of the parameters, percent-encoded; an empty text adds nothing.
    ///
    /// - Throws: Any error; the call ends with it before anything is sent.
    func text(of parameters: [ParameterValue.Member], in place: ParameterPlace) throws -> String
    /// The media type of a form.
    var formType: String { get }
}

/// Where encoded parameters are sent.
public enum ParameterPlace: String, Hashable, Sendable, CaseIterable {
    /// The query of the URL, in which a space is `%20`.
    case query
    /// A body of the type `application/x-www-form-urlencoded`, in which a space is `+`.
    case form
}

extension ParameterEncoder {
    /// `application/x-www-form-urlencoded`.
    public var formType: String { "application/x-www-form-urlencoded" }
}

extension ParameterEncoding: ParameterEncoder {
    /// The pairs of the parameters as text.
    ///
    /// - Throws: The errors of `query(of:)`.
    public func text(of parameters: [ParameterValue.Member], in place: ParameterPlace) throws -> String {
        switch place {
        case .query: try query(of: parameters)
        case .form: try form(of: parameters)
        }
    }

    /// `application/x-www-form-urlencoded`, with the charset where it is not UTF-8.
    public var formType: String {
        "application/x-www-form-urlencoded" + (charset == .utf8 ? "" : "; charset=\(charset.rawValue)")
    }
}

/// A `name=value` item of a query or a form, decoded.
package struct ParameterPair: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The value; nil for a name without `=`.
    package var value: String?
    /// The text of the item in a query, where it is not the usual encoding of name and value.
    package var spelling: String?

    /// Creates a pair.
    package init(_ name: String, _ value: String?) {
        (self.name, self.value) = (name, value)
    }

    /// The pairs of a query or form text, decoded as UTF-8, in order.
    ///
    /// - Parameters:
    ///   - text: The query without its `?`, or the form.
    ///   - plusIsSpace: True for a form body; in a query, `+` has no special meaning (RFC 3986).
    package static func pairs(of text: String, plusIsSpace: Bool = false) -> [ParameterPair] {
        text.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { PercentEncoding.decode($0, plusIsSpace: plusIsSpace) }
            return ParameterPair(decoded.first ?? "", decoded.count > 1 ? decoded[1] : nil)
        }
    }

    /// `name=value` without any encoding, or `name`.
    package var text: String { value.map { "\(name)=\($0)" } ?? name }

    /// The order of signed parameters: by UTF-16 code units, as NSString compares.
    package static func precedes(_ left: String, _ right: String) -> Bool { left.utf16.lexicographicallyPrecedes(right.utf16) }
}

extension Sequence<ParameterPair> {
    /// The pairs sorted by name; pairs of one name keep their order.
    package var sortedByName: [ParameterPair] { sorted { ParameterPair.precedes($0.name, $1.name) } }
}

/// Where a request sends its parameters.
public enum ParameterPlacement: String, Hashable, Sendable, CaseIterable {
    /// In the query of the URL.
    case query
    /// By method: in the query for GET, HEAD and DELETE, and otherwise in a form.
    case byMethod = "method"
    /// By method: in the query for GET, HEAD and DELETE, and otherwise as a JSON object in the body.
    case json

    /// Whether the parameters of a request are in its query.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - hasBody: Whether the request has a body already, which leaves no other place.
    package func isQuery(for method: HTTPMethod, hasBody: Bool) -> Bool {
        self == .query || hasBody || SignedParameterOrder.isInQuery(method)
    }
}
