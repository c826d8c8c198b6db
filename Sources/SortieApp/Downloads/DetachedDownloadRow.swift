internal import Foundation
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import WorkspaceModel

/// A detached download in a list, with the progress that its manifest has.
struct DetachedDownloadRow {
    let download: DetachedDownload
    /// The received bytes, and the size where it is known.
    let bytes: Int64
    let total: Int64?
    /// The average rate in bytes per second since its start; nil where it does not run, or has received nothing.
    let rate: Double?
    /// Whether there are bytes to resume from.
    let hasPart: Bool

    init(_ download: DetachedDownload, at now: Date) {
        self.download = download
        let left = download.isDone ? nil : Downloads.left(of: download.file)
        hasPart = left != nil
        bytes = left?.received ?? download.end?.bytes ?? 0
        total = left?.total ?? (download.isDone ? download.end?.bytes : nil)
        let (fresh, seconds) = (bytes - download.startedWith, now.timeIntervalSince1970 - download.startedAt)
        rate = download.process != nil && fresh > 0 && seconds > 0 ? Double(fresh) / seconds : nil
    }

    /// The cells of the row: number, state, progress, rate, process and file.
    var cells: [String] {
        let percent = total.flatMap { $0 > 0 ? "\(min(100, bytes * 100 / $0)) %, " : nil } ?? ""
        let amount = total.map { "\(ByteCount(bytes).text) of \(ByteCount($0).text)" } ?? ByteCount(bytes).text
        return [
            "\(download.id)", download.text, percent + amount, rate.map { "\(ByteCount(Int64($0)).text)/s" } ?? "-",
            download.process.map { "PID \($0)" } ?? "-", download.file,
        ]
    }

    /// How to resume it; nil where it runs, is complete, or has no bytes.
    var remedy: String? { download.process == nil && !download.isDone && hasPart ? download.command : nil }

    var record: JSONValue {
        func number(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
        return [
            "id": .integer(Int64(download.id)), "state": .string(download.text), "target": .string(download.target),
            "file": .string(download.file), "bytes": .integer(bytes), "total": number(total), "rate": number(rate.map { Int64($0) }),
            "pid": number(download.process.map { Int64($0) }), "exitCode": number((download.end?.exitCode).map { Int64($0) }),
            "startedAt": .string(CalendarTime.iso8601(millisecondsOf: download.startedAt)),
            "endedAt": .optional((download.end?.time).map { CalendarTime.iso8601(millisecondsOf: $0) }), "resume": .optional(remedy),
        ]
    }
}
