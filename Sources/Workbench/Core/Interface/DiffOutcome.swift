package import BodyViews

/// The changes that saving an endpoint would make to its file.
package enum DiffOutcome: Hashable, Sendable {
    /// The differing lines: `removed` ones are in the file, `added` ones would be.
    case lines(BodyComparison)
    /// The comparison failed. The text is the reason.
    case failed(String)
}
