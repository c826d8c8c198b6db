public import SortieBase
public import SortieHTTP

/// The `parameters:` of a workspace, a service or an endpoint: how nested values become `name=value` pairs (S0.32).
public struct ParameterStyle: Hashable, Sendable {
    /// `brackets`, `index`, `repeat` or `comma`.
    public var arrays: String?
    /// `words` (true, false) or `numbers` (1, 0).
    public var booleans: String?
    /// `omit`, or `empty` for a name with an empty value.
    public var nulls: String?
    /// The name of a ``ParameterCharset``.
    public var charset: String?

    /// Creates a style; nil values are unset.
    public init(arrays: String? = nil, booleans: String? = nil, nulls: String? = nil, charset: String? = nil) {
        self.arrays = arrays
        self.booleans = booleans
        self.nulls = nulls
        self.charset = charset
    }

    /// The values of ``arrays``.
    public static let arrayWords = ["brackets", "index", "repeat", "comma"]
    /// The values of ``booleans``.
    public static let booleanWords = ["words", "numbers"]
    /// The values of ``nulls``.
    public static let nullWords = ["omit", "empty"]

    /// The style with unset values replaced by those of `base`.
    public func over(_ base: ParameterStyle) -> ParameterStyle {
        ParameterStyle(
            arrays: arrays ?? base.arrays, booleans: booleans ?? base.booleans, nulls: nulls ?? base.nulls, charset: charset ?? base.charset)
    }

    /// The charset; UTF-8 by default.
    public var parameterCharset: ParameterCharset { charset.flatMap(ParameterCharset.init(named:)) ?? .utf8 }

    /// The rows for a nested value, in order; an omitted null becomes a disabled row.
    public func rows(of value: ParameterValue, named name: String) -> [Parameter] {
        var encoding = ParameterEncoding(nulls: .keyOnly)
        switch arrays {
        case "index": encoding.arrays = .indexed
        case "repeat": encoding.arrays = .repeated
        case "comma": encoding.arrays = .commaSeparated
        default: encoding.arrays = .brackets
        }
        if booleans == "numbers" { encoding.bools = .oneZero }
        return encoding.pairs(of: [.init(name, value)]).map { pair in
            Parameter(pair.name, pair.value ?? "", isEnabled: pair.value != nil || nulls == "empty")
        }
    }
}
