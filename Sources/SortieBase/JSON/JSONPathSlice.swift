/// A range of items with a step: `1:3`, `-2:`, `::2`, `::-1` (RFC 9535 §2.3.4).
package struct JSONPathSlice: Hashable, Sendable {
    /// The first item; negative values count from the end; nil for the first in the direction of the step.
    package var start: Int?
    /// The item after the last one; nil for the end in the direction of the step.
    package var end: Int?
    /// The distance of two items, which may be negative; 0 selects nothing.
    package var step: Int

    /// Creates a slice.
    package init(start: Int? = nil, end: Int? = nil, step: Int = 1) {
        self.start = start
        self.end = end
        self.step = step
    }

    /// The indices of an array with `count` items, in the order of the step.
    package func indices(of count: Int) -> StrideTo<Int> {
        func index(_ value: Int) -> Int { value < 0 ? count + value : value }
        if step > 0 {
            let low = start.map { min(max(index($0), 0), count) } ?? 0
            let high = end.map { min(max(index($0), 0), count) } ?? count
            return stride(from: low, to: max(low, high), by: step)
        }
        guard step < 0 else { return stride(from: 0, to: 0, by: 1) }
        let high = start.map { min(max(index($0), -1), count - 1) } ?? count - 1
        let low = end.map { min(max(index($0), -1), count - 1) } ?? -1
        return stride(from: high, to: min(low, high), by: step)
    }

    /// Whether an item of an array with `count` items is selected.
    package func contains(_ index: Int, of count: Int) -> Bool {
        let forward = JSONPathSlice(start: start, end: end, step: 1).indices(of: count)
        guard step > 0 else {
            guard step < 0, let first = indices(of: count).first(where: { _ in true }), index <= first, (first - index) % -step == 0 else {
                return false
            }
            return end.map { index > ($0 < 0 ? count + $0 : $0) } ?? (index >= 0)
        }
        guard let first = forward.first(where: { _ in true }), index >= first, (index - first) % step == 0 else { return false }
        return index < (end.map { $0 < 0 ? count + $0 : $0 } ?? count)
    }

    /// Whether an item is selected without the number of items being known; nil where it depends on that number.
    func contains(_ index: Int) -> Bool? {
        let low = start ?? 0
        guard step > 0, low >= 0, (end ?? 0) >= 0 else { return nil }
        return index >= low && index < (end ?? .max) && (index - low) % step == 0
    }
}

extension JSONPathSlice: CustomStringConvertible {
    package var description: String {
        "\(start.map(String.init) ?? ""):\(end.map(String.init) ?? "")\(step == 1 ? "" : ":\(step)")"
    }
}
