/// The containers of JSON, or the elements of XML and HTML, that are folded: by rule and by exceptions.
package struct BodyFolds: Hashable, Sendable {
    /// The nesting depths whose containers are folded; nil where none are.
    private var depths: Range<Int>?
    /// The offsets of the brackets of containers, or of the start tags of elements, that are exceptions from the rule.
    private var exceptions: Set<Int> = []

    /// Everything is unfolded.
    package static let none = BodyFolds()

    /// Only the values at the top are folded.
    static let top = BodyFolds(depths: 0..<1)

    /// Creates a rule without exceptions: the nesting depth from which containers are folded; nil where none are.
    package init(level: Int? = nil) { self.init(depths: level.map { $0..<Int.max }) }

    private init(depths: Range<Int>?) { self.depths = depths }

    /// Whether nothing is folded.
    package var isEmpty: Bool { depths == nil && exceptions.isEmpty }

    /// Whether a container is folded, by the offset of its bracket or start tag and the depth of its row.
    func contains(_ offset: Int, depth: Int) -> Bool { (depths?.contains(depth) ?? false) != exceptions.contains(offset) }

    /// Folds or unfolds a container.
    mutating func set(_ offset: Int, depth: Int, isFolded: Bool) {
        guard contains(offset, depth: depth) != isFolded else { return }
        if exceptions.remove(offset) == nil { exceptions.insert(offset) }
    }
}
