/// Which containers are open: one bit a level, sixty-four levels a word.
///
/// Full words move to a list that never changes, so checkpoints of the same depths share them.
struct JSONContainerStack: Sendable {
    /// Deepest nesting accepted.
    static let depthLimit = 10_000

    private final class Spill: Sendable {
        let word: UInt64
        let below: Spill?

        init(_ word: UInt64, below: Spill?) {
            self.word = word
            self.below = below
        }
    }

    /// What one spilled word costs: the object with its header, as the allocator rounds it.
    static let spillCost = 48

    private var levels: UInt32 = 0
    /// Words spilled since the start; the difference of two values bounds what two copies do not share.
    private(set) var spills: UInt32 = 0
    private var top: UInt64 = 0
    private var below: Spill?

    var depth: Int { Int(levels) }

    var isEmpty: Bool { levels == 0 }

    /// Whether the innermost container is an object; false when there is none.
    @inline(__always)
    var isInObject: Bool { top & 1 == 1 && levels > 0 }

    @inline(__always)
    mutating func push(isObject: Bool) {
        if levels > 0, levels % 64 == 0 { spill() }
        top = top << 1 | (isObject ? 1 : 0)
        levels += 1
    }

    @inline(__always)
    mutating func pop() {
        guard levels > 0 else { return }
        levels -= 1
        top >>= 1
        if levels > 0, levels % 64 == 0 { unspill() }
    }

    @inline(never)
    private mutating func spill() {
        below = Spill(top, below: below)
        top = 0
        spills &+= 1
    }

    @inline(never)
    private mutating func unspill() {
        guard let spilled = below else { return }
        top = spilled.word
        below = spilled.below
    }
}
