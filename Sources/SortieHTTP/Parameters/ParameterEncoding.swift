internal import SortieBase

/// The options for writing nested parameters as `name=value` pairs and pairs as text; every choice is explicit.
public struct ParameterEncoding: Hashable, Sendable {
    /// The form of an array.
    public enum ArrayStyle: String, Hashable, Sendable, CaseIterable {
        /// `k[]=1&k[]=2`.
        case brackets
        /// `k[0]=1&k[1]=2`.
        case indexed
        /// `k=1&k=2`; containers in the array are written with indices, because they could not be distinguished otherwise.
        case repeated
        /// `k=1,2`; an array that contains containers is written with indices.
        case commaSeparated
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
        /// Sorted by name, at every level.
        case sorted
        /// The original order.
        case given
    }

    /// The form of true and false.
    public enum BoolStyle: String, Hashable, Sendable, CaseIterable {
        case trueFalse, oneZero
    }

    /// The form of null.
    public enum NullStyle: String, Hashable, Sendable, CaseIterable {
        /// Omitted.
        case omit
        /// `k=`.
        case empty
        /// `k`.
        case keyOnly
    }

    /// The form of a date.
    public enum DateStyle: String, Hashable, Sendable, CaseIterable {
        /// Seconds, with a fraction if there is one.
        case secondsSince1970
        /// Whole milliseconds.
        case millisecondsSince1970
        /// `2020-03-19T09:46:03Z`.
        case iso8601
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
        self.arrays = arrays
        self.objects = objects
        self.order = order
        self.bools = bools
        self.nulls = nulls
        self.dates = dates
        self.charset = charset
    }

    /// The options of the original's pair builder: sorted, arrays repeated, null as a name without `=`, booleans as numbers.
    public static let legacy = ParameterEncoding(
        arrays: .repeated, order: .sorted, bools: .oneZero, nulls: .keyOnly, dates: .secondsSince1970)
}
