/// Checkpoints in order, in chunks that copies share: a copy of a long list, changed at its end, costs one chunk.
struct CheckpointList<Element: Sendable>: Sendable {
    private var full: [[Element]] = []
    private var tail: [Element] = []
    private static var chunk: Int { 256 }

    var count: Int { full.count * Self.chunk + tail.count }

    /// Memory in bytes.
    var memoryUse: Int { (full.count * Self.chunk + tail.capacity) * MemoryLayout<Element>.stride + full.capacity * 8 }

    mutating func append(_ element: Element) {
        tail.append(element)
        if tail.count == Self.chunk {
            full.append(tail)
            tail = []
            tail.reserveCapacity(Self.chunk)
        }
    }

    subscript(index: Int) -> Element {
        index < full.count * Self.chunk ? full[index / Self.chunk][index % Self.chunk] : tail[index - full.count * Self.chunk]
    }

    /// The last element for which `isBefore` holds, when it holds for a first part of the list and not after.
    func last(where isBefore: (Element) -> Bool) -> Element? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : self[low - 1]
    }
}
