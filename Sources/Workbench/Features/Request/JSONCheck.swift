internal import SortieBase

/// Finds the first mistake of JSON that is being typed.
///
/// The open containers at the start of each chunk of lines are kept. After a change only the chunks are read from the changed one up to one that begins in the
/// same containers as before.
struct JSONCheck: Sendable {
    /// The number of bytes after which a check ends; the next check continues it.
    static let budget = 256 << 10

    /// What the tokenizer expects between two lines.
    private struct Start: Equatable {
        var phase = JSONTokenizer.Phase.start
        var stack = JSONContainerStack()
    }

    /// A chunk that was read, and what was expected before it.
    private struct Read {
        var chunk: TextLines.Chunk
        var start: Start
        /// Whether the text ended after the chunk.
        var isLast: Bool
    }

    private var read: [Read] = []
    /// The expectation after the chunks that were read.
    private var next = Start()
    /// The mistake in the last chunk that was read, by its line in it from 1.
    private var fault: BodyProblem?
    /// The chunks after a mistake as they were read before it, and the expectation after them.
    private var rest: [Read] = []
    private var restEnd = Start()
    /// The number of chunks of the text that was checked last.
    private var total = 0
    /// The number of bytes that the last check has read.
    private(set) var visitedBytes = 0

    /// Checks a text.
    ///
    /// - Parameter hasTemplates: Whether `{{templates}}` count as values or as parts of strings.
    /// - Returns: The first mistake; nil where there is none, and while it is not reached.
    mutating func problem(in lines: TextLines, hasTemplates: Bool) -> BodyProblem? {
        update(lines.chunks, hasTemplates: hasTemplates)
        guard var problem = fault, let last = read.indices.last else { return nil }
        problem.line += lines.firstRows[last]
        return problem
    }

    private mutating func update(_ chunks: [TextLines.Chunk], hasTemplates: Bool) {
        visitedBytes = 0
        func isSame(_ read: Read, at index: Int) -> Bool {
            chunks.indices.contains(index) && read.isLast == (index == chunks.count - 1) && read.chunk == chunks[index]
        }
        let old = (read: read + rest, fault: fault, faulty: fault == nil ? nil : read.count - 1, end: fault == nil ? next : restEnd)
        let shift = chunks.count - total
        total = chunks.count
        let kept = old.read.indices.first { !isSame(old.read[$0], at: $0) } ?? old.read.count
        if let faulty = old.faulty, kept > faulty {
            // What follows the mistake is read again after it is corrected.
            if kept < old.read.count || old.read.count != chunks.count { rest = [] }
            return
        }
        if kept == old.read.count, kept == chunks.count { return }
        // The chunks at the end that are as they were.
        var unchanged = old.read.count
        while unchanged > kept, isSame(old.read[unchanged - 1], at: unchanged - 1 + shift) { unchanged -= 1 }
        var state = kept < old.read.count ? old.read[kept].start : old.end
        (read, rest, fault) = (Array(old.read[..<kept]), [], nil)
        while read.count < chunks.count {
            let before = read.count - shift
            if before >= unchanged, before < old.read.count, old.read[before].start == state {
                if let faulty = old.faulty, before <= faulty {
                    read += old.read[before...faulty]
                    (fault, rest) = (old.fault, Array(old.read[(faulty + 1)...]))
                    break
                }
                read += old.read[before...]
                state = old.end
                continue
            }
            guard visitedBytes < Self.budget else { break }
            read.append(Read(chunk: chunks[read.count], start: state, isLast: read.count == chunks.count - 1))
            do throws(BodyProblem) { state = try Self.end(of: read[read.count - 1], hasTemplates, &visitedBytes) } catch {
                fault = error
                let after = read.count - shift
                if after >= unchanged, after <= old.read.count, old.faulty.map({ after > $0 }) ?? true {
                    (rest, restEnd) = (Array(old.read[after...]), old.end)
                }
                break
            }
        }
        next = state
    }

    /// The expectation after a chunk.
    private static func end(of read: Read, _ hasTemplates: Bool, _ visitedBytes: inout Int) throws(BodyProblem) -> Start {
        var text = hasTemplates ? JSONTemplate.withDigits(read.chunk.text) : read.chunk.text
        if !read.isLast { text += "\n" }
        visitedBytes += text.utf8.count
        var tokenizer = JSONTokenizer(rowLimit: .max)
        (tokenizer.phase, tokenizer.stack) = (read.start.phase, read.start.stack)
        var sink = JSONNullSink()
        let problem = text.withUTF8 { buffer -> BodyProblem? in
            let bytes = UnsafeRawBufferPointer(buffer)
            do throws(JSONFault) {
                try tokenizer.advance(over: bytes, limit: bytes.count, isEnd: read.isLast, into: &sink)
                return nil
            } catch {
                return BodyProblem(error, bytes, tokenizer)
            }
        }
        if let problem { throw hasTemplates ? JSONTemplate.named(problem, in: read.chunk.text) : problem }
        return Start(phase: tokenizer.phase, stack: tokenizer.stack)
    }
}
