package import Foundation
package import SortieHTTP

/// A cookie file in Netscape's format: read completely, replaced atomically, private to the user.
package struct CookieFile: Sendable {
    /// The path of the file.
    package let path: String

    /// Creates a value for the file at a path.
    package init(path: String) {
        self.path = path
    }

    /// Whether other users can read the file; saving makes it private.
    package var isReadableByOthers: Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_size > 0 && information.st_mode & 0o077 != 0
    }

    /// The content of the file; empty when the file does not exist.
    ///
    /// - Throws: When the file exists and cannot be read.
    package func load(at now: Date) throws(WorkspaceError) -> NetscapeCookies {
        var information = stat()
        guard stat(path, &information) == 0 else {
            guard errno == ENOENT else { throw unreadable(String(cString: strerror(errno)).lowercased()) }
            return NetscapeCookies([])
        }
        guard information.st_mode & S_IFMT == S_IFREG else { throw unreadable("it is not a file") }
        do { return NetscapeCookies(parsing: try Array(Data(contentsOf: URL(fileURLWithPath: path))), at: now) } catch {
            throw unreadable(access(path, R_OK) == 0 ? "\(error.localizedDescription)" : String(cString: strerror(errno)).lowercased())
        }
    }

    /// Replaces the file; afterwards it is private to the user, whatever its previous mode.
    package func save(_ cookies: NetscapeCookies) throws(WorkspaceError) {
        try AtomicFile.write(cookies.bytes, to: path, mode: 0o600)
    }

    private func unreadable(_ reason: String) -> WorkspaceError {
        WorkspaceError(.unreadable, file: path, "the cookies cannot be read: \(reason)")
    }
}
