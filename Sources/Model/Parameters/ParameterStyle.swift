/// The `parameters:` of a workspace, a service or an endpoint: how nested values become `name=value` pairs (S0.32).
public struct ParameterStyle: Hashable, Codable, Sendable {
    /// `brackets`, `index`, `repeat` or `comma`.
    public var arrays: String?
    /// `words` (true, false) or `numbers` (1, 0).
    public var booleans: String?
    /// `omit`, or `empty` for a name with nothing behind its `=`.
    public var nulls: String?
    /// In which bytes characters are written: the name of a ``ParameterCharset``.
    public var charset: String?

    /// A style that says nothing.
    public init(arrays: String? = nil, booleans: String? = nil, nulls: String? = nil, charset: String? = nil) {
        self.arrays = arrays
        self.booleans = booleans
        self.nulls = nulls
        self.charset = charset
    }

    /// The words that each key takes.
    public static let arrayWords = ["brackets", "index", "repeat", "comma"]
    /// The words for true and false.
    public static let booleanWords = ["words", "numbers"]
    /// The words for null.
    public static let nullWords = ["omit", "empty"]

    /// This style where it says something, else `base`.
    public func over(_ base: ParameterStyle) -> ParameterStyle {
        ParameterStyle(
            arrays: arrays ?? base.arrays, booleans: booleans ?? base.booleans, nulls: nulls ?? base.nulls, charset: charset ?? base.charset)
    }

    /// The charset; UTF-8 where nothing is said.
    public var parameterCharset: ParameterCharset { charset.flatMap(ParameterCharset.init(named:)) ?? .utf8 }

    /// The rows that a nested value makes, in its order; a null that is left out is a row that is not sent.
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
