internal import Foundation
public import Model

/// The requests of a workspace that wait for the network, kept so that neither the end of the program nor a crash loses one, or sends one twice (S3.16).
///
/// Each running program has a file of its own in `$XDG_STATE_HOME/sortie/parked/WORKSPACE` and holds a lock beside it for as long as it lives; what a
/// program left that lives no more is taken over by the next one.
public final class ParkedStore: Sendable {
    private let folder: String
    private let file: StateFile<[ParkedRequest]>
    private let lock: StateLock

    /// Takes a place in the store of the workspace in `folder`.
    ///
    /// - Throws: when the state folder cannot be written to.
    public init(workspace folder: String, stateFolder: String = StateFolder.path) throws(WorkspaceError) {
        self.folder = "\(stateFolder)/sortie/parked/\(StateFolder.name(of: folder))"
        let name = UUID().uuidString.lowercased()
        do { try StateFolder.make(self.folder) } catch {
            throw WorkspaceError(.unwritable, file: self.folder, "requests that wait for the network cannot be kept: \(error)")
        }
        guard let lock = StateLock(path: "\(self.folder)/\(name).lock") else {
            throw WorkspaceError(.unwritable, file: self.folder, "requests that wait for the network cannot be kept")
        }
        self.lock = lock
        file = Self.file("\(self.folder)/\(name).json")
    }

    private static func file(_ path: String) -> StateFile<[ParkedRequest]> {
        StateFile(path: path, content: "the requests that wait for the network")
    }

    deinit {
        if !FileManager.default.fileExists(atPath: file.path) { lock.remove() }
    }

    /// Keeps these requests, and only these; on disk when this returns.
    public func keep(_ requests: [ParkedRequest]) throws(WorkspaceError) {
        try file.save(requests.isEmpty ? nil : requests)
    }

    /// Takes over what programs left that live no more, oldest first.
    ///
    /// They are this program's when this returns. A file that cannot be read is left alone and reported.
    public func adopt() -> (requests: [ParkedRequest], problems: [WorkspaceError]) {
        var found: [ParkedRequest] = []
        var problems: [WorkspaceError] = []
        var done: [(StateFile<[ParkedRequest]>, StateLock)] = []
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            return ([], [WorkspaceError(.unreadable, file: folder, "requests that wait for the network cannot be read: \(error)")])
        }
        for name in names.sorted() where name.hasSuffix(".lock") {
            let left = Self.file("\(folder)/\(name.dropLast(5)).json")
            // Held until the end, so that of two programs that start at once only one takes it. Our own is held already.
            guard left.path != file.path, let lock = StateLock(path: "\(folder)/\(name)") else { continue }
            do {
                for request in try left.load() ?? [] where !found.contains(where: { $0.id == request.id }) { found.append(request) }
                done.append((left, lock))
            } catch { problems.append(error) }
        }
        found.sort { $0.since < $1.since }
        do throws(WorkspaceError) {
            if !found.isEmpty { try keep(found) }
            for (left, lock) in done {
                try left.save(nil)
                lock.remove()
            }
        } catch {
            problems.append(error)
            return ([], problems)
        }
        return (found, problems)
    }
}
