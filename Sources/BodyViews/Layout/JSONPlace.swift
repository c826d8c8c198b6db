package import SortieBase
internal import SortieHTTP

/// The value of a row in a JSON body, with the path that leads to it.
package struct JSONPlace: Hashable, Sendable {
    /// A value on the path.
    struct Level: Hashable, Sendable {
        /// The offset of the row at which the value begins.
        var offset: Int?
        /// The name of the member; nil for an item.
        var key: Range<Int>?
        /// The offset of the value, after the name.
        var value: Int?
        /// The number of values of the container up to this one.
        var count = 0

        /// The level with what a later part of the body adds.
        func followed(by later: Level?) -> Level {
            guard var level = later else { return self }
            level.count += count
            if level.offset == nil { (level.offset, level.key, level.value) = (offset, key, value) }
            return level
        }
    }

    /// The levels from the top.
    let levels: [Level]
    /// The path; the names of very long keys are cut.
    package let path: JSONPath
    /// The number of the value among those of the body, from 1; nil for a body with one value.
    package let valueNumber: Int?
    /// The numbers of steps of the path that lead to strings in whose JSON the value is.
    package var strings: [Int] = []

    /// The name of the member; nil for an item and for the top.
    package var key: String? {
        guard case .name(let name)? = path.steps.last?.singular else { return nil }
        return name
    }

    /// The offset at which the value begins.
    package var start: Int { levels.last?.value ?? levels.last?.offset ?? 0 }

    /// The offsets of the containers in which the value is, the outermost first.
    package var containers: [Int] { levels.dropLast().compactMap { $0.value ?? $0.offset } }

    /// The offset of the row of the container in which the value is; nil at the top.
    package var parent: Int? { levels.dropLast().last?.offset }

    /// The depth of the row.
    var depth: Int { levels.count - 1 }

    /// The path as a query: `$.items[3].price`, in the JSON of a string `$.payload | fromjson | $.price`.
    package var query: String {
        var parts: [String] = []
        var start = 0
        for end in strings + [path.steps.count] {
            parts.append("\(JSONPath(steps: Array(path.steps[start..<end])))")
            start = end
        }
        return parts.joined(separator: " | fromjson | ")
    }

    /// The path as a query; with the number of the value where the body has several.
    package var text: String { valueNumber.map { "\($0): \(query)" } ?? query }
}

/// Collects the path to a byte from the rows before it.
private struct JSONPlaceSink: JSONRowSink {
    let offset: Int
    let bytes: UnsafeRawBufferPointer
    /// The last value at each depth, after the last row of a lower depth.
    private(set) var levels: [Int: JSONPlace.Level] = [:]
    /// The depth of the last row; -1 before the first one.
    private(set) var depth = -1

    init(_ offset: Int, _ bytes: UnsafeRawBufferPointer) {
        (self.offset, self.bytes) = (offset, bytes)
    }

    mutating func beginRow(at start: Int, depth: Int, continues: Bool) -> JSONRowDecision {
        guard start <= offset else { return .stop }
        guard !continues else { return .goOn }
        if depth < self.depth { for deeper in depth + 1...self.depth { levels[deeper] = nil } }
        self.depth = depth
        guard bytes[start] | 0x20 != UInt8(ascii: "}") else { return .goOn }
        var level = levels[depth] ?? JSONPlace.Level()
        level.count += 1
        (level.offset, level.key, level.value) = (start, nil, nil)
        levels[depth] = level
        return .goOn
    }

    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {
        guard levels[depth]?.value == nil else { return }
        switch kind {
        case .key:
            let start = levels[depth]?.key?.lowerBound ?? range.lowerBound
            levels[depth]?.key = start..<range.upperBound
        case .punctuation where bytes[range.lowerBound] == UInt8(ascii: ":") || bytes[range.lowerBound] == UInt8(ascii: ","): break
        default: levels[depth]?.value = range.lowerBound
        }
    }
}

extension JSONLayout {
    /// The value of the row that shows a byte; nil where the scan has not reached it, and for a value nested deeper than `JSONValue.depthLimit`.
    func place(at offset: Int, of bytes: BodyBytes) -> JSONPlace? {
        guard offset >= 0, offset < examined, rowCount > 0, let number = index.checkpoints.lastIndex(where: { $0.offset <= offset }) else {
            return nil
        }
        return bytes.withUnsafeBytes { buffer in
            let near = walk(block: number, to: offset, buffer)
            var levels = near.levels
            // Without a row in the block, the byte is in a long token that an earlier block begins.
            let depth = near.depth >= 0 ? near.depth : index.checkpoints[number].stack.depth
            // Each draw determines the place, and the starts of that many containers may be in as many blocks.
            guard depth <= JSONValue.depthLimit else { return nil }
            /// The lowest depth at which the number of values is not known.
            var top = depth
            while top > 0, levels[top - 1] != nil { top -= 1 }
            // Backwards, until the start of each container is known; most blocks need only their summary.
            for block in stride(from: number, to: 0, by: -1) {
                let summary = index.checkpoints[block]
                if Int(summary.lowest) > top { continue }
                if Int(summary.lowest) == top, levels[top]?.offset != nil {
                    levels[top]?.count += Int(summary.starts)
                    continue
                }
                let before = walk(block: block - 1, to: summary.offset - 1, buffer).levels
                while true {
                    if let found = before[top] { levels[top] = found.followed(by: levels[top]) }
                    guard top > 0, before[top - 1] != nil else { break }
                    top -= 1
                }
            }
            return place((0...depth).map { levels[$0] ?? JSONPlace.Level() }, buffer)
        }
    }

    private func walk(block number: Int, to offset: Int, _ buffer: UnsafeRawBufferPointer) -> JSONPlaceSink {
        var sink = JSONPlaceSink(offset, buffer)
        _ = walkAll(buffer, from: index.checkpoints[number], into: &sink)
        return sink
    }

    /// The greatest number of bytes of a name in a path.
    private static let nameLimit = 256

    private func place(_ levels: [JSONPlace.Level], _ buffer: UnsafeRawBufferPointer) -> JSONPlace {
        var path = JSONPath()
        for level in levels.dropFirst() {
            guard let key = level.key else {
                path.steps.append(.init(.index(max(0, level.count - 1))))
                continue
            }
            let isLong = key.count > Self.nameLimit
            let name =
                isLong ? String(decoding: buffer[key.dropFirst().prefix(Self.nameLimit)], as: UTF8.self) + "…" : JSONStringToken.text(buffer, key)
            path.steps.append(.init(.name(name)))
        }
        return JSONPlace(levels: levels, path: path, valueNumber: hasManyValues ? levels.first?.count : nil)
    }
}
