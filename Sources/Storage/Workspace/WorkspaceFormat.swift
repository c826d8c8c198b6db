internal import SortieBase
package import WorkspaceModel

/// A workspace whose requests are in files of another tool, which are used in place instead of `workspace.yaml`.
package protocol WorkspaceFormat: Sendable {
    /// The name of the file in the folder of the workspace; `.` for all files of the folder.
    var file: String { get }

    /// Reads the workspace; paths of places are relative to its folder.
    func workspace() throws(WorkspaceError) -> Workspace

    /// The content of an endpoint's file with a changed endpoint.
    ///
    /// - Throws: ``WorkspaceError/Code/cannotExpress`` with the sentence for the user, where the format has no place for the change.
    func content(
        saving endpoint: Endpoint, replacing original: Endpoint, in bytes: [UInt8], of file: String
    ) throws(WorkspaceError) -> [UInt8]
}

extension WorkspaceFolder {
    /// The refusal of a change that files of another tool cannot hold.
    package func refusal(by format: any WorkspaceFormat, _ reason: String) -> WorkspaceError {
        let source = format.file == "." ? path : format.file
        return WorkspaceError(.cannotExpress, file: source, "nothing was written: \(reason)", remedy: .importOfFiles(source))
    }

    /// A workspace that the format has read, with what it needs from outside of its files.
    package func loaded(_ content: Workspace) -> Workspace {
        var workspace = content
        workspace.home = folders.home
        workspace.foreignFile = format?.file
        workspace.realPaths = RealPaths { RealPath.of($0) }
        workspace.findProgramDigests()
        return workspace
    }
}
