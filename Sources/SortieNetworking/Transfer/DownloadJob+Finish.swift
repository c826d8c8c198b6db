internal import SortieHTTP

extension DownloadJob {
    /// Compares the digest, where an expected one is known; returns false when the download restarts.
    mutating func verify() async throws(Stop) -> Bool {
        try await obey()
        guard let writer else { return true }
        reporter.move(to: .verifying)
        if let damage = writer.part.damage {
            guard damage == .cut else { throw .failed(writer.part.error(of: damage), keepsPart: false) }
            try await restart(.damagedPart)
            return false
        }
        let manifest = writer.manifest
        let expected = download.expectedDigest ?? manifest.expectedDigest.flatMap { FileDigest(hexadecimal: $0) }
        guard expected != nil || download.wantsDigest else { return true }
        let found: String
        do throws(NetworkError) { found = try await writer.finalDigest() } catch { throw .failed(error, keepsPart: true) }
        digest = FileDigest(hexadecimal: found)
        guard let expected, expected.hexadecimal != found else { return true }
        // The bytes of a single response are what the server sent; only a file assembled from several responses may differ after another try.
        if resumedAt > 0 || exchange.attempts.count > 1, !redoneForDigest, restarts < Download.mostRestarts {
            redoneForDigest = true
            digest = nil
            try await restart(.digest)
            return false
        }
        let source = download.expectedDigest == nil ? "the server announced" : "was requested"
        throw .failed(
            NetworkError(
                .digestMismatch, "the file has the SHA-256 \(found), \(expected.hexadecimal) \(source)", hint: "the downloaded bytes were removed"),
            keepsPart: false)
    }

    /// Renames the part to its final name, in an order that keeps the file whole after a crash at any point (`ResumeRules.md` 5.5).
    mutating func finalise() async throws(Stop) {
        guard let place, let writer else { return }
        guard control.close() else {
            try await obey()
            return try await finalise()
        }
        reporter.move(to: .finalising)
        do throws(NetworkError) {
            try await finalise(writer, place)
        } catch {
            throw .failed(error, keepsPart: true)
        }
    }

    /// The policy for a name that is already taken.
    func collision(at place: DownloadPlace) -> Download.Collision {
        download.collision ?? (place.isChosen ? .replace : .keepBoth)
    }

    private func finalise(_ writer: DownloadWriter, _ place: DownloadPlace) async throws(NetworkError) {
        let file = ManifestFile(path: place.manifest, probe: probe)
        writer.note { $0.stage = .finalising }
        try await writer.save()
        let manifest = writer.manifest
        if let modified = manifest.lastModified.flatMap({ HTTPDate($0) }) { writer.part.setModified(modified) }
        try writer.part.syncAll()
        guard let wanted = place.name(in: manifest) else { throw PartFile.leadsElsewhere(manifest.destination) }
        if let destination { return try await move(writer, to: chosen(destination, place.path(wanted)), at: place, file) }
        // A number that an earlier run added to the name is not numbered again.
        let base = place.isChosen ? place.name : wanted
        var target = place.path(wanted)
        var number = 0
        while try !writer.part.rename(to: target, replaces: collision(at: place) == .replace) {
            guard collision(at: place) == .keepBoth, number < DownloadPlace.mostNumbers else {
                throw NetworkError(
                    .storage, "\(target) already exists",
                    remedy: .lateFile)
            }
            number += 1
            target = place.path(DownloadName.numbered(base, number))
            // The name is noted before the rename, so that the next run finds the right file after a crash between them.
            writer.note { [target] in $0.destination = target }
            try await writer.save()
        }
        try file.syncFolder()
        try file.remove()
    }

    // MARK: A destination that depends on the response

    private func chosen(_ destination: DownloadDestination, _ location: String) throws(NetworkError) -> String {
        do {
            let path = FilePath.joining(FilePath.folder(of: location), try destination(location, exchange.response?.head))
            guard FilePath.isName(FilePath.name(of: path)) else {
                throw NetworkError(.storage, "“\(path)” cannot be the path of a file", hint: "return the path of a file")
            }
            return path
        } catch let error as NetworkError { throw error } catch {
            throw NetworkError(.storage, "the destination of the download could not be determined: \(error)", underlying: String(reflecting: error))
        }
    }

    /// Moves the part to a path that the program chose.
    ///
    /// The manifest never contains this path, because a manifest is trusted only for names in its folder. After a crash between the rename and the
    /// removal of the manifest, the next run therefore downloads the file again.
    private func move(_ writer: DownloadWriter, to path: String, at place: DownloadPlace, _ manifest: ManifestFile) async throws(NetworkError) {
        let collision = download.collision ?? .keepBoth
        let folder = FilePath.folder(of: path)
        var target = path
        var number = 0
        while try !writer.part.rename(to: target, replaces: collision == .replace, leavesFolder: true) {
            guard collision == .keepBoth, number < DownloadPlace.mostNumbers else {
                throw NetworkError(
                    .storage, "\(target) already exists", hint: "the partial file is kept; replace or keep both, or choose another path")
            }
            number += 1
            target = FilePath.joining(folder, DownloadName.numbered(FilePath.name(of: path), number))
        }
        writer.note { [target] in $0.destination = target }
        try ManifestFile(path: target, probe: probe).syncFolder()
        try manifest.syncFolder()
        try manifest.remove()
    }
}
