// For memchr, which scans at memory speed, in debug builds too.
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension UnsafeRawBufferPointer {
    /// The first index of a byte in a range of this buffer.
    @inline(__always)
    package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard let base = baseAddress, range.lowerBound < range.upperBound else { return nil }
        guard let hit = memchr(base + range.lowerBound, Int32(byte), range.count) else { return nil }
        return UnsafeRawPointer(hit) - base
    }

    /// A range of this buffer as a separate buffer.
    package subscript(rebased range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }
}
