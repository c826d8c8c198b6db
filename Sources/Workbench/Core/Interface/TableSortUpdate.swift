package import BodyViews

/// A result of ``Effect/sortTable(_:_:column:ascending:)``.
package enum TableSortUpdate: Hashable, Sendable {
    /// The completed part, from 0 to 1.
    case progress(Double)
    /// The rows are sorted.
    case done(TableOrder)
}
