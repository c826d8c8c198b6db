internal import Crypto
internal import Glibc
internal import Model

/// Where a download has its part, and where its file goes.
struct DownloadPlace: Sendable {
    /// The folder, without links and dots in its path.
    let folder: String
    /// The file's name, or the one to begin with where the server may give another.
    let name: String
    /// Whether the person gave the name.
    let isChosen: Bool
    /// Which download it is: what is asked for and where it goes, as a digest.
    let key: String

    /// The path of the file.
    var file: String { path(name) }
    /// The path of the bytes while they come.
    var part: String { file + ".part" }
    /// The path of what is noted about them.
    var manifest: String { part + ".json" }

    /// Finds it out.
    ///
    /// - Throws: `storage` when there is no such folder, or what is there is no file.
    init(_ download: Download) throws(NetworkError) {
        var (folder, name): (String, String?)
        switch download.destination {
        case .folder(let path): (folder, name) = (path, nil)
        case .file(let path) where path.hasSuffix("/"): (folder, name) = (path, nil)
        case .file(let path):
            var status = stat()
            if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                (folder, name) = (path, nil)
            } else if let slash = path.lastIndex(of: "/") {
                (folder, name) = (String(path[...slash]), String(path[path.index(after: slash)...]))
            } else {
                (folder, name) = (".", path)
            }
        }
        guard let found = realpath(folder.isEmpty ? "." : folder, nil) else {
            throw .disk(errno, folder, "cannot be downloaded to")
        }
        defer { free(found) }
        // The file gets its name in its folder, so nothing can be done where that takes no files; better known before anything is asked for.
        guard access(found, W_OK | X_OK) == 0 else { throw .disk(errno, String(cString: found), "cannot be written to") }
        self.folder = String(cString: found)
        isChosen = name != nil
        self.name = name ?? DownloadName.name(of: download.request.url)
        let identity = download.identity(destination: self.folder + "/" + (name ?? ""))
        key = HexDigits.text(SHA256.hash(data: Array(identity.utf8)))
        try Self.check(file)
    }

    private init(_ place: DownloadPlace, name: String) {
        folder = place.folder
        isChosen = place.isChosen
        key = place.key
        self.name = name
    }

    /// The same download under `name (number)`.
    func numbered(_ number: Int) -> DownloadPlace {
        DownloadPlace(self, name: DownloadName.numbered(name, number))
    }

    /// The path of a name in the folder.
    func path(_ name: String) -> String { folder == "/" ? "/" + name : "\(folder)/\(name)" }

    /// Whether anything has the file's name.
    static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The size of a file, nil where there is none.
    static func size(of path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }

    private static func check(_ path: String) throws(NetworkError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw NetworkError(.storage, "\(path) is not a file that a download could replace", hint: "name another file with -o")
    }
}
