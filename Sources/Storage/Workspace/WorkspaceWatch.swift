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
    private let descriptor: Int32
    // Safe to share, because it is only resumed at the beginning and cancelled at the end.
    nonisolated(unsafe) private let source: any DispatchSourceRead
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
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        root = path
        self.queue = queue
        self.isRelevant = isRelevant
        self.changed = changed
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { [descriptor] in close(descriptor) }
        source.setEventHandler { [weak self] in self?.readEvents() }
        guard watch("", depth: 0) else {
            // A source must be resumed before it is released, and its cancel handler closes the descriptor.
            source.resume()
            source.cancel()
            return nil
        }
        source.resume()
    }

    deinit { source.cancel() }

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
        // This fails for a folder that was removed, whose watch has ended.
        for number in forgotten { inotify_rm_watch(descriptor, number) }
    }

    /// Adds a watch; returns its descriptor, which is that of an earlier watch of the same folder, or a negative number.
    private func add(_ path: String) -> Int32 {
        let events = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
        return inotify_add_watch(descriptor, path, UInt32(events) | UInt32(IN_ONLYDIR))
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

    private func readEvents() {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var isChanged = false
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            buffer.withUnsafeBytes { bytes in
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= count {
                    let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let start = offset + MemoryLayout<inotify_event>.size
                    offset = start + Int(event.len)
                    guard offset <= count else { return }
                    let name = String(decoding: bytes[start..<offset].prefix { $0 != 0 }, as: UTF8.self)
                    if take(event.wd, event.mask, name) { isChanged = true }
                }
            }
        }
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
