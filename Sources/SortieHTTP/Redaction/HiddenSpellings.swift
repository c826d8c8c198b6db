/// The hidden values, their spellings, and the search for them.
///
/// A run hides a value with each captured secret, while responses, the log and the history hold copies of the rules. The values are therefore in blocks
/// that never change and that copies share. Each block has at least twice as many values as the next one, so that a further value copies few others.
struct HiddenSpellings: Hashable, Sendable {
    private(set) var blocks: [HiddenSpellingBlock] = []
    /// The length of the longest spelling in bytes.
    private(set) var longest = 0

    /// The values.
    var values: Set<String> { blocks.reduce(into: []) { $0.formUnion($1.values) } }
    /// The spellings of the values.
    var texts: Set<String> { blocks.reduce(into: []) { $0.formUnion($1.texts) } }

    /// Whether no value is hidden.
    var isEmpty: Bool { blocks.isEmpty }

    /// Adds values; those of one or two characters are ignored.
    mutating func add(_ more: some Sequence<String>) {
        var values = Set(more.filter { value in value.count > 2 && !blocks.contains { $0.values.contains(value) } })
        guard !values.isEmpty else { return }
        var texts = Set(values.flatMap { SecretSpelling.all(of: $0) })
        while let last = blocks.last, last.values.count < 2 * values.count {
            values.formUnion(last.values)
            texts.formUnion(last.texts)
            blocks.removeLast()
        }
        let block = HiddenSpellingBlock(values: values, texts: texts)
        longest = max(longest, block.matcher.longest)
        blocks.append(block)
    }

    /// The ranges of the spellings in `text`, in order; overlapping ranges are merged.
    func ranges(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        if blocks.count == 1 { return blocks[0].matcher.ranges(in: text) }
        let found = blocks.flatMap { $0.matcher.ranges(in: text) }.sorted { $0.lowerBound < $1.lowerBound }
        return found.reduce(into: []) { merged, range in
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
    }

    static func == (left: HiddenSpellings, right: HiddenSpellings) -> Bool {
        left.blocks.elementsEqual(right.blocks, by: ===) || left.values == right.values
    }

    func hash(into hasher: inout Hasher) { hasher.combine(blocks.reduce(0) { $0 + $1.values.count }) }
}
