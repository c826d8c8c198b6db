package import SortieHTTP

/// A download that continues in its own process while no other program is open.
///
/// The number of received bytes is in the manifest beside the file.
package struct DetachedDownload: Hashable, Sendable {
    /// The result of a download that has ended.
    package struct End: Codable, Hashable, Sendable {
        /// The exit code that the command would have had.
        package var exitCode: Int32
        /// The number of received bytes.
        package var bytes: Int64
        /// The time in seconds since 1970.
        package var time: Double

        package init(exitCode: Int32, bytes: Int64, time: Double) {
            (self.exitCode, self.bytes, self.time) = (exitCode, bytes, time)
        }
    }

    /// The number by which commands name it.
    package var id: Int
    /// The endpoint or the URL, without secrets.
    package var target: String
    /// The path of the file; the bytes are in `FILE.part` until it is complete.
    package var file: String
    /// The command line that resumes it, without secrets.
    package var command: String
    /// When its process left the foreground, in seconds since 1970.
    package var startedAt: Double
    /// The number of bytes that an earlier download had received.
    package var startedWith: Int64
    /// The last state, as text.
    package var state: String
    /// The result; nil while it runs, and for one that was interrupted.
    package var end: End?
    /// The ID of its process, which is not stored; nil where it has ended.
    package var process: Int32?

    package init(id: Int, target: String, file: String, command: String, startedAt: Double, startedWith: Int64, state: String) {
        (self.id, self.target, self.file, self.command) = (id, target, file, command)
        (self.startedAt, self.startedWith, self.state) = (startedAt, startedWith, state)
    }

    /// Whether it ended without a result, such as at a restart of the machine.
    package var isInterrupted: Bool { process == nil && end == nil }
    /// Whether the file is complete.
    package var isDone: Bool { end?.exitCode == 0 }

    /// The state as text for display.
    package var text: String { isInterrupted ? "interrupted" : state }

    /// How long the result of a complete download is listed, in seconds.
    private static let shownFor = 86_400.0

    /// Whether a program that has listed the download may forget it.
    ///
    /// - Parameter hasPart: Whether there are bytes to resume from.
    package func isOld(at time: Double, hasPart: Bool) -> Bool {
        process == nil && (isDone || !hasPart) && time - (end?.time ?? startedAt) > Self.shownFor
    }
}

/// A detached download with its progress.
package struct DetachedDownloadProgress: Hashable, Sendable {
    package let download: DetachedDownload
    /// The received bytes.
    package let bytes: Int64
    /// The size in bytes; nil where it is unknown.
    package let total: Int64?
    /// The average rate in bytes per second since its start; nil where it does not run, or has received nothing.
    package let rate: Double?
    /// Whether there are bytes to resume from.
    package let hasPart: Bool

    /// - Parameters:
    ///   - left: The progress in the manifest beside its file; nil where there is none.
    ///   - time: The time in seconds since 1970.
    package init(_ download: DetachedDownload, left: DownloadProgress?, at time: Double) {
        self.download = download
        hasPart = left != nil && !download.isDone
        bytes = left?.received ?? download.end?.bytes ?? 0
        total = left?.total ?? (download.isDone ? download.end?.bytes : nil)
        let (fresh, seconds) = (bytes - download.startedWith, time - download.startedAt)
        rate = download.process != nil && fresh > 0 && seconds > 0 ? Double(fresh) / seconds : nil
    }

    /// The command that resumes it; nil where it runs, is complete, or has no bytes.
    package var remedy: String? { download.process == nil && hasPart ? download.command : nil }
}
