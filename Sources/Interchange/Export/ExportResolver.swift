package import SortieBase
package import SortieHTTP
package import WorkspaceModel

/// Resolves endpoints for exports: variables have their values, credentials become placeholders.
package struct ExportResolver: Sendable {
    private let workspace: Workspace
    private let environment: String?
    private let overrides: [String: String]
    private var placeholders: ExportPlaceholder
    /// Whether captured and generated values have placeholders that differ from those of environment variables.
    package let isProgram: Bool
    private let builtin: TemplateScope.Builtin
    /// Whether a name with a dot is that of a value that only a run, or a response of another endpoint, has; it becomes an environment variable.
    package var isOutside: @Sendable (_ name: String, _ user: Endpoint) -> Bool = { _, _ in false }

    /// Creates a resolver.
    ///
    /// - Parameters:
    ///   - workspace: The workspace of the endpoints.
    ///   - environment: The environment whose variables are used.
    ///   - overrides: Variables of the command line.
    ///   - placeholders: The placeholders of the export.
    ///   - isProgram: Whether captured and generated values have placeholders that differ from those of environment variables.
    ///   - builtin: The built-in values that are not placeholders: clock and random numbers.
    package init(
        workspace: Workspace, environment: String?, overrides: [String: String] = [:], placeholders: ExportPlaceholder = .random(),
        isProgram: Bool = false, builtin: @escaping TemplateScope.Builtin
    ) {
        (self.workspace, self.environment, self.overrides, self.builtin) = (workspace, environment, overrides, builtin)
        (self.placeholders, self.isProgram) = (placeholders, isProgram)
    }

    /// The item of an endpoint.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - variables: The variables of a run's step.
    ///   - captured: The names of values that earlier steps capture, as later steps write them; they become placeholders.
    ///   - given: The names of values that only a run has, for an endpoint outside of it; they become environment variables.
    ///   - expectation: The expectation of a run's step; nil for that of the endpoint.
    /// - Throws: A diagnostic with the file and the field of the error.
    package func item(
        for endpoint: Endpoint, variables: [String: String] = [:], captured: [String] = [], given: [String] = [], expectation: Expectation? = nil
    ) throws(Diagnostic) -> ExportSource.Item {
        var endpoint = endpoint
        // The variables of a step are those of its endpoint in formats that write variables; credentials among them become secrets.
        endpoint.variables.merge(variables) { _, own in own }
        // Those of the command line, too; a program has placeholders for them.
        if !isProgram { endpoint.variables.merge(overrides) { _, own in own } }
        do throws(Diagnostic) { return try resolved(endpoint, captured, given, expectation) } catch {
            // A value outside the quotes of a JSON text, or compared with a number, must be a number.
            var numbers = self
            numbers.placeholders = placeholders.numbers
            do throws(Diagnostic) { return try numbers.resolved(endpoint, captured, given, expectation) } catch _ { throw error }
        }
    }

    private func resolved(
        _ endpoint: Endpoint, _ captured: [String], _ given: [String], _ expectation: Expectation?
    ) throws(Diagnostic) -> ExportSource.Item {
        let location = endpoint.location ?? SourceLocation(file: endpoint.target)
        var (safe, workspace) = extractingSecrets(of: endpoint)
        safe.path = URLText.encodingBlanks(safe.path)
        let auth = safe.auth(in: workspace.service(endpoint.serviceName))
        var resolved = safe
        resolved.auth = .none
        var builder = RequestBuilder(
            workspace: workspace, environment: environment, overrides: [overrides, credentials(of: endpoint, except: overrides)])
        for name in given { builder.literals[name] = placeholders.text(SecretName.environment(name)) }
        for name in captured {
            builder.literals[name] = isProgram ? placeholders.text(.captured(name)) : placeholders.text(SecretName.environment(name))
        }
        var scope = scope(of: resolved, builder, captured)
        let outside = TemplateMemo()
        scope.earlier = { [isOutside, placeholders] name in
            guard isOutside(name, endpoint) else { return nil }
            outside.noteCaptured(name)
            return placeholders.text(SecretName.environment(name))
        }
        let (expected, problems) = (expectation ?? safe.expectation ?? Expectation()).resolved(in: scope)
        if isProgram, let problem = problems.first { throw Diagnostic(location, "expect “\(problem.subject)”: \(problem.actual)") }
        var request = try builder.request(for: resolved, in: scope)
        request.removeFolder(workspace.fileFolder(of: resolved), before: placeholders)
        do throws(TemplateError) { try request.overlayAcceptance(of: expectation) } catch { throw Diagnostic(location, "expect: \(error.message)") }
        var credentials: Auth
        do throws(TemplateError) { credentials = try self.credentials(of: auth, in: scope) } catch {
            throw Diagnostic(location, "auth: \(error.message)")
        }
        // A key is a field or a parameter in every format.
        if case .apiKey = credentials {
            request.options.credential = credentials
            request.placeCredential()
        }
        if let login = request.url.credentials {
            // The password of a URL is a credential, too.
            request.url.credentials = nil
            if !safe.headers.contains(where: { $0.isEnabled && $0.name.lowercased() == "authorization" }) {
                request.headers.fields.removeAll { $0.isNamed("Authorization") }
                if credentials == .none { credentials = .basic(user: login.user, password: placeholders.text("PASSWORD")) }
            }
        }
        return ExportSource.Item(
            name: endpoint.target, endpoint: safe, request: request, credentials: auth, auth: credentials, placeholders: placeholders,
            expectation: expected, outside: outside.captured)
    }

    /// An endpoint and the workspace with secrets in place of the credentials in their files.
    private func extractingSecrets(of endpoint: Endpoint) -> (Endpoint, Workspace) {
        var imported = ImportedWorkspace(name: workspace.name)
        let service = workspace.service(endpoint.serviceName)
        imported.services = [
            ImportedService(
                id: "", service ?? Service(folder: endpoint.serviceName, name: workspace.name), items: [.endpoint(ImportedEndpoint(id: "", endpoint))]
            )
        ]
        let extracted = SecretExtraction.extracting(from: imported, into: workspace)
        var copy = workspace
        copy.secrets.merge(extracted.secrets) { old, _ in old }
        guard let changed = extracted.services.first else { return (endpoint, copy) }
        if service != nil {
            // The request needs no other service and no other endpoint, of which a workspace may have thousands.
            copy.services = [changed.service]
            copy.services[0].endpoints = []
        }
        if case .endpoint(let item)? = changed.items.first { return (item.endpoint, copy) }
        return (endpoint, copy)
    }

    /// The values of templates: placeholders for secrets, for values of the environment and for what a program generates.
    private func scope(of endpoint: Endpoint, _ builder: RequestBuilder, _ captured: [String]) -> TemplateScope {
        let secrets = builder.workspace.secrets
        let (builtin, placeholders, isProgram, overrides) = (builtin, placeholders, isProgram, overrides)
        return builder.scope(of: endpoint) { (name) throws(TemplateError) in
            switch secrets[name] {
            case .environment(let variable)?, .file(_, let variable)?: try placeholders.checked(variable)
            case .command?, .stored?: placeholders.text(SecretName.environment(name))
            case nil: nil
            }
        } builtin: { (name, argument) throws(TemplateError) in
            if name == "env" { return try placeholders.checked(argument) }
            if let question = PromptQuestion(name, argument) {
                if isProgram, captured.contains(question.label) { return placeholders.text(.captured(question.label)) }
                if let value = overrides[question.label] { return value }
                return placeholders.text(SecretName.environment(question.label))
            }
            if isProgram, name == "uuid" || name == "timestamp" || name == "random" {
                return placeholders.text(.generated(argument.isEmpty ? name : "\(name) \(argument)"))
            }
            return try builtin(name, argument)
        }
    }

    private func credentials(of auth: Auth, in scope: TemplateScope) throws(TemplateError) -> Auth {
        switch auth {
        case .none, .inherit: .none
        // The exported request cannot fetch a token itself.
        case .oauth2, .jwt: .bearer(token: placeholders.text("ACCESS_TOKEN"))
        default: try auth.mapping { _, text throws(TemplateError) in try scope.resolve(text) }
        }
    }

    /// The item of a recorded request; masked values become placeholders.
    ///
    /// - Parameters:
    ///   - request: The request; a body that is not text is kept.
    ///   - name: The target, such as `history/12`.
    /// - Throws: A diagnostic for a part of the body that is not text.
    package func item(recorded request: Request, named name: String) throws(Diagnostic) -> ExportSource.Item {
        var item = try item(for: try Endpoint(recorded: request, named: name))
        if case .bytes(let bytes, _) = request.body, String(validating: bytes, as: UTF8.self) == nil { item.request.body = request.body }
        // In a workspace, the service says how its server is reached.
        if let proxy = request.options.proxy { item.request.options.proxy = proxy }
        if let socket = request.options.unixSocket { item.request.options.unixSocket = socket }
        item.request.options.resolution.hosts = request.options.resolution.hosts
        return item
    }

    /// The name of the environment variable that stands for a value of a run.
    package static func environmentVariable(of name: String) -> String { SecretName.environment(name) }

    /// Placeholders for variables with the name of a credential, whose values stand in workspace files; a reference to another value is kept.
    private func credentials(of endpoint: Endpoint, except layer: [String: String]) -> [String: String] {
        let others = workspace.variables(of: environment)
        let variables = endpoint.variables.merging(others) { own, _ in own }.merging(workspace.variables) { own, _ in own }
        let literals = variables.filter { name, value in
            workspace.hidesValue(of: name) && layer[name] == nil
                && !Template(value).segments.allSatisfy { if case .variable = $0 { true } else { false } }
        }
        return Dictionary(uniqueKeysWithValues: literals.keys.map { ($0, placeholders.text(SecretName.environment($0))) })
    }
}

