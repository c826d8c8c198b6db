package import SortieBase

extension Workspace {
    /// The error in the file that describes `content`; nil where it can be used or does not exist.
    package func problem(of content: UnreadableFile.Content) -> Diagnostic? {
        if let file = unreadable.first(where: { $0.content == content }) { return file.problem }
        // A run with an error in one of its steps must not send the steps before it.
        guard case .run(let name) = content, let file = run(named: name)?.location?.file else { return nil }
        return problems.first { $0.severity == .error && $0.location.file == file }
    }

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
