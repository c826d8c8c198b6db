internal import SortieHTTP

/// The values that the templates of a request take from outside of its files, found without resolving them.
package struct TemplateNeeds: Hashable, Sendable {
    /// The names that nothing defines, in the order of their first use.
    package fileprivate(set) var undefined: [String] = []
    /// What the user is asked for, in the order of the first use.
    package fileprivate(set) var prompts: [PromptQuestion] = []
    /// The names of the secrets, in the order of their first use.
    package fileprivate(set) var secrets: [String] = []

    /// Creates a value without needs.
    package init() {}

    fileprivate mutating func add(_ question: PromptQuestion) {
        if let index = prompts.firstIndex(where: { $0.label == question.label }) {
            prompts[index] = prompts[index].merged(with: question)
        } else {
            prompts.append(question)
        }
    }

    /// Adds what another request needs.
    package mutating func formUnion(_ other: TemplateNeeds) {
        undefined += other.undefined.filter { !undefined.contains($0) }
        secrets += other.secrets.filter { !secrets.contains($0) }
        for question in other.prompts { add(question) }
    }
}

/// Finds what templates need in one environment, in time proportional to the texts and the variables that they lead to.
package struct TemplateNeedsScan: Sendable {
    private let workspace: Workspace
    private let environment: String?
    private let overrides: [String: String]
    private let ofEnvironment: [String: String]
    private let ofPublic: [String: String]

    /// Creates a scan.
    ///
    /// - Parameter overrides: variables that precede all files.
    package init(_ workspace: Workspace, environment: String?, overrides: [String: String] = [:]) {
        (self.workspace, self.environment, self.overrides) = (workspace, environment, overrides)
        ofEnvironment = workspace.variables(of: environment)
        ofPublic = Dictionary(workspace.publicParameters.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// What the request of an endpoint needs.
    ///
    /// - Parameter variables: variables of the step that sends it.
    package func needs(of endpoint: Endpoint, variables: [String: String] = [:]) -> TemplateNeeds {
        var needs = needs(of: urlTexts(of: endpoint) + texts(of: endpoint), in: endpoint, variables: variables)
        // A condition that cannot be resolved does not prevent the request.
        if let expectation = endpoint.expectation {
            let values = expectation.conditions.map(\.value)
            for question in self.needs(of: values, in: endpoint, variables: variables).prompts { needs.add(question) }
        }
        return needs
    }

    /// What the URL of an endpoint needs.
    package func needsOfURL(of endpoint: Endpoint) -> TemplateNeeds {
        needs(of: urlTexts(of: endpoint) + endpoint.query.enabledTexts, in: endpoint)
    }

    /// What a run needs: the prompts and secrets of all its steps.
    ///
    /// It names nothing as undefined, because the names that a step captures are not known before it was sent.
    package func needs(of run: RunDefinition) -> TemplateNeeds {
        var needs = TemplateNeeds()
        for step in run.steps {
            guard let endpoint = workspace.endpoint(step.target) else { continue }
            for var own in [self.needs(of: endpoint, variables: step.variables), self.needs(of: step.templates, in: endpoint)] {
                own.undefined = []
                needs.formUnion(own)
            }
        }
        return needs
    }

    /// What texts of an endpoint need.
    package func needs(of texts: [String], in endpoint: Endpoint, variables: [String: String] = [:]) -> TemplateNeeds {
        var needs = TemplateNeeds()
        var visited: Set<String> = []
        // A list instead of recursion, because a chain of variables may be as long as the file.
        var waiting = texts.reversed().flatMap(Self.segments)
        while let segment = waiting.popLast() {
            switch segment {
            case .text, .unclosed: break
            case .builtin(let name, let argument, _): if let question = PromptQuestion(name, argument) { needs.add(question) }
            case .variable(let name, _):
                guard visited.insert(name).inserted else { continue }
                if let text = variables[name] ?? overrides[name] ?? endpoint.variables[name] ?? ofEnvironment[name] ?? workspace.variables[name]
                    ?? ofPublic[name]
                {
                    waiting += Self.segments(text)
                } else if workspace.secrets[name] != nil {
                    needs.secrets.append(name)
                } else if !workspace.captures(name, for: endpoint) {
                    needs.undefined.append(name)
                }
            }
        }
        return needs
    }

    /// The templates of a text, the last one first.
    private static func segments(_ text: String) -> [Template.Segment] {
        text.contains("{{") ? Template(text).segments.reversed() : []
    }

    /// The path, and the first server that it is relative to; a further server that cannot be resolved does not prevent the request.
    private func urlTexts(of endpoint: Endpoint) -> [String] {
        let ring = endpoint.hasWholeURL ? [] : environment.flatMap { workspace.service(endpoint.serviceName)?.servers[$0] } ?? []
        return ring.prefix(1) + [endpoint.path]
    }

    private func texts(of endpoint: Endpoint) -> [String] {
        let service = workspace.service(endpoint.serviceName)
        let inherited = endpoint.inherits == false ? nil : service
        let auth = endpoint.auth(in: service)
        let proxy = workspace.proxy(of: service)
        let cache = (endpoint.cache ?? (endpoint.inherits == false ? nil : workspace.cache))?.tag
        let texts: [[String]] = [
            endpoint.query.enabledTexts, inherited?.headers.enabledTexts ?? [], endpoint.headers.enabledTexts, auth.texts,
            endpoint.body.sentTemplates, endpoint.body.files, proxy.map { [$0.url] + $0.except } ?? [],
        ]
        let others = [cache, endpoint.grpc?.method, endpoint.grpc?.proto, endpoint.download?.to.map(ResponseFileName.withoutReferences)]
        return texts.flatMap(\.self) + others.compactMap(\.self)
    }
}
