internal import Foundation

/// Stores the items of each running program about one workspace, so that neither its end nor a crash loses them, and two programs never own the
/// same item.
///
/// Each program has a separate file in a folder and holds a lock for it while it runs. The next program takes over the files of programs that
/// have ended.
final class ProgramState<Record: StateRecord>: Sendable {
    typealias Item = Record.Value

    private let folder: String
    private let file: StateFile<Record>
    private let lock: StateLock

    /// Creates a file in `folder`.
    ///
    /// - Parameter newName: a name for the file, which no other program has.
    /// - Throws: When the folder is not writable.
    init(folder: String, newName: () -> String = { UUID().uuidString.lowercased() }) throws(WorkspaceError) {
        self.folder = folder
        let content = Record.format.content
        do { try StateFolder.make(folder) } catch {
            throw WorkspaceError(.unwritable, file: folder, "\(content) cannot be stored: \(error)")
        }
        // A program that takes over files can see a lock before it is held, and acquire and remove it. It does not see a lock of another name.
        for _ in 0..<Self.mostNames {
            let name = newName()
            try StateFolder.checkFile("\(folder)/\(name).lock")
            guard let lock = StateLock(path: "\(folder)/\(name).lock") else { continue }
            self.lock = lock
            file = StateFile("\(folder)/\(name).json")
            return
        }
        throw WorkspaceError(.unwritable, file: folder, "\(content) cannot be stored, because no lock can be created; check the folder's permissions")
    }

    /// The number of names that are tried.
    private static var mostNames: Int { 10 }

    deinit {
        if !FileManager.default.fileExists(atPath: file.path) { lock.remove() }
    }

    /// Replaces the stored items; they are on disk when this returns.
    func keep(_ items: [Item]) throws(WorkspaceError) {
        try file.save(items.isEmpty ? nil : items)
    }

    /// Takes over the items of programs that have ended.
    ///
    /// They belong to this program when this returns. A file that cannot be read is not changed and is reported; of a record, what can be read is taken over.
    ///
    /// - Parameter merge: merges the items of another file with those found before, which determines order and duplicates.
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
            // Held until the end, so that only one of two programs that start at once takes the file over. This program already holds its own
            // lock.
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
        // The items belong to this program from here on, also where the old file cannot be removed.
        for (left, lock) in done {
            do throws(WorkspaceError) {
                try left.save(nil)
                lock.remove()
            } catch { problems.append(error) }
        }
        return (found, problems)
    }
}
