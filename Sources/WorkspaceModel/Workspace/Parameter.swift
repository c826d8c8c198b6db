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
        (self.name, self.value, self.isEnabled, self.summary) = (name, value, isEnabled, summary)
    }
}

/// The `parameters:` of a workspace, a service or an endpoint: how nested values become `name=value` pairs, where they are sent, and
/// what they must be.
package struct ParameterStyle: Hashable, Sendable {
    /// The form of a list.
    package var arrays: ParameterEncoding.ArrayStyle?
    /// The form of a mapping.
    package var nested: ParameterEncoding.ObjectStyle?
    /// The form of true and false.
    package var booleans: ParameterEncoding.BoolStyle?
    /// The form of null.
    package var nulls: ParameterEncoding.NullStyle?
    /// The form of a date.
    package var dates: ParameterEncoding.DateStyle?
    /// The order of members.
    package var order: ParameterEncoding.Order?
    /// Where the parameters are sent: ``ParameterPlacement/query`` or ``ParameterPlacement/byMethod``.
    package var place: ParameterPlacement?
    /// The name of a ``ParameterCharset``, in the spelling of the file.
    package var charset: String?
    /// The rules in the order of the file.
    package var rules: [ParameterRule] = []

    /// Creates a style; nil values are unset.
    package init(
        arrays: ParameterEncoding.ArrayStyle? = nil, booleans: ParameterEncoding.BoolStyle? = nil, nulls: ParameterEncoding.NullStyle? = nil,
        charset: String? = nil
    ) {
        (self.arrays, self.booleans, self.nulls, self.charset) = (arrays, booleans, nulls, charset)
    }

    /// The values of ``place``.
    package static let places = [ParameterPlacement.query, .byMethod]

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
    package var placement: ParameterPlacement { place ?? .query }

    /// Whether mappings are sent as JSON text.
    package var writesJSON: Bool { nested == .json }

    /// The encoding with these options; null is a name without `=`.
    private var encoding: ParameterEncoding {
        ParameterEncoding(
            arrays: arrays ?? .brackets, objects: nested ?? .brackets, order: order ?? .given, bools: booleans ?? .trueFalse, nulls: .keyOnly,
            dates: dates ?? .iso8601)
    }

    /// The rows for a nested value, in order; an omitted null becomes a disabled row.
    package func rows(of value: ParameterValue, named name: String) -> [Parameter] {
        encoding.pairs(of: [.init(name, value)]).map { pair in
            var row = Parameter(pair.name, pair.value ?? "", isEnabled: pair.value != nil || nulls == .empty || nulls == .keyOnly)
            row.isNameOnly = pair.value == nil && nulls == .keyOnly
            return row
        }
    }
}
