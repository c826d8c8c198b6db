internal import Subprocess

/// Reads the standard output of a program completely or by lines.
struct HookOutputReader {
    /// The result of reading a line.
    enum Line {
        /// The bytes without the newline.
        case line([UInt8])
        case tooLong
        /// The program closed its output.
        case end
    }

    private var iterator: SubprocessOutputSequence.AsyncIterator
    private var buffered: [UInt8] = []
    private let limit: Int

    init(_ output: SubprocessOutputSequence, limit: Int) {
        iterator = output.makeAsyncIterator()
        self.limit = limit
    }

    /// All bytes until the program closes its output; nil for more than the limit.
    mutating func all() async throws -> [UInt8]? {
        while try await readMore() { guard buffered.count <= limit else { return nil } }
        return buffered
    }

    /// The next line that is not empty.
    mutating func line() async throws -> Line {
        var searched = 0
        while true {
            if let end = buffered[searched...].firstIndex(of: 0x0a) {
                let line = Array(buffered[..<end])
                buffered.removeFirst(end + 1)
                searched = 0
                if line.allSatisfy({ $0 == 0x20 || $0 == 0x0d }) { continue }
                return .line(line)
            }
            searched = buffered.count
            guard searched <= limit else { return .tooLong }
            guard try await readMore() else { return .end }
        }
    }

    private mutating func readMore() async throws -> Bool {
        guard let buffer = try await iterator.next() else { return false }
        buffer.withUnsafeBytes { buffered += $0 }
        return true
    }
}
