internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// A request that may be sent: its templates are resolved, its receivers and files are permitted, and its secrets are masked.
///
/// Only ``RequestPreparation`` creates it. Functions that send a request of a workspace take this type instead of a `Request`.
struct PreparedRequest: Sendable {
    private(set) var request: Request
    /// Compares the response with what the endpoint expects; nil where it expects nothing.
    let check: ResponseCheck?
    /// The destination of a download with its templates resolved; nil where none was given.
    let destination: String?
    private let place: SourceLocation
    private let permission: WorkspacePermission

    fileprivate init(
        _ request: Request, at place: SourceLocation, _ permission: WorkspacePermission, check: ResponseCheck? = nil, destination: String? = nil
    ) throws(Diagnostic) {
        (self.request, self.place, self.permission) = (request, place, permission)
        (self.check, self.destination) = (check, destination)
        try refuseProtectedFiles(of: request)
    }

    /// Replaces the request by a changed one, such as one with the options of the command line.
    ///
    /// - Throws: A `Diagnostic` for a file in a protected place.
    mutating func replace(with request: Request) throws(Diagnostic) {
        try refuseProtectedFiles(of: request)
        self.request = request
    }

    private func refuseProtectedFiles(of request: Request) throws(Diagnostic) {
        for path in request.readFiles {
            guard let protected = permission.protected(path, .reading) else { continue }
            throw Diagnostic(place, protected.message, remedy: .protectedFile)
        }
    }
}

/// Builds all requests of a workspace that are sent, with the values of this machine, and compares them with the permission of the workspace.
///
/// The values come from ``LiveValues``, whose scopes also compare the receivers of secrets with the permission, so that a request with these values cannot
/// be built without the comparison.
struct RequestPreparation: Sendable {
    /// Builds the requests of the workspace in an environment.
    let builder: RequestBuilder
    /// The values of templates, with the permission of the workspace.
    private(set) var values: LiveValues
    /// Finds the secrets of requests; nil where they are not masked, because those of an earlier request are the same.
    private var redaction: Redaction?

    init(_ builder: RequestBuilder, _ values: LiveValues) {
        (self.builder, self.values) = (builder, values)
        redaction = Redaction(adding: builder.workspace.redact)
    }

    /// The preparation for further requests of a load, whose secrets are those of the first one.
    var ofRepetitions: RequestPreparation {
        var preparation = self
        preparation.redaction = nil
        return preparation
    }

    /// The request of an endpoint, with the check of its response.
    ///
    /// - Parameters:
    ///   - destination: The destination of a download, with templates; nil without one.
    ///   - inputs: The values that were fetched before, and those that are fetched.
    ///   - cancellation: Ends commands that run, requests for values, and questions.
    ///   - change: Changes the request before it is compared with the permission.
    func request(
        for endpoint: Endpoint, to destination: String? = nil, _ inputs: TemplateInputs = TemplateInputs(),
        cancelledBy cancellation: Cancellation = Cancellation(), changing change: @Sendable (inout Request) -> Void = { _ in }
    ) async throws(Diagnostic) -> PreparedRequest {
        try await located { preparation throws(Diagnostic) in
            try await preparation.built(endpoint, to: destination, inputs, cancelledBy: cancellation, changing: change)
        }
    }

    /// Performs work, and adds the places of templates to its problem.
    private func located<Value: Sendable>(_ work: (RequestPreparation) async throws(Diagnostic) -> Value) async throws(Diagnostic) -> Value {
        do throws(Diagnostic) { return try await work(self) } catch { throw builder.workspace.located(error) }
    }

    private func built(
        _ endpoint: Endpoint, to destination: String?, _ inputs: TemplateInputs, cancelledBy cancellation: Cancellation,
        changing change: @Sendable (inout Request) -> Void
    ) async throws(Diagnostic) -> PreparedRequest {
        try await values.resolve(inputs, cancelledBy: cancellation) { values throws(Diagnostic) in
            let (workspace, scope) = (builder.workspace, values.scope(of: endpoint, builder: builder))
            var request = try builder.request(for: endpoint, in: scope)
            let check = ResponseCheck(
                of: endpoint, rules: request.options.parameterRules, in: scope, envelope: workspace.service(endpoint.serviceName)?.envelope,
                contract: contract(of: endpoint), hasReports: workspace.hooks(of: endpoint).contains { $0.stage == .process })
            let destination = try destination.map { text throws(Diagnostic) in try builder.destination(text, of: endpoint, in: scope) }
            change(&request)
            hideSecrets(of: request)
            return try PreparedRequest(request, at: endpoint.place, values.permission, check: check, destination: destination)
        }
    }

