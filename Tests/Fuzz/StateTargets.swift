import Foundation
import HistoryModel
import SortieBase
import WorkspaceModel

@testable import SortieHTTP
@testable import SortieNetworking
@testable import SortieStorage

let stateTargets: [FuzzTarget] = [
    FuzzTarget("download-manifest", words: ["\"segments\":[", "\"start\":", "\"crc32\":\"", "\"committed\":", "null"]) { input in
        guard let manifest = DownloadManifest(reading: input.bytes) ?? signed(input.bytes).flatMap({ DownloadManifest(reading: $0) }) else { return }
        try requireEqual(DownloadManifest(reading: Array(manifest.text.utf8)), manifest, "the manifest of its text")
        let map = SegmentMap(manifest)
        for (one, next) in zip(map.segments, map.segments.dropFirst()) { try require(one.end == next.start, "the segments have a gap") }
        try require(manifest.safeBytes >= manifest.committed, "\(manifest.safeBytes) of \(manifest.committed) bytes are safe")
    },
    FuzzTarget(
        "run-journal", words: ["{\"sortieRun\":1,\"run\":\"r\",\"kind\":\"chain\",\"steps\":[", "{\"step\":0,\"state\":\"sending\"}\n", "{\"end\":"]
    ) { input in
        guard let record = try? RunJournalFormat.record(of: Data(input.bytes)) else { return }
        let again = try RunJournalFormat.record(of: Data(RunJournalFormat.bytes(of: record)))
        try requireEqual(again.steps.count, record.steps.count, "the steps of the written journal")
        if let failed = record.failedStep { try require(record.steps.indices.contains(failed), "step \(failed) of \(record.steps.count) failed") }
    },
    FuzzTarget("tar") { input in
        if let entries = try? TarArchive.entries(of: input.bytes, file: "f") {
            for entry in entries { try require(!entry.path.hasPrefix("/") && !entry.path.contains(".."), "the path \(entry.path)") }
            try requireEqual(TarArchive.entries(of: TarArchive.bytes(of: entries), file: "f"), entries, "the entries of the written archive")
        }
        let (line, rest) = input.headed
        guard !line.utf8.contains(0), let bytes = try? TarArchive.bytes(of: [.init(path: line, bytes: rest)]),
            let entries = try? TarArchive.entries(of: bytes, file: "f")
        else {
            return
        }
        try requireEqual(entries, [.init(path: line, bytes: rest)], "the entry of an archive")
    },
    FuzzTarget("netrc", words: ["machine ", "default ", "login ", "password ", "macdef ", "\"", "\\", "\n\n"]) { input in
        guard let file = try? NetrcFile(parsing: input.text) else { return }
        _ = (file.login(for: "example.com"), file.login(for: "example.com", user: "a"))
    },
    FuzzTarget("cache-entry", words: ["{\"target\":", "\"bodyBytes\":", "\n"]) { input in
        let (line, rest) = input.headed
        // With the digest that belongs to the content, so that the fields behind it are read.
        let content = Array(line.utf8) + [0x0A] + rest
        for bytes in [input.bytes, Array("sortie-cache-1 \(Fingerprint(of: content).hex)\n".utf8) + content] {
            guard let (head, body) = try? StoredResponse.reading(bytes) else { continue }
            _ = head.response(body: body)
            let again = try StoredResponse.reading(head.bytes(body: BodyBytes(body)))
            try requireEqual(again.body, body, "the body of the written entry")
            try require(head.date.timeIntervalSince1970.isFinite, "the date \(head.date)")
        }
    },
    FuzzTarget("state-file", words: ["{\"transfers\":", "\"endpoint\":{\"target\":", "\"text\":\"path: /\\n\"", "\"records\":[", "1e300", "-1"]) {
        input in
        func values<Record: StateRecord>(_: Record.Type) {
            guard let content = try? StoredJSON.decoder.decode(StateFileContent<Record>.self, from: Data(input.bytes)) else { return }
            for part in content.records {
                var problems: [String] = []
                _ = part.value?.value(&problems)
            }
        }
        values(StoredCookie.self)
        values(StoredTransfer.self)
        values(StoredParkedRequest.self)
        values(StoredDraft.self)
        if let left = LeftDownload(input.bytes) { try requireEqual(LeftDownload(left.bytes), left, "the download of its bytes") }
    },
    FuzzTarget("history-row", words: ["{\"url\":", "\"method\":\"GET\"", "\"headers\":[[\"", "\"timing\":", "1e300", "null"]) { input in
        let data = Data(input.bytes)
        if let request = try? StoredJSON.decoder.decode(StoredRequest.self, from: data) { _ = try StoredJSON.encoder.encode(request) }
        if let attempt = try? StoredJSON.decoder.decode(StoredAttempt.self, from: data) { _ = try StoredJSON.encoder.encode(attempt) }
        if let error = try? StoredJSON.decoder.decode(StoredError.self, from: data) { _ = try StoredJSON.encoder.encode(error) }
        if let endpoint = try? StoredJSON.decoder.decode(StoredEndpoint.self, from: data) {
            var problems: [String] = []
            guard let read = endpoint.endpoint(&problems), problems.isEmpty else { return }
            var again: [String] = []
            try requireEqual(StoredEndpoint(read).endpoint(&again)?.query, read.query, "the query of the stored endpoint")
        }
    },
]

/// A manifest with the checksum that belongs to its other members; nil for bytes that are no object.
private func signed(_ bytes: [UInt8]) -> [UInt8]? {
    guard case .object(let members)? = try? JSONValue(parsing: bytes) else { return nil }
    let others = members.filter { $0.key != "crc32" }
    let checksum = HexDigits.text(of: Checksum.crc32(JSONValue.object(others).text.utf8), digits: 8)
    return Array(JSONValue.object(others + [.init("crc32", .string(checksum))]).text.utf8)
}
