/// The lines of a text, in chunks that copies share.
///
/// A change copies the chunks that it touches and the list of chunks, which has a few hundred entries for a text of 1 MB. Copies of a text, such as its undo
/// steps, share the other chunks.
struct TextLines: Hashable, Sendable {
    /// Consecutive lines.
    struct Chunk: Hashable, Sendable {
        let lines: [[Character]]
        /// The lines separated by line feeds.
        let text: String
        /// The number of characters, with one line break for each line.
        let characters: Int

        fileprivate init(_ lines: [[Character]]) {
            self.lines = lines
            characters = lines.reduce(0) { $0 + $1.count + 1 }
            var text = ""
            text.reserveCapacity(characters)
            for (index, line) in lines.enumerated() {
                if index > 0 { text.append("\n") }
                text.append(contentsOf: line)
            }
            self.text = text
        }

        static func == (one: Chunk, other: Chunk) -> Bool { one.characters == other.characters && one.lines == other.lines }

        func hash(into hasher: inout Hasher) {
            hasher.combine(lines.count)
            hasher.combine(characters)
        }
    }

    /// The greatest number of lines, and of characters unless one line has more, of a chunk that a change creates.
    static let chunkLines = 128
    static let chunkCharacters = 8192
    /// The number of characters below which a chunk is joined with the following one.
    private static let smallChunk = 2048

    private(set) var chunks: [Chunk]
    /// The first row of each chunk.
    private(set) var firstRows: [Int] = []
    private(set) var count = 0

    /// Creates the lines of a text; no line is one empty line.
    init(_ lines: [[Character]]) {
        chunks = Self.chunks(of: lines.isEmpty ? [[]] : lines)
        index()
    }

    /// The text with a line feed between lines.
    var text: String {
        guard chunks.count > 1 else { return chunks[0].text }
        var text = ""
        text.reserveCapacity(bytes)
        for (index, chunk) in chunks.enumerated() {
            if index > 0 { text.append("\n") }
            text.append(chunk.text)
        }
        return text
    }

    /// The size of the text in bytes.
    var bytes: Int { chunks.reduce(chunks.count - 1) { $0 + $1.text.utf8.count } }

    /// The number of characters before a row, with one line break for each row.
    func characters(before row: Int) -> Int {
        let chunk = chunk(of: row)
        return chunks[..<chunk].reduce(0) { $0 + $1.characters } + chunks[chunk].lines[..<(row - firstRows[chunk])].reduce(0) { $0 + $1.count + 1 }
    }

    /// Replaces rows.
    mutating func replace(_ rows: ClosedRange<Int>, with lines: [[Character]]) {
        let first = chunk(of: rows.lowerBound)
        var last = chunk(of: rows.upperBound)
        var new = Array(chunks[first].lines[..<(rows.lowerBound - firstRows[first])])
        new += lines
        new += chunks[last].lines[(rows.upperBound - firstRows[last] + 1)...]
        // Deleting in many places leaves few small chunks.
        let characters = new.reduce(0) { $0 + $1.count + 1 }
        if last + 1 < chunks.count, characters < Self.smallChunk, new.count < Self.chunkLines / 2,
            chunks[last + 1].characters + characters <= Self.chunkCharacters, chunks[last + 1].lines.count + new.count <= Self.chunkLines
        {
            last += 1
            new += chunks[last].lines
        }
        chunks.replaceSubrange(first...last, with: new.isEmpty ? [] : Self.chunks(of: new))
        if chunks.isEmpty { chunks = [Chunk([[]])] }
        index()
    }

    /// The chunk of a row.
    func chunk(of row: Int) -> Int {
        var (low, high) = (0, firstRows.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if firstRows[middle] <= row { low = middle } else { high = middle - 1 }
        }
        return low
    }

    private mutating func index() {
        firstRows.removeAll(keepingCapacity: true)
        count = 0
        for chunk in chunks {
            firstRows.append(count)
            count += chunk.lines.count
        }
    }

    /// Divides lines into chunks of about equal size, so that a chunk that has grown becomes two that can grow further.
    private static func chunks(of lines: [[Character]]) -> [Chunk] {
        let total = lines.reduce(0) { $0 + $1.count + 1 }
        let parts = Swift.max((lines.count + chunkLines - 1) / chunkLines, (total + chunkCharacters - 1) / chunkCharacters)
        let wanted = parts == 0 ? 0 : (total + parts - 1) / parts
        var chunks: [Chunk] = []
        var (start, characters) = (0, 0)
        for (row, line) in lines.enumerated() {
            let isFull = row - start == chunkLines || characters >= wanted || characters + line.count + 1 > chunkCharacters
            if row > start, isFull {
                chunks.append(Chunk(Array(lines[start..<row])))
                (start, characters) = (row, 0)
            }
            characters += line.count + 1
        }
        if start < lines.count { chunks.append(Chunk(Array(lines[start...]))) }
        return chunks
    }

    /// Chunks that copies share are equal without comparing their lines; the same lines may be divided differently.
    static func == (one: TextLines, other: TextLines) -> Bool {
        one.count == other.count && (one.chunks == other.chunks || one.elementsEqual(other))
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(self[0])
    }
}

extension TextLines: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(row: Int) -> [Character] {
        let chunk = chunk(of: row)
        return chunks[chunk].lines[row - firstRows[chunk]]
    }
}
