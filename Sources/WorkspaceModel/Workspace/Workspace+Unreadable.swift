package import SortieBase

extension Workspace {
    /// The error in the file that describes `content`; nil where it can be used or does not exist.
    package func problem(of content: UnreadableFile.Content) -> Diagnostic? {
        if let file = unreadable.first(where: { $0.content == content }) { return file.problem }
        // A run with an error in one of its steps must not send the steps before it.
        guard case .run(let name) = content, let run = run(named: name), let file = run.location?.file else { return nil }
        return problems.first { $0.severity == .error && $0.location.file == file } ?? problem(ofStepsOf: run, ignoresUnreadable: true)
    }

    /// The first error because of which a part is missing in the files whose settings the steps of a run have; see ``sendingProblem(of:ignoresUnreadable:)``.
    package func problem(ofStepsOf run: RunDefinition, ignoresUnreadable: Bool = false) -> Diagnostic? {
        guard !readingErrors.isEmpty else { return nil }
        let targets = Set(run.steps.map(\.target)).sorted()
        return targets.lazy.compactMap { endpoint($0) }.compactMap { sendingProblem(of: $0, ignoresUnreadable: ignoresUnreadable) }.first
    }

    /// The first error in the files whose settings the requests of an endpoint have; nil where there is none.
    ///
    /// What cannot be read is not part of the endpoint: without a condition, a hook or credentials its request would be another one.
    ///
    /// - Parameter ignoresUnreadable: Whether files that cannot be read as a whole are ignored, because earlier settings apply in place of theirs.
    package func sendingProblem(of endpoint: Endpoint, ignoresUnreadable: Bool = false) -> Diagnostic? {
        let unreadableFiles = ignoresUnreadable ? Set(unreadable.map(\.file)) : []
        let service = service(endpoint.serviceName)?.location?.file
        for file in [endpoint.location?.file, service, "workspace.yaml"] {
            guard let file, !unreadableFiles.contains(file) else { continue }
            if let problem = readingErrors.first(where: { $0.location.file == file }) { return problem }
        }
        return nil
    }

    /// The warnings about unknown keys in a file.
    package func unknownKeys(in file: String) -> [Diagnostic] { warnings(about: file).filter { $0.message.hasPrefix("unknown key") } }

    /// The warnings about a file, such as unknown keys.
    package func warnings(about file: String) -> [Diagnostic] { problems.filter { $0.severity == .warning && $0.location.file == file } }

    /// The workspace with the settings of an earlier version where the file with the settings exists but cannot be used now.
    ///
    /// A half-written `service.yaml` must not cause requests without the service's header fields, pins and limits.
    package func keepingSettings(of earlier: Workspace) -> Workspace {
        var result = self
        if problem(of: .workspace) != nil {
            result = earlier
            result.services = services
            result.runs = runs
            result.problems = problems
            result.readingErrors = readingErrors
            result.unreadable = unreadable
        }
        for index in services.indices where problem(of: .service(services[index].folder)) != nil {
            guard var service = earlier.service(services[index].folder) else { continue }
            service.endpoints = services[index].endpoints
            result.services[index] = service
        }
        return result
    }
}
