internal import CEmbedded
internal import SortieNetworking
internal import SortieStorage

/// What `sortie --version` prints.
enum VersionReport {
    /// The first line; a build without a commit has only the version.
    static var line: String {
        let commit = String(cString: version_commit())
        return "sortie \(NetworkingVersion.current)" + (commit.isEmpty ? "" : " (commit \(commit))")
    }

    /// The version and the versions of the libraries in use, which are loaded for it.
    static var text: String {
        let libraries = NetworkingVersion.libraries()
        let sqlite: String
        do { sqlite = try SQLiteVersion.current() } catch { sqlite = "\(error)" }
        let rows = [("libcurl", libraries.libcurl), ("TLS", libraries.tls ?? "none"), ("SQLite", sqlite)]
        return ([line] + rows.map { "\($0) \($1)" }).map { $0 + "\n" }.joined()
    }
}
