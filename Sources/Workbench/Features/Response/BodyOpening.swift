package import BodyViews
internal import SortieHTTP
internal import SortieTerminal

/// Opening a body with the program for its media type.
struct OpenBodyJob: Job {
    static let isReplaced = true
    static let opensPopup = true
    static let cancelMessage: String? = "The body is not opened"
}

/// Writing the rows of a body to a private file for the pager.
package struct PreparePagerJob: WorkJob {
    static let isReplaced = true
    static let opensPopup = true
    static let cancelMessage = OpenBodyJob.cancelMessage

    package let body: BodyView

    /// Starts the pager with the path of the file.
    func finish(_ outcome: JobOutcome, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .done(let path): return [.showInPager(state.nextJob(PagerJob()), path)]
        case .failed(let sentence), .exists(let sentence), .protected(let sentence):
            state.notify("The body was not opened: \(sentence)", .error)
            return []
        }
    }
}

/// The pager while it has the terminal.
struct PagerJob: Job {}

extension Command {
    static let pageBody = Command.named("pageBody")
    static let openBody = Command.named("openBody")
}

/// Opening a body in other programs.
extension ResponseFeature {
    static let openingBindings: [Binding] = [
        Binding(.response, [.character("o")], .pageBody, "Pager", "Show the body in the pager", hint: 8, unless: noBody)
            .alsoKnownAs("less", "Open in pager"),
        Binding(
            .response, [.character("O")], .openBody, "Open", "Open the body with the program for its media type (open: in the settings, or xdg-open)",
            unless: noBody
        )
        .alsoKnownAs("Open with", "Browser", "Viewer", "xdg-open"),
    ]

    static func pageBody(_ state: inout AppState) -> [Effect] {
        guard let body = state.openBody, !isOutdated(&state) else { return [] }
        state.stopJobs(OpenBodyJob.self)
        return state.start(PreparePagerJob(body: body), showing: "Preparing the body for the pager…")
    }

    static func openBody(_ state: inout AppState) -> [Effect] {
        guard let body = state.openBody, !isOutdated(&state) else { return [] }
        state.stopJobs(PreparePagerJob.self)
        let job = state.nextJob(OpenBodyJob())
        state.toast = Toast("Opening the body…", job: job)
        let isResult = state.responseState.filter?.results != nil
        return [.openBody(job, body, mediaType: isResult ? "application/x-ndjson" : mediaType(of: state.openCall, body))]
    }

    /// The declared media type of a body, else the one of its kind.
    private static func mediaType(of call: Call?, _ body: BodyView) -> String {
        let declared = ContentType(call?.knownResponse?.contentType).mediaType
        if !declared.isEmpty { return declared }
        switch body.kind {
        case .json: return "application/json"
        case .xml: return "application/xml"
        case .html: return "text/html"
        case .text, .empty: return "text/plain"
        case .binary: return "application/octet-stream"
        }
    }

    /// Reports which program has a body, or why none has.
    static func opened(_ id: JobID, _ outcome: JobOutcome, _ state: inout AppState) {
        guard let job = state.jobs.removeValue(forKey: id), job is OpenBodyJob || job is PagerJob else { return }
        switch outcome {
        case .done(let program): if !program.isEmpty { state.notify("Opened the body with \(program)") }
        case .failed(let sentence), .exists(let sentence), .protected(let sentence):
            state.notify("The body was not opened: \(sentence)", .error)
        }
    }
}

/// The bodies of calls while they arrive, and their indexes.
extension ResponseFeature {
    /// Extends the body of a call that the response pane can show, and continues its index.
    static func grow(_ id: CallID, to bytes: BodyBytes, isFinal: Bool, _ state: inout AppState) -> [Effect] {
        guard state.calls.isViewable(id) else { return [] }
        let key = state.calls.key(of: id)
        let mode = state.responses[key]?.mode
        state.calls.change(id) { $0.call.grow(to: bytes, isFinal: isFinal, mode: mode) }
        followEnd(key, &state)
        let filtering = filterArrived(key, &state)
        return continueIndex(key, &state) + filtering
    }

    /// Indexes more of the body of a call, one step at a time.
    static func continueIndex(_ key: CallKey, _ state: inout AppState) -> [Effect] {
        guard let call = state.calls[key], let body = call.body, body.canAdvance, !call.isIndexing else { return [] }
        state.calls[key]?.isIndexing = true
        return [.index(call.id, body)]
    }

    /// Takes a body that was indexed further.
    static func indexed(_ id: CallID, _ view: BodyView, _ state: inout AppState) -> [Effect] {
        guard let current = state.calls[id]?.call.body else { return [] }
        let key = state.calls.key(of: id)
        state.calls[key]?.isIndexing = false
        if let merged = merged(view, current) { state.calls[key]?.body = merged }
        followEnd(key, &state)
        follow(key, &state)
        return revealPending(key, &state) + continueIndex(key, &state)
    }

    /// A view that was indexed further, with what has changed meanwhile; nil when it belongs to another body.
    static func merged(_ view: BodyView, _ current: BodyView) -> BodyView? {
        guard view.bytes.count <= current.bytes.count else { return nil }
        var view = view
        view.setHexWidth(current.hexWidth)
        if !view.hasFolding(of: current) { view.takeFolding(from: current) }
        if view.bytes != current.bytes || view.isFinal != current.isFinal {
            view.grow(to: current.bytes, isFinal: current.isFinal)
        }
        if view.mode != current.mode, view.modes.contains(current.mode) { view.show(current.mode) }
        return view
    }

    /// Indexes more of the shown body, which may be the results of a filter.
    static func continueShown(_ key: CallKey, _ state: inout AppState) -> [Effect] {
        state.responses[key]?.filter?.results == nil ? continueIndex(key, &state) : indexResults(key, &state)
    }
}
