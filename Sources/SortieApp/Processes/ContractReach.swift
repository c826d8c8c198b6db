internal import SortieBase
internal import SortieStorage
internal import Synchronization
internal import WorkspaceModel

/// The files to which a description may refer beside those of its folder.
struct ContractReach: Hashable, Sendable {
    /// The folder of the workspace, to all files of which a description in it may refer; nil for a description without a workspace.
    let root: String?
    /// The resolved paths of the permitted files outside of the workspace.
    let permitted: Set<String>

    /// The files of the folder only.
    static let folder = ContractReach(root: nil, permitted: [String]())

    /// - Parameter files: The permitted files.
    init(root: String?, permitted files: some Sequence<String>) { (self.root, permitted) = (root, Set(files.map { RealPath.of($0) })) }

    /// What a description in a folder may reach by the stored permission of the workspace there.
    ///
    /// - Throws: When the file of permissions cannot be read.
    init(inWorkspace folder: String, _ folders: UserFolders) throws(Diagnostic) {
        let permitted: Set<Capability>
        do throws(WorkspaceError) {
            permitted = try TrustStore(stateFolder: folders.state).permitted(in: TrustStore.identity(ofFolder: folder))
        } catch { throw Diagnostic(.wholeFile(error.file), error.message) }
        self.init(root: folder, permitted: permitted.filter { $0.kind == .file }.map(\.subject))
    }

    /// What a description that the user names may reach: the files of its workspace, if any.
    ///
    /// - Throws: When the file of permissions cannot be read.
    init(ofFile path: String, _ folders: UserFolders) throws(Diagnostic) {
        let workspace: String?
        do throws(WorkspaceError) { workspace = try WorkspaceFolder.find(from: FilePath.folder(of: path)) } catch {
            // A workspace of another user is used where its folder is named only.
            workspace = nil
        }
        self = try workspace.map { (folder) throws(Diagnostic) in try ContractReach(inWorkspace: folder, folders) } ?? .folder
    }
}

/// Reads the files outside of a workspace to which a description may refer: the permitted ones, and the files of their folders to which those refer.
final class PermittedReferences: Sendable {
    private struct State {
        /// The resolved paths of the files, each with the folder whose files it may refer to.
        var files: [String: String]
        /// The resolved paths of other files to which they refer.
        var refused: Set<String> = []
    }

    private let folders: UserFolders
    private let state: Mutex<State>

    init(_ permitted: Set<String>, _ folders: UserFolders) {
        self.folders = folders
        state = Mutex(State(files: Dictionary(uniqueKeysWithValues: permitted.map { ($0, FilePath.folder(of: $0)) })))
    }

    /// The bytes of a file; nil where it is not permitted, and where it cannot be read.
    func bytes(of path: String) -> [UInt8]? {
        let file = RealPath.of(path)
        guard let folder = state.withLock({ $0.files[file] }),
            let bytes = ImportFolder(path: folder, folders).bytes(of: FilePath.relative(file, to: folder, within: folder))
        else { return nil }
        let others = ContractDocuments.files(in: ContractDocuments.references(in: bytes), of: FilePath.folder(of: file))
        state.withLock { state in
            for other in others.map({ RealPath.of($0) }) where state.files[other] == nil {
                if FilePath.isIn(folder, other) { state.files[other] = folder } else { state.refused.insert(other) }
            }
        }
        return bytes
    }

    /// Whether a permitted file refers to a file outside of its folder, which the list of the workspace does not have.
    func refused(_ path: String) -> Bool { state.withLock { $0.refused.contains(RealPath.of(path)) } }
}
