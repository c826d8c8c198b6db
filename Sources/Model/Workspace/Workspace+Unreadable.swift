extension Workspace {
    /// What is wrong with the file that would describe this; nil where it can be used or where there is none.
    package func problem(of content: UnreadableFile.Content) -> Problem? {
        unreadable.first { $0.content == content }?.problem
    }

    /// This workspace with the settings of an earlier version where the file with the settings is there but cannot be used now.
    ///
    /// A half-written `service.yaml` must not send requests without the service's headers, pins and limits.
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
