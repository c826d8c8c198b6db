/// The containers of JSON, or the elements of XML and HTML, that are folded: by rule and by exceptions.
package struct BodyFolds: Hashable, Sendable {
    /// The nesting depth from which containers are folded; nil where none are.
    package private(set) var level: Int?
    /// The offsets of the brackets of containers, or of the start tags of elements, that are exceptions from the rule.
    private var exceptions: Set<Int> = []

    /// Everything is unfolded.
    package static let none = BodyFolds()

    /// Creates a rule without exceptions.
    package init(level: Int? = nil) { self.level = level }

    /// Whether nothing is folded.
    package var isEmpty: Bool { level == nil && exceptions.isEmpty }

    /// Whether a container is folded, by the offset of its bracket or start tag and the depth of its row.
    func contains(_ offset: Int, depth: Int) -> Bool { (level.map { depth >= $0 } ?? false) != exceptions.contains(offset) }

    /// Folds or unfolds a container.
    mutating func set(_ offset: Int, depth: Int, isFolded: Bool) {
        guard contains(offset, depth: depth) != isFolded else { return }
        if exceptions.remove(offset) == nil { exceptions.insert(offset) }
    }
}
