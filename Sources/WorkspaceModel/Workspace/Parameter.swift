package import SortieBase
package import SortieHTTP

/// One row of an editable list: a query parameter, a header field, or a form field.
package struct Parameter: Hashable, Sendable {
    /// The name; may contain `{{templates}}`.
    package var name: String { didSet { if name != oldValue { spelling = nil } } }
    /// The value; may contain `{{templates}}`.
    package var value: String { didSet { if value != oldValue { spelling = nil } } }
    /// Whether the row is sent.
    package var isEnabled: Bool
    /// The description of the row.
    package var summary: String?
    /// Whether an empty value is sent as the name without `=`.
    package var isNameOnly = false { didSet { if isNameOnly != oldValue { spelling = nil } } }
    /// Its text in the query of a URL as it was typed, where the name and the value would be encoded in another way; nil after a change of them.
    package var spelling: String?

    /// Creates a row.
    package init(_ name: String, _ value: String, isEnabled: Bool = true, summary: String? = nil) {
        self.name = name
        self.value = value
        self.isEnabled = isEnabled
        self.summary = summary
    }
}

/// The `parameters:` of a workspace, a service or an endpoint: how nested values become `name=value` pairs, where they are sent, and
/// what they must be.
package struct ParameterStyle: Hashable, Sendable {
    /// `brackets`, `index`, `repeat` or `comma`.
    package var arrays: String?
    /// `brackets`, or `json` for mappings as JSON text.
    package var nested: String?
    /// `words` (true, false) or `numbers` (1, 0).
    package var booleans: String?
    /// `omit`, `empty` for a name with an empty value, or `name` for a name without `=`.
    package var nulls: String?
    /// `iso8601`, `seconds` or `milliseconds`.
    package var dates: String?
    /// `given` or `sorted`.
    package var order: String?
    /// `query`, or `method` for a form unless the method is GET, HEAD or DELETE.
    package var place: String?
    /// The name of a ``ParameterCharset``.
    package var charset: String?
    /// The rules in the order of the file.
    package var rules: [ParameterRule] = []

    /// Creates a style; nil values are unset.
    package init(arrays: String? = nil, booleans: String? = nil, nulls: String? = nil, charset: String? = nil) {
        self.arrays = arrays
        self.booleans = booleans
        self.nulls = nulls
        self.charset = charset
    }

    /// The values of ``arrays``.
    package static let arrayWords = ["brackets", "index", "repeat", "comma"]
    /// The values of ``nested``.
    package static let nestedWords = ["brackets", "json"]
    /// The values of ``booleans``.
    package static let booleanWords = ["words", "numbers"]
    /// The values of ``nulls``.
    package static let nullWords = ["omit", "empty", "name"]
    /// The values of ``dates``.
    package static let dateWords = ["iso8601", "seconds", "milliseconds"]
    /// The values of ``order``.
    package static let orderWords = ["given", "sorted"]
    /// The values of ``place``.
    package static let placeWords = ["query", "method"]

    /// The style with unset values replaced by those of `base`; a rule replaces the one of `base` for the same parameter.
    package func over(_ base: ParameterStyle) -> ParameterStyle {
        var result = ParameterStyle(
            arrays: arrays ?? base.arrays, booleans: booleans ?? base.booleans, nulls: nulls ?? base.nulls, charset: charset ?? base.charset)
        result.nested = nested ?? base.nested
        result.dates = dates ?? base.dates
        result.order = order ?? base.order
        result.place = place ?? base.place
        let own = Set(rules.map(\.name))
        result.rules = base.rules.filter { !own.contains($0.name) } + rules
        return result
    }

    /// The charset; UTF-8 by default.
    package var parameterCharset: ParameterCharset { charset.flatMap(ParameterCharset.init(named:)) ?? .utf8 }

    /// Where the parameters are sent; the query by default.
    package var placement: ParameterPlacement { place == "method" ? .byMethod : .query }

    /// Whether mappings are sent as JSON text.
    package var writesJSON: Bool { nested == "json" }

    /// The encoding with these options; null is a name without `=`.
    private var encoding: ParameterEncoding {
        var encoding = ParameterEncoding(objects: writesJSON ? .json : .brackets, order: order == "sorted" ? .sorted : .given, nulls: .keyOnly)
        switch arrays {
        case "index": encoding.arrays = .indexed
        case "repeat": encoding.arrays = .repeated
        case "comma": encoding.arrays = .commaSeparated
        default: encoding.arrays = .brackets
        }
        if booleans == "numbers" { encoding.bools = .oneZero }
        switch dates {
        case "seconds": encoding.dates = .secondsSince1970
        case "milliseconds": encoding.dates = .millisecondsSince1970
        default: encoding.dates = .iso8601
        }
        return encoding
    }

    /// The rows for a nested value, in order; an omitted null becomes a disabled row.
    package func rows(of value: ParameterValue, named name: String) -> [Parameter] {
        encoding.pairs(of: [.init(name, value)]).map { pair in
            var row = Parameter(pair.name, pair.value ?? "", isEnabled: pair.value != nil || nulls == "empty" || nulls == "name")
            row.isNameOnly = pair.value == nil && nulls == "name"
            return row
        }
    }
}
