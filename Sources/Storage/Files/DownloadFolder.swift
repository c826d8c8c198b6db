internal import Foundation
package import SortieBase

extension UserFolders {
    /// The folder for downloads (XDG user directories): `$XDG_DOWNLOAD_DIR`, else that of `user-dirs.dirs`, else `~/Downloads`.
    package var downloads: String {
        // A file that cannot be read is the same as none: it is optional, and other programs write it.
        let place = configuration + "/user-dirs.dirs"
        let file = access(place, R_OK) == 0 ? FileManager.default.contents(atPath: place) : nil
        return DownloadFolder.path(
            variable: downloadVariable, userDirectories: file.map { String(decoding: $0, as: UTF8.self) } ?? "", home: home)
    }
}

/// The folder of the user for downloads.
package enum DownloadFolder {
    /// The folder that the variable or the file names.
    ///
    /// A folder that contains the home, or is the home, is not used: this is how `user-dirs.dirs` expresses that there is none, and downloads into
    /// this folder need no permission.
    ///
    /// - Parameters:
    ///   - variable: The value of `XDG_DOWNLOAD_DIR`.
    ///   - userDirectories: The text of `user-dirs.dirs`.
    ///   - home: The home of the user.
    static func path(variable: String?, userDirectories: String, home: String) -> String {
        let lines = userDirectories.split(whereSeparator: \.isNewline).compactMap { line -> String? in
            guard let match = line.wholeMatch(of: /\s*XDG_DOWNLOAD_DIR\s*=\s*"(.*)"\s*/) else { return nil }
            return match.1.hasPrefix("$HOME/") ? home + match.1.dropFirst(5) : String(match.1)
        }
        for folder in [variable, lines.last].compactMap({ $0 }) where folder.hasPrefix("/") {
            let folder = FilePath.normalized(folder)
            if !(home + "/").hasPrefix(folder == "/" ? folder : folder + "/") { return folder }
        }
        return home + "/Downloads"
    }

    /// Creates the folder that a workspace names for downloads, where it is missing.
    ///
    /// - Throws: The reason, with a remedy.
    package static func create(_ path: String) throws(Diagnostic) {
        let place = SourceLocation(file: "workspace.yaml")
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            throw Diagnostic(place, "folders: \(path) cannot be created: \(error.localizedDescription) Create it, or name another folder")
        }
    }
}
