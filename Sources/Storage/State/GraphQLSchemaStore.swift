internal import Foundation
internal import SortieBase
package import WorkspaceModel

/// Stores what GraphQL servers responded to introspection, so that queries are completed before a server is asked again.
///
/// There is one file for each server, which its environment, the servers of its service and the path of the endpoint determine, in
/// `$XDG_CACHE_HOME/sortie/schemas/WORKSPACE`, private to the user. It has the response as it was received; the program
/// that writes last replaces what others wrote.
package struct GraphQLSchemaStore: Sendable {
    /// What determines the server of an endpoint, as it is in the files: no request is built for a stored schema, which could run programs or send
    /// other requests.
    package struct Server: Hashable, Sendable {
        /// The environment; nil without one.
        package var environment: String?
        /// The servers of the service in the environment.
        package var servers: [String]
        /// The path of the endpoint.
        package var path: String

        /// The server of an endpoint of a workspace.
        package init(_ endpoint: Endpoint, in workspace: Workspace, _ environment: String?) {
            self.environment = environment
            servers = workspace.service(endpoint.serviceName)?.servers[environment ?? ""] ?? []
            path = endpoint.path
        }
    }

    /// The largest stored response in bytes; larger ones are read from their server in each session.
    package static let limit = 8 << 20

    private let folder: String

    /// Creates the store of the workspace in `folder`; nothing is read yet.
    package init(workspace folder: String, cacheFolder: String) {
        self.folder = StateFolder.path(in: "\(cacheFolder)/sortie/schemas", of: folder)
    }

    /// The stored response of a server; nil where there is none.
    ///
    /// - Throws: A ``WorkspaceError`` for a file that cannot be read, or that other users could have written.
    package func response(of server: Server) throws(WorkspaceError) -> String? {
        let path = path(of: server)
        try StateFolder.checkFile(path)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        try StateFolder.check(folder)
        return String(decoding: try WorkspaceFile.bytes(at: path, limit: Self.limit), as: UTF8.self)
    }

    /// Stores a response in place of the stored one; one above the limit removes it.
    ///
    /// - Throws: A ``WorkspaceError`` where the file cannot be written.
    package func keep(_ response: String, of server: Server) throws(WorkspaceError) {
        let path = path(of: server)
        do {
            guard response.utf8.count <= Self.limit else {
                if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
                return
            }
            try StateFolder.make(folder)
            try StateFolder.checkFile(path)
            try AtomicFile.write(Array(response.utf8), to: path, mode: 0o600)
        } catch let error as WorkspaceError { throw error } catch {
            throw WorkspaceError(.unwritable, file: path, "the schema cannot be stored: \(error.systemReason)")
        }
    }

    private func path(of server: Server) -> String {
        // The names of environments, the servers and the path have no line end, so that two servers never share a file.
        let name = ([server.environment ?? ""] + server.servers + [server.path]).joined(separator: "\n")
        return "\(folder)/\(StateFolder.name(of: name)).json"
    }
}
