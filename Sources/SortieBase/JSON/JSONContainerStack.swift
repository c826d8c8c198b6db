/// The kinds of the open containers: one bit per level, sixty-four levels per word.
///
/// Full words move to an immutable list, so checkpoints at the same depths share them.
package struct JSONContainerStack: Sendable {
    /// The maximum nesting depth.
    package static let depthLimit = 10_000

    @usableFromInline final class Spill: Sendable {
        let word: UInt64
        let below: Spill?

        init(_ word: UInt64, below: Spill?) {
            self.word = word
            self.below = below
        }
    }

    /// The size in bytes of a spilled word: the object with its header, as the allocator rounds it.
    package static let spillCost = 48

    @usableFromInline var levels: UInt32 = 0
    /// The number of words spilled since the start; the difference of two values limits the number of words that two copies do not share.
    package private(set) var spills: UInt32 = 0
    @usableFromInline var top: UInt64 = 0
    @usableFromInline var below: Spill?

    @inlinable package var depth: Int { Int(levels) }

    @inlinable package var isEmpty: Bool { levels == 0 }

    /// Whether the innermost container is an object; false without a container.
    @inline(__always)
    @inlinable package var isInObject: Bool { top & 1 == 1 && levels > 0 }

    @inline(__always)
    @inlinable package mutating func push(isObject: Bool) {
        if levels > 0, levels % 64 == 0 { spill() }
        top = top << 1 | (isObject ? 1 : 0)
        levels += 1
    }

    @inline(__always)
    @inlinable package mutating func pop() {
        guard levels > 0 else { return }
        levels -= 1
        top >>= 1
        if levels > 0, levels % 64 == 0 { unspill() }
    }

    @inline(never)
    @usableFromInline mutating func spill() {
        below = Spill(top, below: below)
        top = 0
        spills &+= 1
    }

    @inline(never)
    @usableFromInline mutating func unspill() {
        guard let spilled = below else { return }
        top = spilled.word
        below = spilled.below
    }
}
