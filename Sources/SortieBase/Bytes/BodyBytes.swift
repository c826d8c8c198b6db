/// An immutable view of bytes whose memory another object owns: an array or a mapped file.
///
/// Copying a view copies no bytes. Two values are equal when they refer to the same memory, not when their bytes are equal.
public struct BodyBytes: @unchecked Sendable {
    // Safe to share: the memory is only read, and `owner` keeps it mapped and unchanged for the lifetime of this value.
    private let owner: any AnyObject & Sendable
    private let pointer: UnsafeRawPointer

    /// The number of bytes.
    public let count: Int

    /// A view of no bytes.
    public static let empty = BodyBytes([])

    /// Creates a view of a copy of `bytes`.
    public init(_ bytes: [UInt8]) {
        let block = MemoryBlock(copying: bytes)
        self.init(owner: block, pointer: UnsafeRawPointer(block.start), count: bytes.count)
    }

    /// Creates a view of memory that `owner` keeps readable and unchanged for its own lifetime.
    package init(owner: any AnyObject & Sendable, pointer: UnsafeRawPointer, count: Int) {
        precondition(count >= 0, "a body cannot have a negative length")
        (self.owner, self.pointer, self.count) = (owner, pointer, count)
    }

    /// Releases the memory used for reading the bytes, where the owner can load them again; for use after a scan of a large file.
    package func releaseMemory() {
        // The usual owner cannot; the first search for its conformance takes longer than to write a small body.
        guard !(owner is MemoryBlock) else { return }
        (owner as? any ReleasesMemory)?.releaseMemory()
    }

    /// Whether there are no bytes.
    public var isEmpty: Bool { count == 0 }

    /// The byte at `offset`, which must be less than ``count``.
    public subscript(offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < count, "byte \(offset) is outside a body of \(count) bytes")
        return withExtendedLifetime(owner) { pointer.load(fromByteOffset: offset, as: UInt8.self) }
    }

    /// Calls `work` with the bytes of a range, clamped to the existing ones; the buffer is valid only during the call.
    public func withUnsafeBytes<Result>(
        in range: Range<Int>, _ work: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let range = range.clamped(to: 0..<count)
        return try withExtendedLifetime(owner) {
            try work(UnsafeRawBufferPointer(start: pointer + range.lowerBound, count: range.count))
        }
    }

    /// Calls `work` with all bytes; the buffer is valid only during the call.
    public func withUnsafeBytes<Result>(_ work: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(in: 0..<count, work)
    }

    /// The first `length` bytes, or all bytes if there are fewer.
    public func prefix(_ length: Int) -> [UInt8] {
        bytes(in: 0..<max(0, min(length, count)))
    }

    /// A copy of the bytes of a range, clamped to the existing ones.
    public func bytes(in range: Range<Int>) -> [UInt8] {
        withUnsafeBytes(in: range) { [UInt8]($0) }
    }

    /// The text of a range, clamped to the existing bytes: UTF-8, with U+FFFD where it is invalid.
    public func string(in range: Range<Int>) -> String {
        withUnsafeBytes(in: range) { String(decoding: $0, as: UTF8.self) }
    }
}

extension BodyBytes: Hashable {
    /// Whether both refer to the same memory.
    public static func == (left: BodyBytes, right: BodyBytes) -> Bool {
        left.pointer == right.pointer && left.count == right.count && left.owner === right.owner
    }

    /// Hashes the address and the count.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(pointer)
        hasher.combine(count)
    }
}

/// Memory whose bytes are written once, before a ``BodyBytes`` refers to them.
package final class MemoryBlock: @unchecked Sendable {
    // Safe to share: a byte that a view covers is not written again, and `deinit` runs after the last reader.
    package let start: UnsafeMutableRawPointer
    package let capacity: Int

    package init(copying bytes: [UInt8]) {
        capacity = bytes.count
        start = .allocate(byteCount: max(1, bytes.count), alignment: 16)
        bytes.withUnsafeBytes { source in
            if let base = source.baseAddress { start.copyMemory(from: base, byteCount: source.count) }
        }
    }

    /// Allocates memory that the creator fills; the system provides pages only where something is written.
    package init(capacity: Int) {
        self.capacity = capacity
        start = .allocate(byteCount: max(1, capacity), alignment: 16)
    }

    /// Creates a larger block that begins with the first `count` bytes of another.
    package convenience init(copying block: MemoryBlock, count: Int, capacity: Int) {
        self.init(capacity: max(count, capacity))
        start.copyMemory(from: block.start, byteCount: count)
    }

    deinit { start.deallocate() }
}

/// The error for a body that is not in its declared format.
public struct BodyProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description of the error, without the position: "not JSON: unexpected '}'".
    public var message: String

    /// The line, from 1.
    public var line: Int

    /// The character in the line, from 1; counted in bytes when the line is longer than 1 MiB.
    public var column: Int

    /// The offset of the byte, from 0.
    public var byte: Int

    /// Creates an error.
    package init(message: String, line: Int, column: Int, byte: Int) {
        (self.message, self.line, self.column, self.byte) = (message, line, column, byte)
    }

    /// The complete message: "not JSON: unexpected '}' at line 3, column 7 (byte 41)".
    public var description: String { "\(message) at line \(line), column \(column) (byte \(byte))" }
}

/// An owner of bytes that can release their memory and load them again, such as a mapped file.
package protocol ReleasesMemory: AnyObject {
    /// Releases the memory; views stay valid and load the bytes again when they are read.
    func releaseMemory()
}
