/// The disk operations of a download, in order; after each one the disk holds a state from which the download can continue.
enum DiskStep: String, Hashable, Sendable, CaseIterable {
    case wrote, synced, wroteManifest, renamedManifest, syncedFolder, renamedFile, removedManifest
}

/// A callback after each disk step, on the thread that performed it; returns an `errno` value to simulate a failure, or 0.
typealias DiskProbe = @Sendable (DiskStep) -> Int32
