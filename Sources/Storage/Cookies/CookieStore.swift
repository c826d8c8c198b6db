internal import Foundation
public import Model
internal import Synchronization

/// The cookies of a workspace's environment, kept so that the next program has them, and shared with others that run (S3.11).
///
/// One file for each environment in `$XDG_CACHE_HOME/sortie/cookies/WORKSPACE`, private to the user. Whoever writes it holds the lock beside it, reads
/// what others wrote, and adds what is its own.
public final class CookieStore: Sendable {
    /// The file.
    public let path: String
    private let file: StateFile<StoredCookie>
    private let state = Mutex(State())

    private struct State {
        /// What the file held when both agreed last.
        var base: [Cookie] = []
        /// Which file that was.
        var stamp: Stamp?
    }

    /// Tells one version of a file from another; a file that is replaced is another one.
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

    /// The cookies of an environment of the workspace in `folder`; nothing is read yet.
    public init(workspace folder: String, environment: String, cacheFolder: String = StateFolder.cachePath) {
        // A hyphen is written in another way in names, so no environment can have this one.
        let name = environment.isEmpty ? "-none-" : StateFolder.name(of: environment)
        path = "\(StateFolder.path(in: "\(cacheFolder)/sortie/cookies", of: folder))/\(name).json"
        file = StateFile(path)
    }

    /// Whether somebody else wrote the file since ``sync(_:)``.
    public var isChanged: Bool { state.withLock { $0.stamp != Stamp(path) } }

    /// Reads what is kept, brings it together with what the program has, and keeps that.
    ///
    /// - Parameter merge: given what is kept and what was kept the last time, returns what is to be kept.
    /// - Returns: a sentence when the file could not be read completely; it stays beside the new one, under another name.
    /// - Throws: when nothing can be kept, or a newer version wrote the file; what is on the disk stays as it was.
    public func sync(_ merge: (_ theirs: [Cookie], _ base: [Cookie]) -> [Cookie]) throws(WorkspaceError) -> String? {
        let folder = (path as NSString).deletingLastPathComponent
        do { try StateFolder.make(folder) } catch let error as WorkspaceError { throw error } catch {
            throw unwritable("\(error.localizedDescription)")
        }
        guard let lock = StateLock(path: "\(path).lock", within: 2) else { throw unwritable("somebody else holds \(path).lock") }
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
        // A file that is gone says nothing about its cookies; who deletes them leaves one without any.
        let kept = merge(found ?? base, base)
        if kept != found ?? [] { try file.save(kept) }
        state.withLock { $0 = State(base: kept, stamp: Stamp(path)) }
        return notice
    }

    private func unwritable(_ reason: String) -> WorkspaceError {
        WorkspaceError(.unwritable, file: path, "the cookies are not kept: \(reason)")
    }
}
