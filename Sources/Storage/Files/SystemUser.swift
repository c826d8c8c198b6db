internal import Foundation

/// Information from the user database (`getpwuid_r(3)`).
enum SystemUser {
    /// The name of a user in messages: `the user alice`, or `the user 1001` where the database has no name.
    static func name(of user: uid_t) -> String {
        "the user \(entry(of: user) { $0.pw_name } ?? "\(user)")"
    }

    /// The home folder of the current user; nil where the database has no absolute one.
    static var homeFolder: String? {
        entry(of: getuid()) { $0.pw_dir }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Whether files of this owner are as trustworthy as the user's: those of the user, of root, or under sudo of the user who called it.
    static func isTrusted(_ owner: uid_t) -> Bool {
        if owner == geteuid() || owner == 0 { return true }
        guard geteuid() == 0, let text = getenv("SUDO_UID").map({ String(cString: $0) }) else { return false }
        return uid_t(text) == owner
    }

    private static func entry(of user: uid_t, _ field: (passwd) -> UnsafeMutablePointer<CChar>?) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return field(entry).map { String(cString: $0) }
    }
}
