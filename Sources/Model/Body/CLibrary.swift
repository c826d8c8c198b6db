// memchr: the C library scans at memory speed, in debug builds too.
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension UnsafeRawBufferPointer {
    /// Where a byte first occurs in a range of this buffer.
    @inline(__always)
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard let base = baseAddress, range.lowerBound < range.upperBound else { return nil }
        guard let hit = memchr(base + range.lowerBound, Int32(byte), range.count) else { return nil }
        return UnsafeRawPointer(hit) - base
    }

    /// The bytes of a range, as a buffer of their own.
    subscript(rebased range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }
}
