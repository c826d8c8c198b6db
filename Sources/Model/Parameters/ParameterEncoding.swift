/// How nested parameters become `name=value` pairs and those a text; every choice is explicit (S0.32).
public struct ParameterEncoding: Hashable, Sendable {
    /// How an array is written.
    public enum ArrayStyle: String, Hashable, Sendable, CaseIterable {
        /// `k[]=1&k[]=2`.
        case brackets
        /// `k[0]=1&k[1]=2`.
        case indexed
        /// `k=1&k=2`; items that are containers are written indexed, because they could not be told apart.
        case repeated
        /// `k=1,2`; an array with containers in it is written indexed.
        case commaSeparated
    }

    /// In which order members are written.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// By name, at every level.
        case sorted
        /// As they are.
        case given
    }

    /// How true and false are written.
    public enum BoolStyle: String, Hashable, Sendable, CaseIterable {
        case trueFalse, oneZero
    }

    /// How null is written.
    public enum NullStyle: String, Hashable, Sendable, CaseIterable {
        /// Not at all.
        case omit
        /// `k=`.
        case empty
        /// `k`.
        case keyOnly
    }

    /// How a moment is written.
    public enum DateStyle: String, Hashable, Sendable, CaseIterable {
        /// Seconds, with a fraction where there is one.
        case secondsSince1970
        /// Whole milliseconds.
        case millisecondsSince1970
        /// `2020-03-19T09:46:03Z`.
        case iso8601
    }

    /// How an array is written.
    public var arrays: ArrayStyle
    /// In which order members are written.
    public var order: Order
    /// How true and false are written.
    public var bools: BoolStyle
    /// How null is written.
    public var nulls: NullStyle
    /// How a moment is written.
    public var dates: DateStyle
    /// In which bytes characters are written.
    public var charset: ParameterCharset

    /// An encoding.
    public init(
        arrays: ArrayStyle = .brackets, order: Order = .given, bools: BoolStyle = .trueFalse, nulls: NullStyle = .omit,
        dates: DateStyle = .iso8601, charset: ParameterCharset = .utf8
    ) {
        self.arrays = arrays
        self.order = order
        self.bools = bools
        self.nulls = nulls
        self.dates = dates
        self.charset = charset
    }

    /// As the original's own pair builder has it: sorted, arrays repeated, null as a name without `=`, bools as numbers (S0.32).
    public static let legacy = ParameterEncoding(
        arrays: .repeated, order: .sorted, bools: .oneZero, nulls: .keyOnly, dates: .secondsSince1970)

    /// As AFNetworking has it: sorted, arrays with brackets (S0.32).
    public static let bracketed = ParameterEncoding(arrays: .brackets, order: .sorted, bools: .oneZero, nulls: .keyOnly, dates: .iso8601)
}
