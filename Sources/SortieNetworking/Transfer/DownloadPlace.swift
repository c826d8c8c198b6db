internal import Glibc
public import SortieHTTP

/// The paths of a download: its part, its manifest and its file.
struct DownloadPlace: Sendable {
    /// The path of the folder, without symbolic links and dot segments.
    let folder: String
    /// The name of the file, or the initial name where the server may choose another.
    let name: String
    /// Whether the user chose the name.
    let isChosen: Bool
    /// The identity of the download: a digest of the request and the destination.
    let key: String

    /// The path of the file.
    var file: String { path(name) }
    /// The path of the incomplete file.
    var part: String { DownloadName.part(of: file) }
    /// The path of the manifest.
    var manifest: String { part + ".json" }

    /// Resolves the destination of a download.
    ///
    /// - Throws: `storage` when the folder is missing or not writable, or when the path names something other than a regular file.
    init(_ download: Download) throws(NetworkError) {
        var (folder, name): (String, String?)
        switch download.destination {
        case .folder(let path): (folder, name) = (path, nil)
        case .file(let path) where FilePath.namesFolder(path): (folder, name) = (path, nil)
        case .file(let path):
            // A link stays when its file is replaced, also one to a file that does not exist yet.
            let path = RealPath.of(FilePath.isAbsolute(path) ? path : RealPath.workingFolder + "/" + path)
            var status = stat()
            if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                (folder, name) = (path, nil)
            } else {
                (folder, name) = (FilePath.folder(of: path), FilePath.name(of: path))
            }
        }
        guard let found = realpath(folder.isEmpty ? "." : folder, nil) else {
            throw .disk(errno, folder, "cannot be downloaded to")
        }
        defer { free(found) }
        // The final rename needs a writable folder, so the check comes before the first request.
        guard RealPath.isFolder(String(cString: found)) else { throw .disk(ENOTDIR, String(cString: found), "cannot be downloaded to") }
        guard access(found, W_OK | X_OK) == 0 else { throw .disk(errno, String(cString: found), "cannot be written to") }
        self.folder = String(cString: found)
        isChosen = name != nil
        self.name = name ?? DownloadName.name(of: download.request.url, otherwise: download.request.options.texts.unnamedFile)
        guard FilePath.isName(self.name) else {
            throw NetworkError(.storage, "“\(self.name)” cannot be the name of a file", remedy: .otherFile)
        }
        let identity = download.identity(destination: self.folder + "/" + (name ?? ""))
        key = HexDigits.text(HashFunction.sha256.digest(of: identity))
        try Self.check(file)
    }

    private init(_ place: DownloadPlace, name: String) {
        folder = place.folder
        isChosen = place.isChosen
        key = place.key
        self.name = name
    }

    /// The same download with the file name `name (number)`.
    func numbered(_ number: Int) -> DownloadPlace {
        DownloadPlace(self, name: DownloadName.numbered(name, number))
    }

    /// The path of a name in the folder.
    func path(_ name: String) -> String { folder == "/" ? "/" + name : "\(folder)/\(name)" }

    /// The name of the finished file according to a manifest of this download.
    ///
    /// Other programs can write a manifest into the folder, so it is trusted only as far as the server is: its path must be in this folder and, where
    /// the user chose a name, must have that name or a numbered form of it.
    ///
    /// - Returns: Nil for a path in another folder, and for a name that this download would not give its file.
    func name(in manifest: DownloadManifest) -> String? {
        let noted = FilePath.name(of: manifest.destination)
        guard manifest.destination.utf8.elementsEqual(path(noted).utf8), FilePath.isName(noted) else { return nil }
        guard isChosen else { return DownloadName.sanitized(noted).map { $0.utf8.elementsEqual(noted.utf8) } == true ? noted : nil }
        if noted.utf8.elementsEqual(name.utf8) { return noted }
        return (1...Self.mostNumbers).contains { DownloadName.numbered(name, $0).utf8.elementsEqual(noted.utf8) } ? noted : nil
    }

    /// The maximum number of numbered names to try.
    static let mostNumbers = 1000

    /// Whether a file system entry exists at `path`.
    static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The size of a regular file; nil where there is none.
    static func size(of path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }

    private static func check(_ path: String) throws(NetworkError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            // Its part has a shorter name, so the disk would refuse this one only at the end.
            if errno == ENAMETOOLONG { throw .disk(ENAMETOOLONG, path, "cannot be written") }
            guard errno == ELOOP else { return }
            throw NetworkError(.storage, "\(path) is a link that leads back to itself, so a download cannot replace it", remedy: .otherFile)
        }
        guard status.st_mode & S_IFMT != S_IFREG else { return }
        throw NetworkError(.storage, "\(path) is not a regular file, so a download cannot replace it", remedy: .otherFile)
    }
}

/// Returns the path of a finished file.
///
/// It is called once when all bytes have arrived, before the file gets its name. The partial file stays beside `location` until then.
///
/// - Parameters:
///   - location: The path that the file has without this function.
///   - response: The head of the last response; nil where an earlier run of the program received all bytes.
/// - Returns: An absolute path, or one relative to the folder of `location`. Its folder must exist on the same file system.
/// - Throws: An error that ends the download; the bytes are kept.
public typealias DownloadDestination = @Sendable (_ location: String, _ response: Response?) throws -> String