extension Workspace {
    /// Whether exports have no value of a variable, because it is a credential by its name or the workspace masks it.
    func hidesValue(of name: String) -> Bool {
        CredentialNames.contains(name) || redact.contains { CredentialNames.plain($0) == CredentialNames.plain(name) }
    }
}

extension Request {
    /// Removes the folder before paths of files that begin with a placeholder: its value may be the path of a folder, as that of `HOME` is.
    fileprivate mutating func removeFolder(_ folder: String, before placeholders: ExportPlaceholder) {
        func path(_ path: String) -> String {
            guard path.hasPrefix(folder + "/") else { return path }
            let rest = String(path.dropFirst(folder.count + 1))
            if case .text? = placeholders.pieces(of: rest).first { return path }
            return rest
        }
        switch body {
        case .none, .bytes: break
        case .file(let file, let type): body = .file(path: path(file), contentType: type)
        case .multipart(var parts):
            for index in parts.indices {
                if case .file(let file) = parts[index].content { parts[index].content = .file(path: path(file)) }
            }
            body = .multipart(parts)
        }
    }
}

extension ExportPlaceholder {
    /// The placeholder for a variable that a workspace names.
    fileprivate func checked(_ variable: String) throws(TemplateError) -> String {
        guard EnvironmentFile.isVariableName(variable) else {
            // A shell would run the rest of the name.
            throw TemplateError(
                "“\(variable)” is no name of an environment variable that can be exported; use letters A to Z, digits and _, with no digit first")
        }
        return text(variable)
    }
}
