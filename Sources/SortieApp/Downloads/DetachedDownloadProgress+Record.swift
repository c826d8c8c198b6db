internal import Foundation
internal import SortieBase
internal import SortieNetworking
internal import WorkspaceModel

/// The row and the record of a detached download in a list.
extension DetachedDownloadProgress {
    /// The progress that the manifest beside the file has.
    init(_ download: DetachedDownload, at now: Date) {
        self.init(download, left: download.isDone ? nil : Downloads.left(of: download.file), at: now.timeIntervalSince1970)
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
