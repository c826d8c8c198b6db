public import Foundation
public import SortieHTTP

/// A file of cookies in the format of Netscape: read whole, replaced atomically, private to the user.
public struct CookieFile: Sendable {
    /// Where it is.
    public let path: String

    /// The file at a path.
    public init(path: String) {
        self.path = path
    }

    /// Whether other users can read it now; saving makes it private.
    public var isReadableByOthers: Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_size > 0 && information.st_mode & 0o077 != 0
    }

    /// What is in it; nothing where there is no such file yet.
    ///
    /// - Throws: when it is there and cannot be read.
    public func load(at now: Date) throws(WorkspaceError) -> NetscapeCookies {
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

    /// Replaces it; nobody but the user can read it afterwards, whatever it allowed before.
    public func save(_ cookies: NetscapeCookies) throws(WorkspaceError) {
        try AtomicFile.write(cookies.bytes, to: path, mode: 0o600)
    }

    private func unreadable(_ reason: String) -> WorkspaceError {
        WorkspaceError(.unreadable, file: path, "the cookies cannot be read: \(reason)")
    }
}
