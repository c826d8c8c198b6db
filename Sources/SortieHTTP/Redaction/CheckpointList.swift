/// A list of checkpoints in chunks that copies share, so that appending to a copy of a long list copies one chunk.
package struct CheckpointList<Element: Sendable>: Sendable {
    private var full: [[Element]] = []
    private var tail: [Element] = []
    private static var chunk: Int { 256 }

    /// Creates an empty list.
    package init() {}

    package var count: Int { full.count * Self.chunk + tail.count }

    /// The memory of the list, in bytes.
    package var memoryUse: Int { (full.count * Self.chunk + tail.capacity) * MemoryLayout<Element>.stride + full.capacity * 8 }

    package mutating func append(_ element: Element) {
        tail.append(element)
        if tail.count == Self.chunk {
            full.append(tail)
            tail = []
            tail.reserveCapacity(Self.chunk)
        }
    }

    /// Removes all elements but the first ones.
    package mutating func keepFirst(_ count: Int) {
        guard count < self.count else { return }
        let chunks = count / Self.chunk
        if chunks < full.count {
            tail = Array(full[chunks].prefix(count % Self.chunk))
            full.removeSubrange(chunks...)
        } else {
            tail.removeSubrange((count % Self.chunk)...)
        }
    }

    package subscript(index: Int) -> Element {
        index < full.count * Self.chunk ? full[index / Self.chunk][index % Self.chunk] : tail[index - full.count * Self.chunk]
    }

    /// The last element for which `isBefore` holds; it must hold for a prefix of the list and for no later element.
    package func last(where isBefore: (Element) -> Bool) -> Element? { lastIndex(where: isBefore).map { self[$0] } }

    /// The index of the last element for which `isBefore` holds.
    package func lastIndex(where isBefore: (Element) -> Bool) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : low - 1
    }
}
