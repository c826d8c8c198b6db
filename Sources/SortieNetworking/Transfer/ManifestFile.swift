internal import Glibc
internal import SortieBase
internal import SortieHTTP

/// The manifest file of a download; each store replaces it atomically, so that a crash leaves the old or the new one.
struct ManifestFile: Sendable {
    /// The content of the file.
    enum Content {
        case none
        case damaged
        case manifest(DownloadManifest)
    }

    let path: String
    let probe: DiskProbe

    private var temporary: String { path + ".tmp" }

    /// The maximum number of bytes read, larger than any manifest.
    private static let mostBytes = 1 << 20

    /// Reads the manifest; that of another program is damaged.
    func load() throws(NetworkError) -> Content {
        let bytes: [UInt8]
        do throws(WholeFile.Failure) { bytes = try WholeFile.bytes(at: path, limit: Self.mostBytes, followsLinks: false) } catch {
            switch error {
            case .system(ENOENT): return .none
            case .system(let code): throw .disk(code, path, "cannot be read")
            case .tooLarge: return .damaged
            case .notRegularFile, .notOwned: throw NetworkError(.storage, "\(path): \(error.reason)")
            }
        }
        return isForeign ? .damaged : DownloadManifest(reading: bytes).map { .manifest($0) } ?? .damaged
    }

    /// Whether others may read the file, which is never so after ``store(_:)``: another program wrote it, such as a browser under a name that a
    /// server chose.
    private var isForeign: Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return false }
        // On a file system without modes, such as FAT, every file has this mode.
        let other = FilePath.temporary(beside: path)
        let descriptor = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return true }
        defer {
            close(descriptor)
            unlink(other)
        }
        return fstat(descriptor, &status) != 0 || status.st_mode & 0o077 == 0
    }

    /// Stores the manifest durably: writes and syncs a temporary file, renames it, and syncs the folder.
    func store(_ manifest: DownloadManifest) throws(NetworkError) {
        if let failure = try tryStoring(manifest) { throw failure }
    }

    /// Stores the manifest durably.
    ///
    /// - Returns: The error where the disk has no room for it, so that the caller can free some; the stored manifest is then unchanged.
    /// - Throws: Any other error.
    func tryStoring(_ manifest: DownloadManifest) throws(NetworkError) -> NetworkError? {
        do throws(DiskFailure) { try write(manifest) } catch {
            guard error.isForRoom else { throw error.error }
            return error.error
        }
        try syncFolder()
        return nil
    }

    private func write(_ manifest: DownloadManifest) throws(DiskFailure) {
        // One that a crash left, or that another program wrote, could have another mode.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DiskFailure(errno, temporary, "cannot be written") }
        defer { close(descriptor) }
        var isStored = false
        // An incomplete temporary file has no use and occupies space.
        defer { if !isStored { unlink(temporary) } }
        let code = Array(manifest.text.utf8).withUnsafeBytes { AtomicFile.write($0, to: descriptor) }
        guard code == 0 else { throw DiskFailure(code, temporary, "cannot be written") }
        guard fsync(descriptor) == 0 else { throw DiskFailure(errno, temporary, "cannot be written") }
        try pass(.wroteManifest)
        guard rename(temporary, path) == 0 else { throw DiskFailure(errno, path, "cannot be written") }
        isStored = true
        try pass(.renamedManifest)
    }

    /// Removes the manifest, and the temporary file that a crash may have left.
    func remove() throws(NetworkError) {
        unlink(temporary)
        guard unlink(path) == 0 || errno == ENOENT else { throw .disk(errno, path, "cannot be removed") }
        do throws(DiskFailure) { try pass(.removedManifest) } catch { throw error.error }
        try syncFolder()
    }

    /// Syncs the names in the folder to the disk.
    func syncFolder() throws(NetworkError) {
        let code = FileRename.syncFolder(of: path)
        guard code == 0 else { throw .disk(code, FilePath.folder(of: path), "cannot be synced") }
        do throws(DiskFailure) { try pass(.syncedFolder) } catch { throw error.error }
    }

    private func pass(_ step: DiskStep) throws(DiskFailure) {
        let code = probe(step)
        if code != 0 { throw DiskFailure(code, path, "cannot be written") }
    }
}

/// A failed disk operation, with the `errno` value and a message.
struct DiskFailure: Error {
    /// The error to report.
    let error: NetworkError
    /// Whether the disk or the user's quota is full.
    let isForRoom: Bool

    /// Creates the failure of an operation on `path` from the `errno` value `code`.
    init(_ code: Int32, _ path: String, _ what: String) {
        error = .disk(code, path, what)
        isForRoom = code == ENOSPC || code == EDQUOT
    }
}
