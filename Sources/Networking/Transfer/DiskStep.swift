/// The steps in which a download reaches the disk, in their order; after each the disk holds something from which it can go on.
enum DiskStep: String, Hashable, Sendable, CaseIterable {
    case wrote, synced, wroteManifest, renamedManifest, syncedFolder, renamedFile, removedManifest
}

/// Told after each step, on whichever thread did it; what it returns is taken for the number of a system error, 0 for none.
typealias DiskProbe = @Sendable (DiskStep) -> Int32
