/// An immutable view over bytes that somebody else keeps alive: an array or a mapped file.
///
/// Copying it copies no bytes. Two values are equal when they show the same memory, not when the memory holds equal bytes.
public struct BodyBytes: @unchecked Sendable {
    // Safe to share: the memory is only ever read, and `owner` keeps it mapped and unchanged for as long as this value exists.
    private let owner: any AnyObject & Sendable
    private let pointer: UnsafeRawPointer

    /// How many bytes there are.
    public let count: Int

    /// No bytes at all.
    public static let empty = BodyBytes([])

    /// Copies an array.
    public init(_ bytes: [UInt8]) {
        let block = MemoryBlock(copying: bytes)
        self.init(owner: block, pointer: UnsafeRawPointer(block.start), count: bytes.count)
    }

    /// Shows memory that `owner` keeps readable and unchanged until it is released.
    public init(owner: any AnyObject & Sendable, pointer: UnsafeRawPointer, count: Int) {
        precondition(count >= 0, "a body cannot have a negative length")
        self.owner = owner
        self.pointer = pointer
        self.count = count
    }

    /// Gives back the memory that was used to look at the bytes, where its owner can get them again: after a scan over a large file.
    public func releaseMemory() {
        (owner as? any ReleasesMemory)?.releaseMemory()
    }

    /// Whether there is no byte.
    public var isEmpty: Bool { count == 0 }

    /// The byte at `offset`, which must be inside the body.
    public subscript(offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < count, "byte \(offset) is outside a body of \(count) bytes")
        return withExtendedLifetime(owner) { pointer.load(fromByteOffset: offset, as: UInt8.self) }
    }

    /// Lends the bytes of a range, cut to what exists; the buffer is valid only inside `work`.
    public func withUnsafeBytes<Result>(
        in range: Range<Int>, _ work: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let range = range.clamped(to: 0..<count)
        return try withExtendedLifetime(owner) {
            try work(UnsafeRawBufferPointer(start: pointer + range.lowerBound, count: range.count))
        }
    }

    /// Lends all bytes; the buffer is valid only inside `work`.
    public func withUnsafeBytes<Result>(_ work: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(in: 0..<count, work)
    }

    /// The first bytes, `length` of them or all there are.
    public func prefix(_ length: Int) -> [UInt8] {
        bytes(in: 0..<max(0, min(length, count)))
    }

    /// A copy of the bytes of a range, cut to what exists.
    public func bytes(in range: Range<Int>) -> [UInt8] {
        withUnsafeBytes(in: range) { [UInt8]($0) }
    }

    /// The text of a range, cut to what exists: UTF-8, with U+FFFD where it is not valid.
    public func string(in range: Range<Int>) -> String {
        withUnsafeBytes(in: range) { String(decoding: $0, as: UTF8.self) }
    }
}

extension BodyBytes: Hashable {
    /// Whether both show the same memory.
    public static func == (left: BodyBytes, right: BodyBytes) -> Bool {
        left.pointer == right.pointer && left.count == right.count && left.owner === right.owner
    }

    /// Hashes which memory is shown.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(pointer)
        hasher.combine(count)
    }
}

/// Memory whose bytes are written once, before a ``BodyBytes`` shows them.
final class MemoryBlock: @unchecked Sendable {
    // Safe to share: a byte that is shown is not written any more, and `deinit` runs when no reader is left.
    let start: UnsafeMutableRawPointer
    let capacity: Int

    init(copying bytes: [UInt8]) {
        capacity = bytes.count
        start = .allocate(byteCount: max(1, bytes.count), alignment: 16)
        bytes.withUnsafeBytes { source in
            if let base = source.baseAddress { start.copyMemory(from: base, byteCount: source.count) }
        }
    }

    /// Room for bytes that its maker writes; the system gives memory only where something is written.
    init(capacity: Int) {
        self.capacity = capacity
        start = .allocate(byteCount: max(1, capacity), alignment: 16)
    }

    /// A larger block that begins with the first bytes of another.
    convenience init(copying block: MemoryBlock, count: Int, capacity: Int) {
        self.init(capacity: max(count, capacity))
        start.copyMemory(from: block.start, byteCount: count)
    }

    deinit { start.deallocate() }
}
