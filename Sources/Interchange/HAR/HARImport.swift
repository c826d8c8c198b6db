package import SortieBase

/// Imports the requests of HTTP Archive 1.2 (`http://www.softwareishard.com/blog/har-12-spec/`), and single requests or entries of one.
///
/// Responses are passed and not kept, so that the memory does not depend on their size.
package enum HARImport: ImportFormat {
    package static let name = "har"
    package static let title = "HTTP Archive 1.2"
    package static let endings = [".har"]

    /// Members that no request needs, at any depth.
    private static let skipped: Set<String> = [
        "response", "cache", "timings", "pages", "pageTimings", "browser", "_initiator", "_securityDetails", "jsonObj",
        "paramsObj",
    ]

    package static func recognizes(_ source: ImportSource) -> Bool {
        guard source.paths == nil else { return false }
        let names = JSONOutline.names(in: source.bytes.prefix(1 << 16))
        let isRequest = names.contains("method") && names.contains("url") && !names.contains("_type") && !names.contains("item")
        let isEntry = names.contains("request.url") && (names.contains("startedDateTime") || names.contains("response") || names.contains("timings"))
        let isLog = names.contains("log.entries") || names.contains("log.version") || names.contains("log.creator") || names.contains("log.pages")
        return isLog || isEntry || isRequest
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        let root = try SourceJSON.node(parsing: source.bytes, file: source.name, skipping: skipped, pieces: source.pieces)
        var collector = HARCollector(file: source.name)
        if let log = root["log"] {
            guard let entries = log["entries"] else { throw Diagnostic(log.place(in: source.name), "the log has no list “entries”") }
            guard let items = entries.items else { throw Diagnostic(entries.place(in: source.name), "“entries” must be a list") }
            for entry in items { collector.add(entry["request"], entry: entry) }
        } else if let request = root["request"], request.members != nil {
            collector.add(request, entry: root)
        } else if root["url"] != nil {
            collector.add(root, entry: root)
        } else {
            throw Diagnostic(root.place(in: source.name), "this is no HTTP Archive: it has no “log” with “entries”, and no request with a “url”")
        }
        return try collector.workspace(named: source.stem)
    }
}
