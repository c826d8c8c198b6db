internal import Foundation
internal import Model

/// A file of ours as memory, without reading it.
///
/// Files that are mapped so are never changed, only removed, and that takes nothing from who looks at them.
final class MappedFile: ReleasesMemory, Sendable {
    // The address of the mapping: set once, valid until deinit, and only read through.
    nonisolated(unsafe) private let start: UnsafeMutableRawPointer
    private let count: Int

    /// Maps the first `count` bytes, of which there must be one at least; nil when the system refuses.
    init?(descriptor: Int32, count: Int) {
        guard count > 0, let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else { return nil }
        self.start = start
        self.count = count
    }

    deinit { munmap(start, count) }

    /// The bytes.
    var view: BodyBytes { BodyBytes(owner: self, pointer: UnsafeRawPointer(start), count: count) }

    /// Unmaps the pages that were looked at; they come back when needed.
    func releaseMemory() { madvise(start, count, MADV_DONTNEED) }
}
