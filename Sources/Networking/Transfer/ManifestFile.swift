internal import Glibc
internal import Model

/// The manifest of a download on the disk; replaced as a whole, so that a crash leaves the old one or the new one.
struct ManifestFile: Sendable {
    /// What is there.
    enum Content {
        case none
        case damaged
        case manifest(DownloadManifest)
    }

    let path: String
    let probe: DiskProbe

    private var temporary: String { path + ".tmp" }

    /// More than any manifest has.
    private static let mostBytes = 1 << 20

    /// Reads it.
    func load() throws(NetworkError) -> Content {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return .none }
            throw .disk(errno, path, "cannot be read")
        }
        defer { close(descriptor) }
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.mostBytes) { buffer, filled in
            while filled < buffer.count {
                let count = read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
                if count < 0, errno == EINTR { continue }
                if count < 0 { code = errno }
                guard count > 0 else { break }
                filled += count
            }
        }
        guard code == 0 else { throw .disk(code, path, "cannot be read") }
        return DownloadManifest(reading: bytes).map { .manifest($0) } ?? .damaged
    }

    /// Writes it, so that it is on the disk when this returns: a file beside it, its bytes, its name, the folder.
    func store(_ manifest: DownloadManifest) throws(NetworkError) {
        if let failure = try tryStoring(manifest) { throw failure }
    }

    /// Writes it, so that it is on the disk when this returns.
    ///
    /// - Returns: the error where the disk has no room for it, so that the caller may make some; the manifest that was there is unchanged then.
    /// - Throws: any other error.
    func tryStoring(_ manifest: DownloadManifest) throws(NetworkError) -> NetworkError? {
        do throws(DiskFailure) { try write(manifest) } catch {
            // An incomplete file beside it is of no use, and takes room.
            if error.isForRoom { unlink(temporary) }
            guard error.isForRoom else { throw error.error }
            return error.error
        }
        try syncFolder()
        return nil
    }

    private func write(_ manifest: DownloadManifest) throws(DiskFailure) {
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw DiskFailure(errno, temporary, "cannot be written") }
        defer { close(descriptor) }
        let bytes = Array(manifest.text.utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw DiskFailure(errno, temporary, "cannot be written") }
            done += count
        }
        guard fsync(descriptor) == 0 else { throw DiskFailure(errno, temporary, "cannot be written") }
        try pass(.wroteManifest)
        guard rename(temporary, path) == 0 else { throw DiskFailure(errno, path, "cannot be written") }
        try pass(.renamedManifest)
    }

    /// Removes it, and what a crash may have left of the next one.
    func remove() throws(NetworkError) {
        unlink(temporary)
        guard unlink(path) == 0 || errno == ENOENT else { throw .disk(errno, path, "cannot be removed") }
        do throws(DiskFailure) { try pass(.removedManifest) } catch { throw error.error }
        try syncFolder()
    }

    /// Waits until names in the folder are on the disk.
    func syncFolder() throws(NetworkError) {
        let folder = FilePath.folder(of: path)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .disk(errno, folder, "cannot be read") }
        // Some file systems cannot do this with a folder; the files themselves are on the disk by then.
        fsync(descriptor)
        close(descriptor)
        do throws(DiskFailure) { try pass(.syncedFolder) } catch { throw error.error }
    }

    private func pass(_ step: DiskStep) throws(DiskFailure) {
        let code = probe(step)
        if code != 0 { throw DiskFailure(code, path, "cannot be written") }
    }
}
