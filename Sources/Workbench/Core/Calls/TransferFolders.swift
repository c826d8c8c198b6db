internal import SortieBase

/// The folders that paths of downloads are relative to.
package struct TransferFolders: Hashable, Sendable {
    /// The user's home, which `~` expands to.
    package var home: String
    /// The working directory, which typed paths are relative to.
    package var current: String
    /// The default destination of downloads.
    package var downloads: String
    /// The user's folder for downloads, whether it exists or not; workspaces may download into it without a permission.
    package var userDownloads: String

    /// Creates folders from absolute paths.
    package init(home: String = "/", current: String = "/", downloads: String = "/", userDownloads: String? = nil) {
        self.home = home
        self.current = current
        self.downloads = downloads
        self.userDownloads = userDownloads ?? home + "/Downloads"
    }

    /// Makes a path absolute: `~` is the home, other relative paths are relative to `folder`, and a trailing `/` stays.
    func path(_ text: String, from folder: String) -> String {
        let path = FilePath.joining(folder, FilePath.expanding(text, home: home))
        return FilePath.namesFolder(text) && path != "/" ? path + "/" : path
    }
}
