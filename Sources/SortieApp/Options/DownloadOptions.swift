internal import ArgumentParser
internal import SortieNetworking
internal import WorkspaceModel

/// The destination and the settings of a download.
struct DownloadOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file, or a folder for a file that the server names; by default that of the endpoint, else the current folder. - is stdout.",
            valueName: "file|dir"), completion: .file())
    var output: String?

    @Flag(help: "Start from the first byte, even if a partial file exists.")
    var restart = false

    @Option(help: ArgumentHelp("The maximum number of parallel connections, if the server supports ranges: 1 to 4.", valueName: "count"))
    var connections: Int?

    @Option(name: .customLong("limit-rate"), help: ArgumentHelp("The maximum bytes per second.", valueName: "size"))
    var limitRate: String?

    @Option(help: ArgumentHelp("The digest that the file must have.", valueName: "hex"))
    var sha256: String?

    @Option(
        name: .customLong("on-exists"),
        help: ArgumentHelp("What to do if the file exists: replace, keep-both or fail.", valueName: "policy"),
        completion: .list(["replace", "keep-both", "fail"]))
    var onExists: String?

    @Flag(name: .customLong("discard-parts"), help: "Download nothing; remove the partial files of all downloads in the folder of -o.")
    var discardsParts = false

    @Flag(name: .customLong("allow-unvalidated"), help: "Resume even if the server sends nothing to verify that the file is unchanged.")
    var allowUnvalidated = false

    @Flag(help: "Continue in a separate process as soon as the server responds; list, attach and stop as the target refer to such downloads.")
    var detach = false

    /// The function for the name of the file, where the endpoint names it with values of the response.
    func destination(_ settings: DownloadSettings?) -> DownloadDestination? {
        output == nil ? settings?.to.flatMap { ResponseFileName(path: $0) }?.destination : nil
    }

    /// The download of `request` with these options, which take precedence over the settings of its endpoint.
    func download(_ request: Request, _ settings: DownloadSettings? = nil, in program: ProgramContext) throws -> Download {
        var download = Download(request, to: try (output ?? settings?.to).map { try Self.destination($0, in: program) } ?? .folder(program.path(".")))
        if output == nil, let name = settings?.to.flatMap({ ResponseFileName(path: $0) }) { download.destination = .folder(name.folder) }
        settings?.apply(to: &download)
        download.beginsAfresh = restart
        download.allowsUnvalidated = allowUnvalidated
        if let connections {
            guard 1...Download.mostConnections ~= connections else {
                throw CommandFailure(.usage, "--connections \(connections) is not from 1 to \(Download.mostConnections)")
            }
            download.connections = connections
        }
        if let limitRate {
            download.rateLimit = try ByteCount(rate: limitRate).bytes
        }
        if let sha256 {
            guard let digest = FileDigest(hexadecimal: sha256) else {
                throw CommandFailure(.usage, "--sha256 \(sha256) is not a SHA-256", hint: "write its 64 hexadecimal digits")
            }
            download.expectedDigest = digest
        }
        if let onExists {
            guard let collision = Download.Collision(rawValue: onExists) else {
                throw CommandFailure(.usage, "--on-exists \(onExists) is none of replace, keep-both and fail")
            }
            download.collision = collision
        }
        return download
    }

    /// The destination that `-o` specifies.
    static func destination(_ path: String, in program: ProgramContext) throws -> Download.Destination {
        .file(program.path(path))
    }
}
