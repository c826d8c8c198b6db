internal import BodyViews
internal import SortieHTTP
internal import SortieTerminal

/// Opening a body in the pager, or with the program for its media type.
struct OpenBodyJob: Job {
    static let isReplaced = true
    static let opensPopup = true
    static let cancelMessage: String? = "The body is not opened"
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
        let job = state.nextJob(OpenBodyJob())
        state.toast = Toast("Preparing the body for the pager…", job: job)
        return [.prepareForPager(job, body)]
    }

    static func openBody(_ state: inout AppState) -> [Effect] {
        guard let body = state.openBody, !isOutdated(&state) else { return [] }
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

    /// Starts the pager when its file is written.
    static func prepared(_ id: JobID, _ outcome: JobOutcome, _ state: inout AppState) -> [Effect] {
        guard state.finishJob(id, OpenBodyJob.self) != nil else { return [] }
        switch outcome {
        case .done(let path): return [.showInPager(state.nextJob(PagerJob()), path)]
        case .failed(let sentence), .exists(let sentence), .protected(let sentence):
            state.notify("The body was not opened: \(sentence)", .error)
            return []
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
