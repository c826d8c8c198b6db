internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// Past exchanges: in the response pane, as drafts and as new endpoints.
extension HistoryFeature {
    static func load(_ number: Int64, for purpose: PastPurpose, _ state: inout AppState) -> Effect {
        .history(state.nextJob(PastJob(purpose: purpose)), .past(number))
    }

    static func loaded(_ past: PastExchange?, _ moment: HistoryMoment, for purpose: PastPurpose, _ state: inout AppState) -> [Effect] {
        guard let past else {
            state.notify("It is no longer in the history", .warning)
            state.history.changed()
            return []
        }
        guard state.mayOpen("#\(past.item.number)") else { return [] }
        switch purpose {
        case .show:
            let endpoint = past.item.target.flatMap { state.endpoint(EndpointID($0))?.id }
            if let endpoint { ServicesFeature.select(.endpoint(endpoint), &state) }
            return ResponseFeature.show(past, of: endpoint, moment, &state)
        case .draft: openAsDraft(past, &state)
        case .save: askToSave(past, &state)
        }
        return []
    }

    // MARK: As a draft

    /// Replaces the draft with the endpoint as it was sent.
    static func openAsDraft(_ past: PastExchange, _ state: inout AppState) {
        guard let origin = past.exchange.request.origin?.endpoint, state.workspace.endpoint(origin.id) != nil,
            let now = state.endpoint(origin.id)
        else {
            askToSave(past, &state)
            state.toast = Toast("It belongs to no endpoint of the workspace; save it as one first", .warning)
            return
        }
        ServicesFeature.select(.endpoint(origin.id), &state)
        state.focus(.request)
        var whole: [String] = []
        var draft = origin.unmasked(past.masks.endpoint, from: now, whole: &whole)
        draft.location = now.location
        guard draft != now else {
            state.toast = Toast("The endpoint already equals the sent one")
            return
        }
        state.change { $0 = draft }
        // Parts without rows cannot be merged, so the message names those taken from the current endpoint.
        let ofNow = whole.isEmpty ? "" : ", with the current \(whole.joined(separator: " and ")): secrets are not stored"
        state.notify("Opened as it was sent\(ofNow); \(state.key(.undo)) undoes that", whole.isEmpty ? .info : .warning, source: origin.target)
    }

    // MARK: As an endpoint

    /// Opens the form for the service and the name of a new endpoint.
    private static func askToSave(_ past: PastExchange, _ state: inout AppState) {
        let folders = state.workspace.services.map(\.folder)
        guard !folders.isEmpty else {
            state.toast = Toast("The workspace has no service to save it in; \(state.key(.newItem)) in Services creates one", .warning)
            return
        }
        state.stopEditing()
        let item = past.item
        let host = past.exchange.request.url.origin
        let known = item.service.flatMap { folders.contains($0) ? $0 : nil }
        let service = known ?? folders.first { state.serverURLs(of: $0).contains { $0.origin == host } } ?? folders[0]
        let rows: [Form.Row] = [
            .init("Service", service, of: folders),
            .init("File", proposing: freeName(for: past, in: service, state), placeholder: "folder/name, without .yaml"),
            .init("Name", past.item.target == nil ? "" : past.exchange.request.origin?.endpoint.name ?? "", placeholder: "same as the file"),
        ]
        state.popups.show(
            Form("Save as an endpoint", rows, guide: "workspaces#create-rename-delete") { form, state throws(FormProblem) in
                try save(form, past, &state)
            })
    }

    private static func save(_ form: Form, _ past: PastExchange, _ state: inout AppState) throws(FormProblem) -> [Effect] {
        let service = form.text("Service")
        let file = FilePath.components(of: form.text("File")).joined(separator: "/")
        guard !file.isEmpty else { throw FormProblem("enter the endpoint's file", at: "File") }
        let target = "\(service)/\(file)"
        guard state.workspace.endpoint(target) == nil else { throw FormProblem("\(target) already exists; choose another name", at: "File") }
        let name = form.text("Name").isEmpty ? FilePath.name(of: file) : form.text("Name")
        let made = Endpoint(of: past, target: target, name: name, servers: state.serverURLs(of: service), folder: state.workspace.folder)
        state.popups.pop()
        return [.createEndpoint(state.nextJob(CreateEndpointJob(target: target, form: form)), made)]
    }

    /// Handles the result of creating an endpoint.
    static func created(_ id: JobID, _ outcome: JobOutcome, _ state: inout AppState) {
        guard let job = state.finishJob(id, CreateEndpointJob.self) else { return }
        let target = EndpointID(job.target)
        switch outcome {
        case .done(let place):
            state.notify("Saved to \(place)", source: target)
            guard state.endpoint(target) != nil, !state.isOccupied else { return }
            ServicesFeature.select(.endpoint(target), &state)
            state.focus(.request)
        case .failed(let sentence), .exists(let sentence), .protected(let sentence):
            state.notify("Not saved: \(sentence)", .error, source: target)
            guard !state.isOccupied else { return }
            var form = job.form
            form.problem = sentence
            state.popups.show(form)
        }
    }

    /// The last component of the path, with a number if that name is taken.
    private static func freeName(for past: PastExchange, in service: String, _ state: AppState) -> String {
        let stem =
            past.item.target.map { FilePath.components(of: $0).dropFirst().joined(separator: "/") }
            ?? Endpoint.fileName(ofPath: past.exchange.request.url.path)
        let names = [stem] + (2...99).map { "\(stem)-\($0)" }
        return names.first { state.workspace.endpoint("\(service)/\($0)") == nil } ?? stem
    }
}

/// The reason for loading a complete exchange.
enum PastPurpose: Hashable, Sendable {
    case show, draft, save
}

/// Loading a complete exchange.
struct PastJob: Job {
    var purpose: PastPurpose
}

/// Creating an endpoint from an exchange.
struct CreateEndpointJob: Job {
    var target: String
    /// The form, shown again when the file cannot be written.
    var form: Form
}