    /// The request of an endpoint that is sent for a value of its response: a token, or a captured value of another request.
    ///
    /// - Parameter change: Changes the request before it is compared with the permission.
    /// - Throws: Also where a part of the files of the endpoint cannot be read, because the user does not see the request that is sent without it.
    func request(
        forValueOf endpoint: Endpoint, changing change: @Sendable (inout Request) -> Void
    ) async throws(Diagnostic) -> PreparedRequest {
        if let problem = endpoint.sendingProblem() { throw problem }
        if let problem = builder.workspace.sendingProblem(of: endpoint, ignoresUnreadable: true) { throw problem }
        return try await values.resolve { values throws(Diagnostic) in
            var request = try builder.request(for: endpoint, in: values.scope(of: endpoint, builder: builder))
            change(&request)
            hideSecrets(of: request)
            return try PreparedRequest(request, at: endpoint.place, values.permission)
        }
    }

    /// The request of a step of a run, with what is checked and captured.
    ///
    /// - Parameter captures: The values that earlier steps captured.
    func step(_ step: RunStep, of run: String, captures: [String: String]) async throws(Diagnostic) -> PreparedStep {
        var prepared = try await located { preparation throws(Diagnostic) in
            try await preparation.values.resolve { values throws(Diagnostic) in
                try preparation.builder.prepared(step, captures: captures) { values.scope(of: $0, builder: $1) }
            }
        }
        prepared.request.origin?.run = run
        prepared.request.origin?.step = step.name
        prepared.request.origin?.isSentByRun = true
        hideSecrets(of: prepared.request)
        _ = try PreparedRequest(prepared.request, at: SourceLocation(file: step.definition.target), values.permission)
        return prepared
    }

    /// The description with which the exchanges of an endpoint are compared; nil without one.
    func contract(of endpoint: Endpoint) -> EndpointContract? {
        EndpointContract(of: endpoint, in: builder.workspace, values.permission, isStrict: values.failsByContract)
    }

    /// Evaluates the conditions or the list of a step.
    func evaluate<Value: Sendable>(
        _ work: @Sendable (RequestBuilder, (Endpoint, RequestBuilder) -> TemplateScope) throws(Diagnostic) -> Value
    ) async throws(Diagnostic) -> Value {
        try await values.resolve { values throws(Diagnostic) in try work(builder) { values.scope(of: $0, builder: $1) } }
    }

    /// Rebuilds the request of an exchange of the history, with its differences from the original.
    ///
    /// - Parameters:
    ///   - given: Header fields that replace those of the exchange.
    ///   - redaction: What is masked, with the secrets that were used so far.
    ///   - cancellation: Cancels the commands of secrets that it needs.
    func replay(
        _ past: PastExchange, given: [HeaderField], masking redaction: @escaping @Sendable () -> Redaction, cancelledBy cancellation: Cancellation
    ) async -> ReplayPlan {
        await values.resolve(cancelledBy: cancellation) { values in
            var replay = Replay(
                past, builder: builder, scope: { values.scope(of: $0, builder: $1) }, redaction: redaction,
                file: { PastExchange.SentFile(readableAt: $0) })
            replay.given = given
            return replay.planned()
        }
    }

    /// The request of a replay.
    ///
    /// It is sent to the server of the exchange, which was permitted then, also where the files name another one now; the plan reports that.
    func request(of plan: ReplayPlan) throws(Diagnostic) -> PreparedRequest {
        let place = SourceLocation(file: "history")
        if let refusal = plan.refusal { throw Diagnostic(place, refusal) }
        hideSecrets(of: plan.request)
        return try PreparedRequest(plan.request, at: place, values.permission)
    }

    /// Masks the credentials of a request everywhere, for example where a server repeats them.
    private func hideSecrets(of request: Request) {
        for value in redaction?.secrets(of: request) ?? [] { values.used(value) }
    }
}

extension Endpoint {
    /// The place of problems of its request.
    fileprivate var place: SourceLocation { location ?? SourceLocation(file: target) }
}
