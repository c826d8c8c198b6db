internal import ArgumentParser
internal import SortieBase

/// The settings of uploads.
struct UploadOptions: ParsableArguments {
    @Option(
        name: .customLong("field"),
        help: ArgumentHelp("Send all files as parts of this name in one multipart body, instead of one request for each.", valueName: "name"))
    var field: String?

    @Option(help: ArgumentHelp("Upload this many files at once: 1 to \(UploadOptions.mostParallel).", valueName: "n"))
    var parallel = 1

    @Option(name: .customLong("limit-rate"), help: ArgumentHelp("The maximum bytes per second for each file.", valueName: "size"))
    var limitRate: String?

    @Flag(
        name: .customLong("keep-going"),
        help: "Continue with the other files after a failure, and list those that are left; a status that is not accepted is a failure.")
    var keepsGoing = false

    @Flag(
        name: .customLong("delete-confirmed"),
        help: "Delete each named local file as soon as the server has accepted it; a file that changed meanwhile is kept.")
    var deletesConfirmed = false

    private static let mostParallel = 16

    /// Rejects invalid values.
    func check() throws {
        guard 1...Self.mostParallel ~= parallel else {
            throw CommandFailure(.usage, "--parallel \(parallel) is not from 1 to \(Self.mostParallel)")
        }
        if let limitRate { _ = try ByteCount(rate: limitRate) }
    }
}
