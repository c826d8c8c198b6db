internal import Foundation
internal import SortieBase

/// The user's home folder.
package enum HomeFolder {
    /// `$HOME` where it is absolute, as POSIX specifies; else the folder in the user database.
    package static var path: String {
        if let home = EnvironmentVariable.value("HOME"), home.hasPrefix("/") {
            return home.count > 1 && home.hasSuffix("/") ? String(home.dropLast()) : home
        }
        return SystemUser.homeFolder ?? "/"
    }

    /// Replaces a `~` that is the first component of a path by the home folder.
    package static func expanding(_ path: String) -> String {
        path.hasPrefix("~") ? FilePath.expanding(path, home: self.path) : path
    }
}
