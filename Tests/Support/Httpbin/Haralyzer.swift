internal import Foundation

/// haralyzer of PyPI, a reader of HAR files that others wrote.
///
/// `.ci/setup test` installs it below `.build`.
public enum Haralyzer {
    /// What it finds in one entry.
    public struct Entry: Decodable, Sendable {
        /// The method.
        public let method: String
        /// The URL.
        public let url: String
        /// The status.
        public let status: Int
        /// The whole time in milliseconds.
        public let time: Double
        /// Its parts in milliseconds.
        public let timings: [String: Double]
        /// The body of the answer; nil where there is none.
        public let text: String?
        /// How that text is encoded.
        public let encoding: String?
        /// The type of that body.
        public let mimeType: String
        /// The fields of the request.
        public let requestHeaders: [String: String]
        /// The address that was connected to.
        public let address: String?
        /// When it began, in seconds since 1970.
        public let startedAt: Double
    }

    /// Whether this machine has it; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { python != nil }

    /// Reads a file; it fails where haralyzer does.
    public static func entries(of path: String) async throws -> [Entry] {
        guard let python else { throw CocoaError(.fileNoSuchFile) }
        let run = try await ProcessRun.run(python, ["-c", program, path])
        guard run.succeeded else { throw Refusal(words: run.errorOutput) }
        return try JSONDecoder().decode([Entry].self, from: Data(run.outputBytes))
    }

    /// haralyzer's own words.
    public struct Refusal: Error {
        /// What it printed.
        public let words: String
    }

    private static let python = OthersPython.path(with: "haralyzer")

    private static let program = """
        import json, sys
        from haralyzer import HarParser, HarPage
        parser = HarParser.from_file(sys.argv[1])
        assert parser.version == "1.2" and parser.creator["name"] == "Sortie", (parser.version, parser.creator)
        found = []
        for entry in HarPage("unknown", har_parser=parser).entries if parser.har_data["entries"] else []:
            content, whole = entry.response.raw_entry["content"], entry.raw_entry
            found.append({
                "method": entry.request.method, "url": entry.request.url, "status": entry.response.status, "time": entry.time,
                "timings": entry.timings, "text": entry.response.text if "text" in content else None, "encoding": content.get("encoding"),
                "mimeType": entry.response.mimeType, "requestHeaders": {h["name"]: h["value"] for h in entry.request.headers},
                "address": entry.serverAddress if "serverIPAddress" in whole else None, "startedAt": entry.startTime.timestamp(),
            })
        print(json.dumps(found))
        """
}
