internal import Model

/// The folders that paths of downloads begin with; the composition knows them.
public struct TransferFolders: Hashable, Sendable {
    /// The person's home, which `~` stands for.
    public var home: String
    /// The folder that the program was started in, which typed paths begin with.
    public var current: String
    /// Where downloads go that say nothing else.
    public var downloads: String

    /// Folders, by absolute paths.
    public init(home: String = "/", current: String = "/", downloads: String = "/") {
        self.home = home
        self.current = current
        self.downloads = downloads
    }

    /// A path as a person wrote it, absolute: `~` is the home, a relative one begins at `folder`, and the `/` at the end of a folder stays.
    func path(_ text: String, from folder: String) -> String {
        let path = FilePath.joining(folder, FilePath.expanding(text, home: home))
        return FilePath.namesFolder(text) && path != "/" ? path + "/" : path
    }
}
