internal import SortieHTTP

/// Decides how the first connection of a download uses a response, from its header and before any byte of the body (`ResumeRules.md` 5.4).
struct RangeResponsePolicy: Sendable {
    let question: RangeRequest
    let segment: SegmentMap.ID
    let writer: DownloadWriter
    let place: DownloadPlace
    let reporter: DownloadReporter
    let workers: SegmentedDownload
    /// Whether the download may start again from the first byte.
    let mayRestart: Bool

    /// The bytes of the file that the body carries; nil when the body is not part of the file.
    ///
    /// - Throws: The error that ends the transfer without reading the body.
    func content(of seen: DownloadBody.Seen, from url: HTTPURL) throws(NetworkError) -> DownloadBody.Content? {
        switch seen.answer {
        case .append(let first, let end, let total):
            if let total { writer.setTotal(total) }
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
        case .complete: throw DownloadBody.notUsed("nothing is missing")
        case .tryLater, .refuse: return nil
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
            if !place.isChosen { manifest.destination = place.path(DownloadName.name(headers: headers, url: url)) }
        }
    }
}
