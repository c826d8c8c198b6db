internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// Past exchanges in the response pane, as drafts and as new endpoints.
extension AppState {
    /// The key of the exchange that the response pane shows.
    var shownKey: CallKey? { past.map { .call($0.call) } ?? openTarget.map { .endpoint($0) } }

    mutating func load(_ number: Int64, for purpose: PastPurpose) -> Effect {
        .history(nextJob(PastJob(purpose: purpose)), .past(number))
    }

    mutating func loaded(_ past: PastExchange?, _ moment: HistoryMoment, for purpose: PastPurpose) -> [Effect] {
        guard let past else {
            notify("It is no longer in the history", .warning)
            history.changed()
            return []
        }
        guard mayOpen("#\(past.item.number)") else { return [] }
        switch purpose {
        case .show: return show(past, moment)
        case .draft: openAsDraft(past)
        case .save: askToSave(past)
        }
        return []
    }

    /// Shows a past exchange, with its endpoint if the workspace has it.
    private mutating func show(_ past: PastExchange, _ moment: HistoryMoment) -> [Effect] {
        let item = past.item
        let endpoint = item.target.flatMap { self.endpoint(EndpointID($0))?.id }
        if let endpoint { select(.endpoint(endpoint)) }
        dismissPast()
        let id = calls.show(item, past.exchange)
        responses[.call(id)] = ResponseState(tab: endpoint.flatMap { responses[.endpoint($0)]?.tab } ?? .body)
        self.past = PastView(
            call: id, past: past, moment: moment.long(item.startedAt), fullMoment: moment.full(item.startedAt), name: endpoint == nil ? item.url : nil
        )
        focus(.response)
        guard let response = past.exchange.response else { return [] }
        return SendingFeature.grow(id, to: response.body, isFinal: true, &self)
    }

    /// Shows a replay without an endpoint in the workspace.
    mutating func showReplay(_ call: Call) {
        dismissPast()
        calls.show(call.id)
        if responses[.call(call.id)] == nil { responses[.call(call.id)] = ResponseState() }
        past = PastView(call: call.id, name: call.name)
    }

    /// Shows the open endpoint's own response again.
    mutating func dismissPast() {
        guard let past else { return }
        self.past = nil
        forgetSearches(of: .call(past.call))
        calls.show(nil)
        if calls[past.call] == nil { responses[.call(past.call)] = nil }
    }

    // MARK: As a draft

    /// Replaces the draft with the endpoint as it was sent.
    mutating func openAsDraft(_ past: PastExchange) {
        guard let origin = past.exchange.request.origin?.endpoint, workspace.endpoint(origin.id) != nil, let now = endpoint(origin.id) else {
            askToSave(past)
            toast = Toast("It belongs to no endpoint of the workspace; save it as one first", .warning)
            return
        }
        select(.endpoint(origin.id))
        focus(.request)
        var whole: [String] = []
        var draft = origin.unmasked(past.masks.endpoint, from: now, whole: &whole)
        draft.location = now.location
        guard draft != now else {
            toast = Toast("The endpoint already equals the sent one")
            return
        }
        change { $0 = draft }
        // Parts without rows cannot be merged, so the message names those taken from the current endpoint.
        let ofNow = whole.isEmpty ? "" : ", with the current \(whole.joined(separator: " and ")): secrets are not stored"
        notify("Opened as it was sent\(ofNow); \(key(.undo)) undoes that", whole.isEmpty ? .info : .warning, source: origin.target)
    }

    // MARK: As an endpoint

    /// Opens the form for the service and the name of a new endpoint.
    mutating func askToSave(_ past: PastExchange) {
        let folders = workspace.services.map(\.folder)
        guard !folders.isEmpty else {
            toast = Toast("The workspace has no service to save it in; create a folder with a service.yaml first", .warning)
            return
        }
        leaveEditing()
        let item = past.item
        let host = past.exchange.request.url.origin
        let known = item.service.flatMap { folders.contains($0) ? $0 : nil }
        let service = known ?? folders.first { serverURLs(of: $0).contains { $0.origin == host } } ?? folders[0]
        let rows: [Form.Row] = [
            .init("Service", service, of: folders),
            .init("File", freeName(for: past, in: service), placeholder: "folder/name, without .yaml"),
            .init("Name", past.item.target == nil ? "" : past.exchange.request.origin?.endpoint.name ?? "", placeholder: "same as the file"),
        ]
        popups.show(Form("Save as an endpoint", rows) { form, state throws(FormProblem) in try state.saveEndpoint(form, of: past) })
    }

    mutating func saveEndpoint(_ form: Form, of past: PastExchange) throws(FormProblem) -> [Effect] {
        let service = form.text("Service")
        let file = FilePath.components(of: form.text("File")).joined(separator: "/")
        guard !file.isEmpty else { throw FormProblem("enter the endpoint's file", at: "File") }
        let target = "\(service)/\(file)"
        guard workspace.endpoint(target) == nil else { throw FormProblem("\(target) already exists; choose another name", at: "File") }
        let name = form.text("Name").isEmpty ? FilePath.name(of: file) : form.text("Name")
        let made = Endpoint(of: past, target: target, name: name, servers: serverURLs(of: service))
        popups.pop()
        return [.createEndpoint(nextJob(CreateEndpointJob(target: target, form: form)), made)]
    }

    /// Handles the result of creating an endpoint.
    mutating func created(_ id: JobID, _ outcome: JobOutcome) {
        guard let job = finishJob(id, CreateEndpointJob.self) else { return }
        let target = EndpointID(job.target)
        switch outcome {
        case .done(let place):
            notify("Saved to \(place)", source: target)
            guard endpoint(target) != nil, !isOccupied else { return }
            select(.endpoint(target))
            focus(.request)
        case .failed(let sentence), .exists(let sentence), .protected(let sentence):
            notify("Not saved: \(sentence)", .error, source: target)
            guard !isOccupied else { return }
            var form = job.form
            form.problem = sentence
            popups.show(form)
        }
    }

    /// The last component of the path, with a number if that name is taken.
    private func freeName(for past: PastExchange, in service: String) -> String {
        let last = FilePath.components(of: past.exchange.request.url.path).last.map(String.init) ?? "request"
        let allowed = last.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "-" }
        let stem = past.item.target.map { FilePath.components(of: $0).dropFirst().joined(separator: "/") } ?? String(allowed.prefix(60))
        let names = [stem] + (2...99).map { "\(stem)-\($0)" }
        return names.first { workspace.endpoint("\(service)/\($0)") == nil } ?? stem
    }

    /// The servers of a service in the selected environment, without those that need a lookup of a secret or a built-in.
    private func serverURLs(of service: String) -> [HTTPURL] {
        guard let environment, let servers = workspace.service(service)?.servers[environment] else { return [] }
        let plan = RequestBuilder(workspace: workspace, environment: environment)
        let scope = plan.scope(of: Endpoint(target: "\(service)/x", name: "", path: "/")) { _, _ in nil }
        return servers.compactMap { server in
            do { return try HTTPURL(parsing: scope.resolve(server, as: .url)) } catch { return nil }
        }
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
