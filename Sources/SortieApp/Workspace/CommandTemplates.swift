internal import SortieHTTP
internal import WorkspaceModel

/// The templates of a command's request, which can be resolved for one call or for several.
struct CommandTemplates: Sendable {
    /// What one pass gives.
    struct Resolution: Sendable {
        var request: Request
        /// The expectation of the endpoint; nil where it has none.
        var check: ResponseCheck?
        /// The destination of a download as the file has it; nil without one.
        var destination: String?
    }

    let endpoint: Endpoint
    let plan: RequestBuilder
    let values: LiveValues
    /// The values that were fetched, once for all passes.
    var inputs: TemplateInputs
    let envelope: Envelope?
    /// Whether the command names a URL and no endpoint.
    let isURL: Bool
    /// Whether the command names the server of the ring.
    let usesOneServer: Bool
    let redaction: LiveRedaction

    /// The same templates for a pass beside others, which takes values that were fetched from them.
    func again() -> CommandTemplates {
        var templates = self
        templates.inputs = inputs.copy()
        return templates
    }

    /// Resolves the templates.
    ///
    /// - Throws: A `CommandFailure` with the place of the template, or with status 2 for a URL.
    func resolve(cancelledBy cancellation: Cancellation = Cancellation()) async throws -> Resolution {
        var resolution: Resolution
        do throws(Diagnostic) {
            resolution = try await values.resolve(inputs, cancelledBy: cancellation) { values throws(Diagnostic) in
                let scope = values.scope(of: endpoint, plan: plan)
                let request = try plan.request(for: endpoint, in: scope)
                let hasReports = plan.workspace.hooks(of: endpoint).contains { $0.stage == .process }
                let rules = request.options.parameterRules
                return Resolution(
                    request: request, check: ResponseCheck(of: endpoint, rules: rules, in: scope, envelope: envelope, hasReports: hasReports),
                    destination: try endpoint.download?.to.map { to throws(Diagnostic) in try plan.destination(to, of: endpoint, in: scope) })
            }
        } catch {
            var problem = error
            problem.message = redaction.current.masked(problem.message)
            if let hint = problem.failure?.hint { problem.failure?.hint = redaction.current.masked(hint) }
            // A URL is no file that could have the mistake.
            throw isURL && problem.failure == nil ? CommandFailure(.usage, problem.message) : CommandFailure(problem)
        }
        if isURL { resolution.request.target = nil }
        // The named server is used alone: another one would be a wrong result.
        if usesOneServer { (resolution.request.otherServers, resolution.request.serverGeneration) = ([], nil) }
        return resolution
    }
}
