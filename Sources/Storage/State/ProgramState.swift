internal import Foundation

/// What each running program keeps about one workspace, so that neither its end nor a crash loses it, and never two programs have it.
///
/// Each program has a file of its own in a folder and holds a lock beside it for as long as it lives; what a program left that lives no more is taken
/// over by the next one.
final class ProgramState<Record: StateRecord>: Sendable {
    typealias Item = Record.Value

    private let folder: String
    private let file: StateFile<Record>
    private let lock: StateLock

    /// Takes a place in `folder`.
    ///
    /// - Throws: when the folder cannot be written to.
    init(folder: String) throws(WorkspaceError) {
        self.folder = folder
        let content = Record.format.content
        let name = UUID().uuidString.lowercased()
        do { try StateFolder.make(folder) } catch {
            throw WorkspaceError(.unwritable, file: folder, "\(content) cannot be kept: \(error)")
        }
        guard let lock = StateLock(path: "\(folder)/\(name).lock") else {
            throw WorkspaceError(.unwritable, file: folder, "\(content) cannot be kept")
        }
        self.lock = lock
        file = StateFile("\(folder)/\(name).json")
    }

    deinit {
        if !FileManager.default.fileExists(atPath: file.path) { lock.remove() }
    }

    /// Keeps these items, and only these; on disk when this returns.
    func keep(_ items: [Item]) throws(WorkspaceError) {
        try file.save(items.isEmpty ? nil : items)
    }

    /// Takes over what programs left that live no more.
    ///
    /// They are this program's when this returns. A file that cannot be read is left alone and reported; of a record, what can be read is taken over.
    ///
    /// - Parameter merge: puts what further programs left to what was found before: in what order, and what is there already.
    func adopt(merge: (inout [Item], [Item]) -> Void) -> (items: [Item], problems: [WorkspaceError]) {
        var found: [Item] = []
        var problems: [WorkspaceError] = []
        var done: [(StateFile<Record>, StateLock)] = []
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            return ([], [WorkspaceError(.unreadable, file: folder, "\(Record.format.content) cannot be read: \(error)")])
        }
        for name in names.sorted() where name.hasSuffix(".lock") {
            let left = StateFile<Record>("\(folder)/\(name.dropLast(5)).json")
            // Held until the end, so that of two programs that start at once only one takes it. Our own is held already.
            guard left.path != file.path, let lock = StateLock(leftAt: "\(folder)/\(name)") else { continue }
            do {
                let content = try left.load()
                merge(&found, content?.values ?? [])
                problems += content?.problems ?? []
                done.append((left, lock))
            } catch { problems.append(error) }
        }
        do throws(WorkspaceError) { if !found.isEmpty { try keep(found) } } catch {
            problems.append(error)
            return ([], problems)
        }
        // They are ours from here on, also where a file that was left cannot be removed.
        for (left, lock) in done {
            do throws(WorkspaceError) {
                try left.save(nil)
                lock.remove()
            } catch { problems.append(error) }
        }
        return (found, problems)
    }
}
