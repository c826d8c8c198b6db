internal import Glibc
internal import SortieHTTP

/// The beginning of the file of a large body as memory.
///
/// It stays valid for its views when the file has grown beyond it and has a larger one.
final class SpoolMapping: ReleasesMemory, Sendable {
    /// The file, which is closed after its last mapping.
    final class File: Sendable {
        let descriptor: Int32

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }
    }

    // The address of the mapping: set once, valid until deinit, and only read through.
    nonisolated(unsafe) let base: UnsafeRawPointer
    /// The number of bytes that are mapped, also beyond the end of the file.
    let capacity: Int
    private let file: File

    /// Maps the first `capacity` bytes; nil, with the reason in `errno`, when there is no address space.
    init?(_ file: File, capacity: Int) {
        // Reserves address space only; memory is used for the pages that a view reads.
        let mapping = mmap(nil, capacity, PROT_READ, Int32(MAP_SHARED) | Int32(MAP_NORESERVE), file.descriptor, 0)
        guard let mapping, mapping != MAP_FAILED else { return nil }
        base = UnsafeRawPointer(mapping)
        self.capacity = capacity
        self.file = file
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: base), capacity) }

    /// Unmaps the pages that were read; they stay in the page cache and are mapped again when needed.
    func releaseMemory() { madvise(UnsafeMutableRawPointer(mutating: base), capacity, MADV_DONTNEED) }
}
