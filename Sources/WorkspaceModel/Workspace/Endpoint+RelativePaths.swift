internal import SortieBase

extension Endpoint {
    /// Rewrites the paths that are relative to the endpoint's file (`grpc: {proto: …}`, `expect: {schema: …}`), so that they lead to the same
    /// files from another folder.
    ///
    /// A path that begins with a template is unchanged, because its value may be absolute.
    ///
    /// - Parameters:
    ///   - old: The absolute folder of the file until now.
    ///   - new: The absolute folder of the file from now on.
    ///   - root: The absolute folder of the workspace; paths that lead out of it become absolute.
    ///   - renamed: The path of a file from now on; the same path for a file that does not move with the endpoint.
    package mutating func rebasePaths(from old: String, to new: String, within root: String, renamed: (String) -> String = { $0 }) {
        guard old != new else { return }
        func rebased(_ path: String) -> String {
            guard !FilePath.isAbsolute(path), !path.hasPrefix("~"), !path.hasPrefix("{{") else { return path }
            let result = FilePath.relative(renamed(FilePath.joining(old, path)), to: new, within: root)
            return result == FilePath.normalized(path) ? path : result
        }
        if let proto = grpc?.proto { grpc?.proto = rebased(proto) }
        if case .file(let path)? = expectation?.schema { expectation?.schema = .file(rebased(path)) }
    }
}
