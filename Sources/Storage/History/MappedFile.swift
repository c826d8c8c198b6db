internal import Foundation
internal import SortieBase

/// A memory-mapped file of the body folder.
///
/// Such files are never changed, only removed, and a removed file stays readable through its mapping.
final class MappedFile: ReleasesMemory, Sendable {
    // The address of the mapping: set once, valid until `deinit`, and only read through.
    nonisolated(unsafe) private let start: UnsafeMutableRawPointer
    private let count: Int

    /// Maps the first `count` bytes; nil when `count` is 0 or the system call fails.
    init?(descriptor: Int32, count: Int) {
        guard count > 0, let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else { return nil }
        self.start = start
        self.count = count
    }

    deinit { munmap(start, count) }

    /// The mapped bytes.
    var view: BodyBytes { BodyBytes(owner: self, pointer: UnsafeRawPointer(start), count: count) }

    /// Releases the resident pages; they are read again when accessed.
    func releaseMemory() { madvise(start, count, MADV_DONTNEED) }
}
