/// A part of a filter.
indirect enum JSONTerm: Hashable, Sendable {
    /// `.`
    case identity
    /// `$.items[*]`
    case path(JSONPath)
    /// `..`
    case descendants
    case field(String, position: Int)
    case index(Int, position: Int)
    case slice(JSONPathSlice, position: Int)
    /// `.[]`
    case iterate(position: Int)
    case literal(JSONValue)
    /// A text with `\(…)`.
    case interpolation([JSONTerm])
    case array(JSONTerm?)
    case object([Member])
    case pipe(JSONTerm, JSONTerm)
    case comma(JSONTerm, JSONTerm)
    case alternative(JSONTerm, JSONTerm)
    case or(JSONTerm, JSONTerm)
    case and(JSONTerm, JSONTerm)
    case compare(JSONTerm, JSONPathFilter.Comparison, JSONTerm)
    case calculate(JSONTerm, Character, JSONTerm, position: Int)
    case negative(JSONTerm, position: Int)
    case conditional(JSONTerm, then: JSONTerm, otherwise: JSONTerm)
    /// `f?`: errors end the results of `f`.
    case attempt(JSONTerm)
    case call(JSONFunction, [JSONTerm], position: Int)

    /// A member of an object that is made.
    struct Member: Hashable, Sendable {
        var name: JSONTerm
        var value: JSONTerm
    }
}

/// The functions of filters.
enum JSONFunction: String, Hashable, Sendable, CaseIterable {
    case add, all, any, arrays, ascii_downcase, ascii_upcase, booleans, ceil, contains, empty, endswith, first, flatten, floor, from_entries, fromjson
    case group_by, has, iterables, join, keys, keys_unsorted, last, length, limit, ltrimstr, map, map_values, max, max_by, min, min_by, not, nulls,
        numbers
    case objects, range, recurse, reverse, round, rtrimstr, scalars, select, sort, sort_by, split, startswith, strings, test, to_entries, tojson
    case tonumber, tostring, trim, type, unique, unique_by, values, with_entries

    /// The permitted numbers of arguments.
    var arguments: ClosedRange<Int> {
        switch self {
        case .all, .any, .first, .flatten, .last: 0...1
        case .contains, .endswith, .group_by, .has, .join, .ltrimstr, .map, .map_values, .max_by, .min_by, .rtrimstr, .select, .sort_by, .split,
            .startswith, .unique_by, .with_entries:
            1...1
        case .limit: 2...2
        case .range, .test: 1...2
        default: 0...0
        }
    }
}
