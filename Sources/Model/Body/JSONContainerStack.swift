/// The kinds of the open containers: one bit per level, sixty-four levels per word.
///
/// Full words move to an immutable list, so checkpoints at the same depths share them.
struct JSONContainerStack: Sendable {
    /// The maximum nesting depth.
    static let depthLimit = 10_000

    private final class Spill: Sendable {
        let word: UInt64
        let below: Spill?

        init(_ word: UInt64, below: Spill?) {
            self.word = word
            self.below = below
        }
    }

    /// The size in bytes of a spilled word: the object with its header, as the allocator rounds it.
    static let spillCost = 48

    private var levels: UInt32 = 0
    /// The number of words spilled since the start; the difference of two values limits the number of words that two copies do not share.
    private(set) var spills: UInt32 = 0
    private var top: UInt64 = 0
    private var below: Spill?

    var depth: Int { Int(levels) }

    var isEmpty: Bool { levels == 0 }

    /// Whether the innermost container is an object; false without a container.
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
