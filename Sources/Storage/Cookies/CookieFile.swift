package import Foundation
internal import SortieBase
package import SortieHTTP

/// A cookie file in Netscape's format: read completely, replaced atomically, private to the user.
package struct CookieFile: Sendable {
    /// The largest file that is read, in bytes.
    private static let largest = 64 << 20

    /// The path of the file.
    package let path: String

    /// Creates a value for the file at a path.
    package init(path: String) {
        self.path = path
    }

    /// Whether the file is `/dev/null`: a jar that begins empty and is not kept, as with curl.
    private var isNull: Bool { RealPath.of(path) == "/dev/null" }

    /// Whether other users can read the file; saving makes it private.
    package var isReadableByOthers: Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_size > 0 && information.st_mode & 0o077 != 0
    }

    /// The content of the file; empty when the file does not exist.
    ///
    /// - Throws: When the file exists and cannot be read.
    package func load(at now: Date) throws(WorkspaceError) -> NetscapeCookies {
        do throws(WholeFile.Failure) { return NetscapeCookies(parsing: try WholeFile.bytes(at: path, limit: Self.largest), at: now) } catch {
            switch error {
            case .system(ENOENT): return NetscapeCookies([])
            case .notRegularFile where isNull: return NetscapeCookies([])
            case .system(let code): throw unreadable(String(cString: strerror(code)).lowercased())
            default: throw unreadable(error.reason)
            }
        }
    }

    /// Replaces the file; afterwards it is private to the user, whatever its previous mode.
    package func save(_ cookies: NetscapeCookies) throws(WorkspaceError) {
        var cookies = cookies
        // Tabs separate the fields of a line, and no request has such a path.
        cookies.cookies.removeAll { $0.path.contains("\t") || $0.name.contains("\t") }
        try AtomicFile.write(cookies.bytes, to: path, mode: 0o600)
    }

    /// Replaces the cookies of the file by those that `merge` makes of them.
    ///
    /// Programs that write the file wait for each other by a lock in the cache folder, so that none loses the cookies of another.
    ///
    /// - Parameter merge: Returns the cookies to store for those that the file has now.
    package func update(cacheFolder: String, at now: Date, _ merge: ([Cookie]) -> [Cookie]) throws(WorkspaceError) {
        guard !isNull else { return }
        let lock = try lock(in: "\(cacheFolder)/sortie/cookie-files")
        defer { withExtendedLifetime(lock) {} }
        var content = try load(at: now)
        content.cookies = merge(content.cookies).filter { !$0.isExpired(at: now) }
        try save(content)
    }

    private func lock(in folder: String) throws(WorkspaceError) -> StateLock {
        try StateFolder.make(folder)
        // Several paths may lead to one file.
        let place = "\(folder)/\(StateFolder.name(of: RealPath.of(path))).lock"
        try StateFolder.checkFile(place)
        guard let lock = StateLock(path: place, within: 10) else {
            throw WorkspaceError(.unwritable, file: path, "the cookies are not stored, because another program holds \(place)")
        }
        return lock
    }

    private func unreadable(_ reason: String) -> WorkspaceError {
        WorkspaceError(.unreadable, file: path, "the cookies cannot be read: \(reason)")
    }
}
