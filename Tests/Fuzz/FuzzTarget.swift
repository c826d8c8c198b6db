import SortieBase

/// A reader of foreign bytes with what holds for every input: it neither traps nor takes long, and the properties of `check` hold.
///
/// An error that a reader throws is a result. Foreign bytes are mostly invalid, so `try?` is used where only valid input has properties.
struct FuzzTarget: Sendable {
    /// The name, which is also that of the directory with seeds.
    let name: String
    /// The directories of `shared/corpora` whose files are further seeds.
    var corpora: [String] = []
    /// The longest input in bytes that fuzzing creates.
    var longest = 4096
    /// Words of the notation, which fuzzing inserts.
    var words: [String] = []
    /// Throws ``Violation`` where a property does not hold.
    let check: @Sendable (FuzzInput) throws -> Void

    init(
        _ name: String, corpora: [String] = [], longest: Int = 4096, words: [String] = [], _ check: @escaping @Sendable (FuzzInput) throws -> Void
    ) {
        (self.name, self.corpora, self.longest, self.words, self.check) = (name, corpora, longest, words, check)
    }

    /// All targets.
    static let all: [FuzzTarget] =
        jsonTargets + textTargets + fieldTargets + protocolTargets + viewTargets + workspaceTargets + stateTargets + importTargets + terminalTargets
}

/// A property that does not hold.
struct Violation: Error, CustomStringConvertible {
    let description: String
}

/// The bytes of one run, in the forms that targets need.
struct FuzzInput: Sendable {
    let bytes: [UInt8]

    /// The bytes as text, with U+FFFD for invalid sequences.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The first line as text, and the bytes after it.
    var headed: (line: String, rest: [UInt8]) {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[end...].dropFirst()))
    }

    /// One of some values by the first byte, and the bytes after it; nil for an empty input.
    func choosing<Value>(_ values: [Value]) -> (Value, [UInt8])? {
        bytes.first.map { (values[Int($0) % values.count], Array(bytes.dropFirst())) }
    }

    /// Bytes cut as they could arrive from a network; the same bytes are always cut in the same places.
    static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        var random = SplitMix64(seed: bytes.reduce(1) { ($0 &* 31) &+ UInt64($1) })
        var pieces: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Int(random.next() % 4 == 0 ? random.next() % 64 : random.next() % 4) + 1)
            pieces.append(Array(bytes[start..<end]))
            start = end
        }
        return pieces
    }
}

/// Fails where a condition does not hold.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Violation(description: message()) }
}

/// Fails where two values are not equal.
func requireEqual<Value: Equatable>(_ left: Value, _ right: Value, _ what: String) throws {
    if left != right { throw Violation(description: "\(what): \(left) is not \(right)") }
}
