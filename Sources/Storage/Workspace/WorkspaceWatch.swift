package import Dispatch
internal import Foundation
internal import SortieBase
internal import Synchronization

/// Reports when files of a workspace are written, added, moved or removed (inotify).
///
/// It uses no processor time while nothing changes. Simultaneous changes are reported once.
package final class WorkspaceWatch: Sendable {
    /// The period in which changes are collected before they are reported, in milliseconds.
    static let collection = 100
    /// The maximum number of watched folders, because the system's limit is shared with other programs.
    static let mostFolders = 4096

    private let root: String
    private let queue: DispatchQueue
    private let events: FileEvents
    private let isRelevant: @Sendable (String) -> Bool
    private let changed: @Sendable () -> Void
    private let state = Mutex(State())

    private struct State {
        /// The watched folders by their inotify descriptors.
        var folders: [Int32: String] = [:]
        var isReportScheduled = false
    }

    /// Watches the workspace in the folder `path`; nil where the system does not support it.
    ///
    /// - Parameters:
    ///   - queue: the serial queue on which events are read.
    ///   - isRelevant: whether changes of files with a name are reported; by default those that a workspace is read from. It is not asked about hidden
    ///     files, which are not reported, except environment files.
    ///   - changed: called on `queue`.
    package init?(
        _ path: String, queue: DispatchQueue, isRelevant: @escaping @Sendable (String) -> Bool = WorkspaceFolder.isRead,
        changed: @escaping @Sendable () -> Void
    ) {
        guard let events = FileEvents(queue: queue) else { return nil }
        (root, self.queue, self.isRelevant, self.changed, self.events) = (path, queue, isRelevant, changed, events)
        guard watch("", depth: 0) else { return nil }
        events.start { [weak self] in self?.take($0) }
    }

    /// Watches the workspace's folder again after it was replaced by another one.
    package func refresh() {
        let number = add(root)
        guard number >= 0, state.withLock({ $0.folders[number] }) != "" else { return }
        watchAgain()
    }

    /// The number of watched folders.
    var watchedFolders: Int { state.withLock { $0.folders.count } }

    /// Watches all folders of the workspace again, and forgets the earlier ones.
    ///
    /// Where there is no folder at the workspace's path, the earlier one stays watched, because it may be moved back.
    private func watchAgain() {
        let number = add(root)
        forget { number >= 0 ? $0 != number : $1 != "" }
        guard number >= 0 else { return }
        state.withLock { $0.folders[number] = nil }
        watch("", depth: 0)
    }

    /// Ends the watches of folders, of which the descriptor and the path are given.
    private func forget(_ isForgotten: (Int32, String) -> Bool) {
        let forgotten = state.withLock { state in
            let forgotten = state.folders.filter { isForgotten($0.key, $0.value) }.keys
            for number in forgotten { state.folders[number] = nil }
            return Array(forgotten)
        }
        for number in forgotten { events.remove(number) }
    }

    /// Adds a watch of a folder.
    private func add(_ path: String) -> Int32 {
        let mask = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
        return events.add(path, Int(mask) | Int(IN_ONLYDIR))
    }

    /// Watches a folder and its subfolders; folders that are already watched stay watched.
    ///
    /// - Returns: False where the folder itself cannot be watched.
    @discardableResult
    private func watch(_ folder: String, depth: Int) -> Bool {
        guard depth <= FolderWalk.maximumDepth, state.withLock({ $0.folders.count }) < Self.mostFolders else { return false }
        var walk = FolderWalk(root: root)
        // A link that leads out of the workspace is not followed, so changes behind it are irrelevant.
        guard folder.isEmpty || walk.mayRead(folder) else { return false }
        // The path without links, because it is the one whose moves are reported.
        let realRoot = RealPath.of(root)
        let folder = folder.isEmpty ? "" : FilePath.relative(RealPath.of(FilePath.joining(root, folder)), to: realRoot, within: realRoot)
        let number = add(FilePath.joining(root, folder))
        guard number >= 0 else { return false }
        // A link to another folder of the workspace has the descriptor of that folder.
        let isNew = state.withLock { state in
            guard state.folders[number] == nil else { return false }
            state.folders[number] = folder
            return true
        }
        guard isNew else { return true }
        for name in walk.names(in: folder.isEmpty ? "." : folder) {
            let below = folder.isEmpty ? name : "\(folder)/\(name)"
            if walk.isFolder(below) { watch(below, depth: depth + 1) }
        }
        return true
    }

    private func take(_ events: [FileEvents.Event]) {
        // Each event is processed, because it may change what is watched.
        let isChanged = events.count { take($0.watch, $0.mask, $0.name) } > 0
        if isChanged { reportSoon() }
    }

    /// Processes an event; false where it cannot have changed the workspace.
    private func take(_ number: Int32, _ mask: UInt32, _ name: String) -> Bool {
        func has(_ event: some BinaryInteger) -> Bool { mask & UInt32(truncatingIfNeeded: event) != 0 }
        if has(IN_Q_OVERFLOW) {
            // Events were lost, so all folders are watched again.
            watchAgain()
            return true
        }
        guard let folder = state.withLock({ has(IN_IGNORED) ? $0.folders.removeValue(forKey: number) : $0.folders[number] }) else { return false }
        if has(IN_MOVE_SELF), folder.isEmpty { watchAgain() }
        if has(IN_DELETE_SELF) || has(IN_MOVE_SELF) { return true }
        let isHidden = name.hasPrefix(".")
        guard has(IN_ISDIR) else { return (!isHidden || EnvironmentFile.hasUsualName(name)) && isRelevant(name) }
        guard !isHidden else { return false }
        let below = folder.isEmpty ? name : "\(folder)/\(name)"
        // A watch belongs to a folder and not to its path, so those of a moved folder are added again at its new place, if that is in the workspace.
        if has(IN_MOVED_FROM) { forget { "\($1)/".utf8.starts(with: "\(below)/".utf8) } }
        if has(IN_CREATE) || has(IN_MOVED_TO) { watch(below, depth: FilePath.components(of: below).count) }
        return true
    }

    private func reportSoon() {
        let isFirst = !state.withLock { Swift.exchange(&$0.isReportScheduled, with: true) }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.collection)) { [weak self] in
            guard let self else { return }
            state.withLock { $0.isReportScheduled = false }
            changed()
        }
    }
}
