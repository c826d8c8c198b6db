internal import SortieHTTP

/// Decides how a connection of a download uses a response, from its header and before any byte of the body (`ResumeRules.md` 5.4).
///
/// A response to the first connection may set the length, the validators and the name of the file. A response to a further one must be a part of the
/// known file.
struct RangeResponsePolicy: Sendable {
    let range: RangeRequest
    let segment: SegmentMap.ID
    let setup: SegmentSetup
    let workers: SegmentedDownload
    /// Whether the first connection may start the download again from the first byte; nil for a further connection.
    let mayRestart: Bool?

    private var writer: DownloadWriter { setup.writer }
    private var reporter: DownloadReporter { setup.reporter }

    /// The bytes of the file that the body carries; nil when the body is not part of the file.
    ///
    /// - Throws: The error that ends the transfer without reading the body.
    func content(of seen: DownloadBody.Seen, from url: HTTPURL) throws(NetworkError) -> DownloadBody.Content? {
        guard let mayRestart else { return try part(of: seen) }
        switch seen.answer {
        case .append(let first, let end, let total):
            // A part that is complete is compared before it counts as complete.
            if let total, total > range.committed { writer.setTotal(total) }
            if seen.status != 206 { goOnAlone("the server sent the whole file instead of a range") }
            begin(seen)
            return DownloadBody.Content(first: first, end: end)
        case .replace(let total, let reason):
            guard reason == nil || mayRestart else { throw DownloadBody.notUsed("the limit of restarts is reached") }
            guard writer.has(segment) else { throw DownloadBody.notUsed("another connection fetches the rest") }
            if workers.isAtWork { goOnAlone(reason?.text ?? "the download restarts") }
            if let reason { reporter.move(to: .restarting(reason)) }
            replace(seen.headers, total: total, from: url)
            begin(seen)
            return DownloadBody.Content(first: 0, end: total)
        case .startOver(let reason): throw DownloadBody.notUsed(reason.text)
        case .askWithoutCondition: throw DownloadBody.notUsed("the server ignores the range because of If-Range")
        case .tryLater, .refuse, .otherType: return nil
        }
    }

    /// Reports that bytes arrive, and starts further connections where the download allows them.
    private func begin(_ seen: DownloadBody.Seen) {
        reporter.receives()
        guard workers.mayShare, seen.headers["Accept-Ranges"]?.lowercased() != "none" else { return }
        workers.begin()
    }

    private func goOnAlone(_ reason: String) {
        writer.collapse(to: segment)
        workers.collapse(reason)
    }

    private func replace(_ headers: Headers, total: Int64?, from url: HTTPURL) {
        writer.replace(headers, total: total, for: segment) { manifest in
            manifest.expectedDigest = FileDigest(headers, isWhole: true)?.hexadecimal
            manifest.finalURL = DownloadManifest.shown(url)
            // Where the user did not choose a name, the response names the file.
            guard !setup.place.isChosen else { return }
            let unnamed = setup.download.request.options.texts.unnamedFile
            manifest.destination = setup.place.path(DownloadName.name(headers: headers, url: url, otherwise: unnamed))
        }
    }

    // MARK: Further connections

    private func part(of seen: DownloadBody.Seen) throws(NetworkError) -> DownloadBody.Content? {
        switch seen.answer {
        case .tryLater, .refuse: return nil
        default: break
        }
        if let objection = objection(to: seen) { throw DownloadBody.notUsed(objection) }
        guard case .append(let first, let end, _) = seen.answer else { return nil }
        return DownloadBody.Content(first: first, end: end)
    }

    /// Why a response is not a part of the known file; nil when it is.
    func objection(to seen: DownloadBody.Seen) -> String? {
        guard seen.status == 206 else {
            return (200..<300).contains(seen.status)
                ? "the server sent the whole file instead of a range" : "the server responded with \(seen.status)"
        }
        guard case .append(let first, let end, let length) = seen.answer else {
            if case .startOver(let reason) = seen.answer { return reason.text }
            return "the range is not the requested one"
        }
        guard case .strong(let tag) = range.validator, seen.headers["ETag"] == tag else { return "the range has a different ETag, or none" }
        guard let total = range.total, length == total else { return RestartReason.changedLength.text }
        // A shorter part than requested is valid; the rest is requested again.
        guard first == range.offset, let end, end <= range.end ?? total else { return "the range is not the requested one" }
        return nil
    }
}
