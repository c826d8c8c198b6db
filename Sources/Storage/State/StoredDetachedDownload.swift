internal import WorkspaceModel

/// A detached download, as it is stored.
struct StoredDetachedDownload: StateRecord {
    static let format = StateFormat(key: "downloads", content: "the detached download")

    struct End: Codable {
        var exitCode: Int32
        var bytes: Int64
        var time: Double
    }

    var id: Int
    var target: String
    var file: String
    var command: String
    var startedAt: Double
    var startedWith: Int64
    var state: String
    var end: End?

    init(_ download: DetachedDownload) {
        (id, target, file, command) = (download.id, download.target, download.file, download.command)
        (startedAt, startedWith, state) = (download.startedAt, download.startedWith, download.state)
        end = download.end.map { End(exitCode: $0.exitCode, bytes: $0.bytes, time: $0.time) }
    }

    func value(_ problems: inout [String]) -> DetachedDownload? {
        guard (1...DetachedDownloadStore.mostNumber).contains(id), [startedAt, end?.time ?? 0].allSatisfy({ (0...1e11).contains($0) }) else {
            problems.append("a number is not one that Sortie writes")
            return nil
        }
        var download = DetachedDownload(
            id: id, target: target, file: file, command: command, startedAt: startedAt, startedWith: startedWith, state: state)
        download.end = end.map { DetachedDownload.End(exitCode: $0.exitCode, bytes: $0.bytes, time: $0.time) }
        return download
    }
}
