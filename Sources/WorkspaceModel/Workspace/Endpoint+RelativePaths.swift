internal import SortieBase

extension Endpoint {
    /// Changes the target, and rewrites the paths that are relative to the endpoint's file (`grpc: {proto: …}`, `expect: {schema: …}`), so that they
    /// lead to the same files from the folder of the new target.
    ///
    /// A path that begins with a template is unchanged, because its value may be absolute.
    ///
    /// - Parameters:
    ///   - target: The new target.
    ///   - root: The absolute folder of the workspace; paths that lead out of it become absolute.
    ///   - renamed: The path of a file from now on; the same path for a file that does not move with the endpoint.
    package mutating func move(to target: String, in root: String, renamed: (String) -> String = { $0 }) {
        let (old, new) = (fileFolder(in: root), FilePath.folder(of: FilePath.joining(root, target)))
        self.target = target
        guard old != new else { return }
        func rebased(_ path: String) -> String {
            guard !FilePath.isAbsolute(path), !path.hasPrefix("~"), !path.hasPrefix("{{") else { return path }
            let result = FilePath.relative(renamed(FilePath.joining(old, path)), to: new, within: root)
            return result == FilePath.normalized(path) ? path : result
        }
        if let proto = grpc?.proto { grpc?.proto = rebased(proto) }
        if case .file(let path)? = expectation?.schema { expectation?.schema = .file(rebased(path)) }
    }

    /// The absolute folder of the endpoint's file, to which its paths are relative.
    package func fileFolder(in root: String) -> String { FilePath.folder(of: FilePath.joining(root, location?.file ?? target)) }
}
