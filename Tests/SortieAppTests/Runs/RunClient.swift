import SortieNetworking
import Support

/// A client with its own spool folder.
struct RunClient: Sendable {
    let folder: TemporaryFolder
    let client: Client

    init() throws {
        folder = try TemporaryFolder()
        client = Client(.init(spoolFolder: folder.path))
    }
}
