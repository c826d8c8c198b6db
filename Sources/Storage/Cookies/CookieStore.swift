internal import Foundation
package import SortieHTTP
internal import Synchronization

/// The stored cookies of a workspace's environment, shared by consecutive and concurrent programs.
///
/// There is one file for each environment in `$XDG_CACHE_HOME/sortie/cookies/WORKSPACE`, private to the user. A program that writes the file
/// holds the lock beside it, reads the changes of others, and merges its own.
package final class CookieStore: Sendable {
    /// The path of the file.
    package let path: String
    private let file: StateFile<StoredCookie>
    private let state = Mutex(State())

    private struct State {
        /// The content of the file at the last synchronisation.
        var base: [Cookie] = []
        /// The version of the file at the last synchronisation.
        var stamp: Stamp?
    }

    /// Identifies a version of the file; replacing the file changes it.
    private struct Stamp: Equatable {
        var file: UInt64
        var seconds: Int
        var nanoseconds: Int

        init?(_ path: String) {
            var information = stat()
            guard stat(path, &information) == 0 else { return nil }
            file = UInt64(information.st_ino)
            seconds = information.st_mtim.tv_sec
            nanoseconds = information.st_mtim.tv_nsec
        }
    }

    /// Creates the store of an environment of the workspace in `folder`; nothing is read yet.
    package init(workspace folder: String, environment: String, cacheFolder: String) {
        // Names escape hyphens, so no environment can have this one.
        let name = environment.isEmpty ? "-none-" : StateFolder.name(of: environment)
        path = "\(StateFolder.path(in: "\(cacheFolder)/sortie/cookies", of: folder))/\(name).json"
        file = StateFile(path)
    }

    /// Whether another program wrote the file since ``sync(_:)``.
    package var isChanged: Bool { state.withLock { $0.stamp != Stamp(path) } }

    /// Reads the stored cookies, merges them with those of the program, and stores the result.
    ///
    /// - Parameter merge: called with the stored cookies and those of the last synchronisation; returns the cookies to store.
    /// - Returns: a sentence when the file could not be read completely; it stays beside the new one, under another name.
    /// - Throws: When the cookies cannot be stored, or a newer version wrote the file; the file is not changed.
    package func sync(_ merge: (_ theirs: [Cookie], _ base: [Cookie]) -> [Cookie]) throws(WorkspaceError) -> String? {
        let lock = try file.lock(within: 2)
        defer { withExtendedLifetime(lock) {} }
        var notice: String?
        let base = state.withLock { $0.base }
        var found: [Cookie]?
        do throws(WorkspaceError) {
            let content = try file.load()
            found = content?.values
            notice = content?.problems.first?.description
        } catch {
            guard error.code == .unreadable else { throw error }
            notice = "\(path): the cookies cannot be read; the file is \(try file.putAside()) now, and the jar begins without it"
        }
        // A missing file does not mean deleted cookies; deleting all cookies leaves an empty file.
        let kept = merge(found ?? base, base)
        if kept != found ?? [] { try file.save(kept) }
        state.withLock { $0 = State(base: kept, stamp: Stamp(path)) }
        return notice
    }
}
