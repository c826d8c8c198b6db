// For memcmp, which compares at memory speed, in debug builds too.
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension UnsafeRawBufferPointer {
    private static let block = 4096

    /// The number of equal bytes at the start of both buffers.
    package func sharedPrefix(with other: UnsafeRawBufferPointer) -> Int {
        let length = Swift.min(count, other.count)
        guard length > 0, let left = baseAddress, let right = other.baseAddress else { return 0 }
        var offset = 0
        while offset < length {
            let size = Swift.min(Self.block, length - offset)
            guard memcmp(left + offset, right + offset, size) != 0 else {
                offset += size
                continue
            }
            while self[offset] == other[offset] { offset += 1 }
            return offset
        }
        return length
    }

    /// The number of equal bytes at the end of both buffers, of those after `start`.
    package func sharedSuffix(with other: UnsafeRawBufferPointer, after start: Int) -> Int {
        let length = Swift.min(count, other.count) - start
        guard length > 0, let left = baseAddress, let right = other.baseAddress else { return 0 }
        var shared = 0
        while shared < length {
            let size = Swift.min(Self.block, length - shared)
            guard memcmp(left + (count - shared - size), right + (other.count - shared - size), size) != 0 else {
                shared += size
                continue
            }
            while self[count - shared - 1] == other[other.count - shared - 1] { shared += 1 }
            return shared
        }
        return length
    }

    /// The last index of a byte before `end`.
    package func lastIndex(of byte: UInt8, before end: Int) -> Int? {
        var index = end - 1
        while index >= 0, self[index] != byte { index -= 1 }
        return index >= 0 ? index : nil
    }

    /// The number of occurrences of a byte in a range.
    package func count(of byte: UInt8, in range: Range<Int>) -> Int {
        var found = 0
        var start = range.lowerBound
        while let hit = firstIndex(of: byte, in: start..<range.upperBound) {
            found += 1
            start = hit + 1
        }
        return found
    }

    /// The first index of a sequence of bytes; 0 for an empty one.
    package func firstIndex(of part: UnsafeRawBufferPointer) -> Int? {
        guard let start = baseAddress, let wanted = part.baseAddress, let first = part.first else { return part.isEmpty ? 0 : nil }
        let end = count - part.count + 1
        var index = 0
        while index < end, let hit = firstIndex(of: first, in: index..<end) {
            if memcmp(start + hit, wanted, part.count) == 0 { return hit }
            index = hit + 1
        }
        return nil
    }
}

extension [UInt8] {
    /// Whether the bytes contain others.
    package func contains(bytes part: [UInt8]) -> Bool {
        withUnsafeBytes { bytes in part.withUnsafeBytes { bytes.firstIndex(of: $0) != nil } }
    }
}
