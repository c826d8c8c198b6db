package import SortieBase
internal import SortieHTTP

/// Runs without a file: all endpoints of a service or of a folder in it, or one endpoint.
extension Workspace {
    /// The run with a name: that of a file in `runs/`, else that of the service, folder or endpoint whose target is the name; nil where there is none.
    package func run(named name: String) -> RunDefinition? {
        runs.first { $0.name == name } ?? folderRun(of: name)?.run
    }

    /// A run of all endpoints of a service or a folder, one after the other, or of one endpoint; nil where the target is none of them.
    ///
    /// It is a batch, because endpoints do not name the ones they depend on; a failure does not prevent the others. Connections that stay open
    /// (`kind: webSocket` and `events`) and downloads, whose files a run does not write, are left out.
    ///
    /// - Returns: The run, and the targets that are left out.
    package func folderRun(of target: String) -> (run: RunDefinition, leftOut: [String])? {
        let folder = target.hasSuffix("/") ? String(target.dropLast()) : target
        let inFolder = endpoints.filter { $0.target.hasPrefix(folder + "/") }
        let found = inFolder.isEmpty ? endpoints.filter { $0.target == target } : inFolder
        guard !folder.isEmpty, !found.isEmpty else { return nil }
        let sent = found.filter(\.isPartOfFolderRuns)
        let steps = sent.map { endpoint in
            let name = inFolder.isEmpty ? FilePath.name(of: endpoint.target) : String(endpoint.target.dropFirst(folder.count + 1))
            var step = RunDefinition.Step(target: endpoint.target, name: name)
            step.location = endpoint.location
            return step
        }
        let run = RunDefinition(name: folder, kind: .batch, steps: steps, stopsOnFailure: false, concurrency: 1)
        return (run, found.filter { !$0.isPartOfFolderRuns }.map(\.target))
    }

    /// The steps of a run that cannot be sent, because their endpoints open WebSocket connections.
    package func problems(ofStepsOf run: RunDefinition) -> [Diagnostic] {
        run.steps.compactMap { step in
            endpoint(step.target)?.sendingProblem(at: step.location ?? SourceLocation(file: "runs/\(run.name)"))
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
    package var isPartOfFolderRuns: Bool {
        switch kind {
        case .data, .upload, .grpc: !opensWebSocket
        case .download, .webSocket, .events: false
        }
    }
}
