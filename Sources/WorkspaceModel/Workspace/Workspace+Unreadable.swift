package import SortieBase

extension Workspace {
    /// The error in the file that describes `content`; nil where it can be used or does not exist.
    package func problem(of content: UnreadableFile.Content) -> Diagnostic? {
        unreadable.first { $0.content == content }?.problem
    }

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
