internal import Model

/// What the first connection of a download makes of the header of an answer, before any byte of its body (§5.4).
struct AnswerJudge: Sendable {
    let question: ResumeQuestion
    let segment: SegmentMap.ID
    let writer: DownloadWriter
    let place: DownloadPlace
    let reporter: DownloadReporter
    let crew: SegmentCrew
    /// Whether the download may begin again.
    let mayRestart: Bool

    /// Which bytes of the body are taken; nil for an answer that is no file.
    ///
    /// - Throws: what ends the transfer without its body.
    func content(of seen: DownloadBody.Seen, from url: HTTPURL) throws(NetworkError) -> DownloadBody.Content? {
        switch seen.answer {
        case .append(let first, let end, let total):
            if let total { writer.setTotal(total) }
            if seen.status != 206 { goOnAlone("the whole file came instead of a part") }
            begin(seen)
            return DownloadBody.Content(first: first, end: end)
        case .replace(let total, let reason):
            guard reason == nil || mayRestart else { throw DownloadBody.notUsed("it would begin again once too often") }
            guard writer.has(segment) else { throw DownloadBody.notUsed("another connection has the rest") }
            if crew.isAtWork { goOnAlone(reason?.text ?? "the file begins again") }
            if let reason { reporter.move(to: .restarting(reason)) }
            replace(seen.headers, total: total, from: url)
            begin(seen)
            return DownloadBody.Content(first: 0, end: total)
        case .startOver(let reason): throw DownloadBody.notUsed(reason.text)
        case .askWithoutCondition: throw DownloadBody.notUsed("the server takes the condition for a no")
        case .complete: throw DownloadBody.notUsed("nothing is missing")
        case .tryLater, .refuse: return nil
        }
    }

    /// Bytes come; others may fetch some of them.
    private func begin(_ seen: DownloadBody.Seen) {
        reporter.receives()
        guard crew.mayShare, seen.headers["Accept-Ranges"]?.lowercased() != "none" else { return }
        crew.begin()
    }

    private func goOnAlone(_ reason: String) {
        writer.collapse(to: segment)
        crew.collapse(reason)
    }

    private func replace(_ headers: Headers, total: Int64?, from url: HTTPURL) {
        writer.replace(headers, total: total, for: segment) { manifest in
            manifest.expectedDigest = FileDigest(headers, isWhole: true)?.hexadecimal
            manifest.finalURL = DownloadManifest.shown(url)
            // Where nobody chose it, the name is the one that the server gives.
            if !place.isChosen { manifest.destination = place.path(DownloadName.name(headers: headers, url: url)) }
        }
    }
}
