public import Model

/// What saving an endpoint would change in its file.
public enum DiffOutcome: Hashable, Sendable {
    /// The lines of the file that differ; `removed` ones are in the file, `added` ones would be.
    case lines(BodyComparison)
    /// It cannot be said; a sentence says why.
    case failed(String)
}
