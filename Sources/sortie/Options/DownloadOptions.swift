internal import ArgumentParser
internal import Model
internal import Storage

/// The destination and the settings of a download.
struct DownloadOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file, or a folder in which the server names it; else the current folder.", valueName: "file|dir"))
    var output: String?

    @Flag(help: "Begin with the first byte, whatever is there.")
    var restart = false

    @Option(help: ArgumentHelp("Up to so many connections at once, where the server allows it: 1 to 4.", valueName: "count"))
    var connections: Int?

    @Option(name: .customLong("limit-rate"), help: ArgumentHelp("The most bytes a second.", valueName: "size"))
    var limitRate: String?

    @Option(help: ArgumentHelp("The digest that the file must have.", valueName: "hex"))
    var sha256: String?

    @Option(
        name: .customLong("on-exists"),
        help: ArgumentHelp("What happens to a file of that name: replace, keep-both or fail.", valueName: "policy"))
    var onExists: String?

    @Flag(name: .customLong("allow-unvalidated"), help: "Go on also where nothing tells that the file is still the same.")
    var allowUnvalidated = false

    /// The download of `request` with these options.
    func download(_ request: Request) throws -> Download {
        var download = Download(request, to: try output.map { try Self.destination($0) } ?? .folder("."))
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
    static func destination(_ path: String) throws -> Download.Destination {
        guard path != "-" else {
            throw CommandFailure(
                .usage, "a download needs a file, which can go on later; stdout cannot",
                hint: "sortie send writes to stdout; a file of that name is -o ./-")
        }
        return .file(HomeFolder.expanding(path))
    }
}
