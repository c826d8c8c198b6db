internal import WorkspaceModel

extension Workspace {
    /// Fills ``links`` with the targets of the paths in the files.
    mutating func findLinks() {
        links = [:]
        for path in CapabilityScan.namedPaths(in: self).union([folder]) {
            let real = RealPath.of(path)
            if real != path { links[path] = real }
        }
    }
}
