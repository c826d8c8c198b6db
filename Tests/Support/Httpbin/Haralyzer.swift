internal import Foundation

/// haralyzer from PyPI, an independent reader of HAR files.
///
/// `.ci/setup test` installs it below `.build`.
public enum Haralyzer {
    /// An entry as haralyzer reads it.
    public struct Entry: Decodable, Sendable {
        /// The request method.
        public let method: String
        /// The URL.
        public let url: String
        /// The response status code.
        public let status: Int
        /// The total time in milliseconds.
        public let time: Double
        /// The durations of the phases in milliseconds.
        public let timings: [String: Double]
        /// The body of the response; nil when there is none.
        public let text: String?
        /// The encoding of the body's text.
        public let encoding: String?
        /// The media type of the body.
        public let mimeType: String
        /// The header fields of the request.
        public let requestHeaders: [String: String]
        /// The server's address.
        public let address: String?
        /// The start in seconds since 1970.
        public let startedAt: Double
    }

    /// Whether this machine has haralyzer; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { python != nil }

    /// Reads a file.
    ///
    /// - Throws: ``Refusal`` when haralyzer rejects the file.
    public static func entries(of path: String) async throws -> [Entry] {
        guard let python else { throw CocoaError(.fileNoSuchFile) }
        let run = try await ProcessRun.run(python, ["-c", program, path])
        guard run.succeeded else { throw Refusal(words: run.errorOutput) }
        return try JSONDecoder().decode([Entry].self, from: Data(run.outputBytes))
    }

    /// An error of haralyzer.
    public struct Refusal: Error {
        /// The error output.
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
