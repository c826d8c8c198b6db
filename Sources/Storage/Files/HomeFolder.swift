internal import Foundation
internal import Model

/// The user's home folder.
public enum HomeFolder {
    /// `$HOME` where it is absolute, as POSIX has programs find it; else the folder that the user database names.
    public static var path: String {
        if let home = ProcessInfo.processInfo.environment["HOME"], home.hasPrefix("/") {
            return home.count > 1 && home.hasSuffix("/") ? String(home.dropLast()) : home
        }
        return SystemUser.homeFolder ?? "/"
    }

    /// A path as it was typed, with the home folder in the place of a `~` that is its first component.
    public static func expanding(_ path: String) -> String {
        path.hasPrefix("~") ? FilePath.expanding(path, home: self.path) : path
    }
}
