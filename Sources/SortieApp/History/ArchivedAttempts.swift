internal import Foundation
internal import SortieHTTP

/// The attempts in an HTTP archive that Sortie wrote.
struct ArchivedAttempts {
    private struct Attempt: Hashable {
        let call: String
        let number: Int
    }

    private var attempts: Set<Attempt> = []

    /// Finds the attempts in the archive at `path`.
    ///
    /// Its entries identify them by a text that cannot occur elsewhere, because a quote within a string is escaped with a backslash.
    ///
    /// - Throws: When the file cannot be read.
    init(inFile path: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        let (call, number) = (Data("\"_call\": \"".utf8), Data("\", \"_attempt\": ".utf8))
        var rest = bytes.startIndex..<bytes.endIndex
        while let found = bytes.range(of: call, in: rest) {
            rest = found.upperBound..<bytes.endIndex
            guard let end = bytes[rest].firstIndex(of: UInt8(ascii: "\"")), bytes[end...].starts(with: number) else { continue }
            let digits = bytes[(end + number.count)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let attempt = Int(String(decoding: digits, as: UTF8.self)) else { continue }
            attempts.insert(Attempt(call: String(decoding: bytes[rest.lowerBound..<end], as: UTF8.self), number: attempt))
        }
    }

    /// Whether the archive contains an attempt of a call.
    ///
    /// - Parameter number: The number of the attempt, from 1.
    func contains(_ number: Int, of call: RequestID) -> Bool { attempts.contains(Attempt(call: call.description, number: number)) }
}
