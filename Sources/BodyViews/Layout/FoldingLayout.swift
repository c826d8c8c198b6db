internal import SortieBase

/// A layout whose rows can be folded.
protocol FoldingLayout: BodyLayout {
    /// What is folded.
    var folds: BodyFolds { get }

    /// Folds other parts; the scan continues before `offset`, the first byte whose row may change.
    mutating func fold(_ folds: BodyFolds, from offset: Int)

    /// What the row that shows a byte belongs to; nil where the scan has not reached it.
    func bodyPlace(at offset: Int, of bytes: BodyBytes) -> BodyPlace?
}

extension JSONLayout: FoldingLayout {
    func bodyPlace(at offset: Int, of bytes: BodyBytes) -> BodyPlace? { place(at: offset, of: bytes).map { .value($0) } }
}

extension MarkupLayout: FoldingLayout {
    func bodyPlace(at offset: Int, of bytes: BodyBytes) -> BodyPlace? { element(at: offset, of: bytes).map { .element($0) } }
}
