internal import Foundation
internal import SortieBase
package import WorkspaceModel

/// Stores what GraphQL servers responded to introspection, so that queries are completed before a server is asked again.
///
/// There is one file for each environment and URL of a workspace in `$XDG_CACHE_HOME/sortie/schemas/WORKSPACE`, private to the user. It has the response
/// as it was received; the last program that writes it wins.
package struct GraphQLSchemaStore: Sendable {
    private let folder: String

    /// Creates the store of the workspace in `folder`; nothing is read yet.
    package init(workspace folder: String, cacheFolder: String = StateFolder.cachePath) {
        self.folder = StateFolder.path(in: "\(cacheFolder)/sortie/schemas", of: folder)
    }

    /// The stored response of an endpoint's server; nil where there is none.
    ///
    /// - Throws: A ``WorkspaceError`` for a file that cannot be read, or that other users could have written.
    package func response(of endpoint: Endpoint, _ environment: String?) throws(WorkspaceError) -> String? {
        let path = path(of: endpoint, environment)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        try StateFolder.check(folder)
        do { return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self) } catch {
            throw WorkspaceError(.unreadable, file: path, "the stored schema cannot be read: \(error.localizedDescription)")
        }
    }

    /// Stores a response in place of the stored one.
    ///
    /// - Throws: A ``WorkspaceError`` where the file cannot be written.
    package func keep(_ response: String, of endpoint: Endpoint, _ environment: String?) throws(WorkspaceError) {
        let path = path(of: endpoint, environment)
        do {
            try StateFolder.make(folder)
            try AtomicFile.write(Array(response.utf8), to: path, mode: 0o600)
        } catch let error as WorkspaceError { throw error } catch {
            throw WorkspaceError(.unwritable, file: path, "the schema cannot be stored: \(error.localizedDescription)")
        }
    }

    /// The template of the URL, not its value: no request is built for a stored schema, which could run programs or send other requests.
    private func path(of endpoint: Endpoint, _ environment: String?) -> String {
        // A name has no line end, so that two servers never share a file.
        "\(folder)/\(StateFolder.name(of: [environment ?? "", endpoint.serviceName, endpoint.path].joined(separator: "\n"))).json"
    }
}
