/// Content that an import adds to a workspace, with the names of its files.
package struct WorkspaceAddition: Sendable {
    /// The services with folders, the endpoints with targets, environments, variables, secrets and runs, in a workspace of the folder.
    package var workspace: Workspace
    /// The description of a new workspace.
    package var summary: String?
    /// The identity in the source of every service (`shop/service`), endpoint and run (`runs/checkout`), by the path of its file without the ending.
    package var ids: [String: String] = [:]
    /// The texts that become comments at the end of a file, by the target of the endpoint.
    package var notes: [String: [String]] = [:]
    /// The bytes of bodies that are no text, by the target of the endpoint; they are written to ``bodyFile(of:)``.
    package var bodies: [String: [UInt8]] = [:]
    /// The texts of scripts that hooks run, by their paths relative to the workspace.
    package var scripts: [String: String] = [:]

    /// The documents that services refer to, by the path of the file.
    package var documents: [String: [UInt8]] = [:]

    /// Creates an addition without names of files.
    package init(_ workspace: Workspace, summary: String?) {
        (self.workspace, self.summary) = (workspace, summary)
    }

    /// The file of the scripts of an endpoint, relative to the workspace.
    package static func scriptFile(of target: String) -> String { target + ".js" }

    /// The file of a body that is no text, relative to the workspace.
    package static func bodyFile(of target: String) -> String { target + ".body.bin" }
}
