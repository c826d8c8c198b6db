package import SortieBase
internal import SortieHTTP

/// Runs without a file: all endpoints of a service or of a folder in it.
extension Workspace {
    /// The run with a name: that of a file in `runs/`, else that of the service or folder whose target is the name; nil where there is neither.
    package func run(named name: String) -> RunDefinition? {
        runs.first { $0.name == name } ?? folderRun(of: name)?.run
    }

    /// A run of all endpoints of a service or a folder, one after the other; nil where no endpoint is in it.
    ///
    /// It is a batch, because endpoints do not name the ones they depend on; a failure does not prevent the others. Connections that stay open
    /// (`kind: webSocket` and `events`) and downloads, whose files a run does not write, are left out.
    ///
    /// - Returns: The run, and the targets that are left out.
    package func folderRun(of target: String) -> (run: RunDefinition, leftOut: [String])? {
        let folder = target.hasSuffix("/") ? String(target.dropLast()) : target
        let found = endpoints.filter { $0.target.hasPrefix(folder + "/") }
        guard !folder.isEmpty, !found.isEmpty else { return nil }
        let sent = found.filter(\.isPartOfFolderRuns)
        let steps = sent.map { endpoint in
            var step = RunDefinition.Step(target: endpoint.target, name: String(endpoint.target.dropFirst(folder.count + 1)))
            step.location = endpoint.location
            return step
        }
        let run = RunDefinition(name: folder, kind: .batch, steps: steps, stopsOnFailure: false, concurrency: 1)
        return (run, found.filter { !$0.isPartOfFolderRuns }.map(\.target))
    }

    /// The steps of a run that cannot be sent, because their endpoints open WebSocket connections.
    package func problems(ofStepsOf run: RunDefinition) -> [Diagnostic] {
        run.steps.compactMap { step in
            endpoint(step.target)?.sendingProblem.map { Diagnostic(step.location ?? SourceLocation(file: "runs/\(run.name)"), $0) }
        }
    }

    /// The services and the folders of endpoints in them, which can be run without a file, sorted.
    package var folderRunNames: [String] { Self.folders(of: endpoints.filter(\.isPartOfFolderRuns).map(\.target)) }

    /// The folders above targets, sorted.
    package static func folders(of targets: [String]) -> [String] {
        var names: Set<String> = []
        for target in targets {
            var folder = FilePath.folder(of: target)
            // Folders above a known one are known, too.
            while folder != ".", folder != "/", !folder.isEmpty, names.insert(folder).inserted { folder = FilePath.folder(of: folder) }
        }
        return names.sorted()
    }
}

extension Endpoint {
    /// Whether a run of the endpoint's service or folder sends it.
    fileprivate var isPartOfFolderRuns: Bool {
        switch kind {
        case .data, .upload, .grpc: !opensWebSocket
        case .download, .webSocket, .events: false
        }
    }
}
