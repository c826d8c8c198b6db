internal import SortieHTTP

extension DownloadJob {
    /// Finds and locks the part, and repairs the state that a crash may have left; returns whether the download has work left.
    mutating func prepare() async throws(Stop) -> Bool {
        do throws(NetworkError) { return try await find() } catch { throw .failed(error, keepsPart: true) }
    }

    private mutating func find() async throws(NetworkError) -> Bool {
        var place = try DownloadPlace(download)
        // Another download into the same folder may use the name.
        for number in 1...DownloadPlace.mostNumbers {
            if try await take(place) { break }
            guard number < DownloadPlace.mostNumbers else {
                throw NetworkError(.storage, "\(place.folder) has a thousand partial files of that name")
            }
            place = try DownloadPlace(download).numbered(number)
        }
        self.place = place
        reporter.placed(place.file)
        guard let writer else { return false }
        let manifest = writer.manifest
        if manifest.stage == .loading, collision(at: place) == .fail, place.isChosen, DownloadPlace.isTaken(place.file) {
            throw NetworkError(.storage, "\(place.file) already exists", remedy: .existingFile)
        }
        return try await !isFinished(place)
    }

    /// Opens the part of `place`; returns false when it belongs to another download and the name is not chosen by the user.
    private mutating func take(_ place: DownloadPlace) async throws(NetworkError) -> Bool {
        let file = ManifestFile(path: place.manifest, probe: probe)
        if !place.isChosen, case .manifest(let known) = try file.load(), known.key != place.key { return false }
        let found = try PartFile.open(place.part, creates: false, probe: probe)
        let content = try file.load()
        var reason: RestartReason?
        var isNoted = false
        var manifest = DownloadManifest(
            key: place.key, url: DownloadManifest.shown(download.request.url), destination: place.file, now: SystemClock.seconds)
        switch content {
        case .none:
            // A crash before the first manifest leaves an empty part.
            if let found, found.size > 0, !download.beginsAfresh {
                throw NetworkError(
                    .storage, "\(place.part) exists without a manifest, so its download is unknown",
                    remedy: .unknownPart)
            }
        case .damaged: reason = .damagedManifest
        case .manifest(let known) where known.key != place.key: reason = .otherDownload
        case .manifest(let known) where place.name(in: known) == nil: reason = .otherDestination
        case .manifest(let known): (manifest, isNoted) = (known, true)
        }
        if download.beginsAfresh, found != nil { reason = .asked }
        // The file was renamed already; only the manifest remains.
        let isRenamed =
            found == nil && reason == nil && manifest.stage == .finalising && DownloadPlace.size(of: manifest.destination) == manifest.committed
        var opened = found
        if opened == nil { opened = try PartFile.open(place.part, creates: true, probe: probe) }
        guard let part = opened else { return false }
        if reason == nil, !isRenamed { reason = try problem(of: part, manifest) }
        if let reason {
            reporter.decided(.body, "starts from the first byte: \(reason.text)")
            manifest = DownloadManifest(key: place.key, url: manifest.url, destination: place.file, now: SystemClock.seconds)
        }
        if !isRenamed {
            // The manifest is stored before the part is truncated to the bytes that it counts.
            if !isNoted || reason != nil { try file.store(manifest) }
            let end = manifest.segments.last { $0.stretch.received > 0 }?.stretch.position ?? manifest.committed
            if part.size > end { try part.truncate(to: end) }
        }
        let wantsDigest = download.wantsDigest || download.expectedDigest != nil || manifest.expectedDigest != nil
        let writer = DownloadWriter(
            part: part, file: file, manifest: manifest, computesDigest: wantsDigest, onBytes: { [reporter] in reporter.bytesCame() },
            onSave: { [reporter] in reporter.saved($0) })
        reporter.follow { [weak writer] in writer?.progress }
        use(writer, at: place)
        resumedAt = manifest.safeBytes
        furthest = manifest.safeBytes
        return true
    }

    private mutating func use(_ writer: DownloadWriter, at place: DownloadPlace) {
        self.writer = writer
        let setup = SegmentSetup(
            id: id, place: place, core: core, writer: writer, reporter: reporter, limiters: limiters, download: download, nextID: nextID)
        workers = SegmentedDownload(setup, most: min(download.connections, Download.mostConnections) - 1) { [lead, control] in
            // The first connection stops when another one has taken over its segment, or when the file is complete.
            if let now = lead.value, writer.isComplete || !writer.has(now.segment) { now.abort() }
            control.wake()
        }
    }

    /// Why the part cannot be continued; nil when it can, or when it is empty.
    private func problem(of part: PartFile, _ manifest: DownloadManifest) throws(NetworkError) -> RestartReason? {
        guard manifest.safeBytes > 0 else { return nil }
        guard part.size >= manifest.committed, try part.tailHash(before: manifest.committed) == manifest.tailHash else { return .damagedPart }
        for note in manifest.segments where note.stretch.received > 0 {
            let safe = note.stretch.start..<note.stretch.position
            guard part.size >= safe.upperBound, try part.tailHash(of: safe) == note.tailHash else { return .damagedPart }
        }
        if manifest.stage == .finalising || manifest.total == manifest.committed { return nil }
        if !manifest.isResumable { return .encoded }
        if !manifest.segments.isEmpty, !manifest.validator.isStrong { return .damagedManifest }
        if manifest.validator == .none, !download.allowsUnvalidated { return .noValidator }
        return nil
    }

    /// Whether an earlier run crashed after the rename.
    private func isFinished(_ place: DownloadPlace) async throws(NetworkError) -> Bool {
        guard let writer, writer.manifest.stage == .finalising, writer.part.size == 0, writer.manifest.committed > 0 else { return false }
        reporter.decided(.body, "the file already exists and is complete")
        writer.part.remove()
        try ManifestFile(path: place.manifest, probe: probe).remove()
        return true
    }
}
