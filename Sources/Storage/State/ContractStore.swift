package import Foundation
internal import SortieBase

/// Stores the descriptions that `contract:` names by URL, so that exchanges are compared without a request.
///
/// There is one file for each URL in `$XDG_CACHE_HOME/sortie/contracts/WORKSPACE`, private to the user: a line of JSON with the validators, then the document as
/// it was received.
package struct ContractStore: Sendable {
    /// A description as it was fetched.
    package struct Document: Hashable, Sendable {
        package var bytes: [UInt8]
        /// The `ETag` of the response.
        package var entityTag: String?
        /// The `Last-Modified` of the response.
        package var lastModified: String?
        /// The time at which the server sent the document, or confirmed that it is current.
        package var fetchedAt: Date

        /// Creates a document.
        package init(bytes: [UInt8], entityTag: String?, lastModified: String?, fetchedAt: Date) {
            (self.bytes, self.entityTag, self.lastModified, self.fetchedAt) = (bytes, entityTag, lastModified, fetchedAt)
        }
    }

    /// The largest document in bytes.
    package static let limit = WorkspaceFile.largestSource
    /// The largest first line in bytes, which has two header fields.
    private static let longestLine = 1 << 20

    private let folder: String

    /// Creates the store of the workspace in `folder`; nothing is read yet.
    package init(workspace folder: String, cacheFolder: String) {
        self.folder = StateFolder.path(in: "\(cacheFolder)/sortie/contracts", of: folder)
    }

    /// The path of the file of a URL.
    package func path(of url: String) -> String { "\(folder)/\(StateFolder.name(of: url))" }

    /// The stored document of a URL; nil where there is none.
    ///
    /// - Throws: A ``WorkspaceError`` for a file that cannot be read, or that other users could have written.
    package func document(at url: String) throws(WorkspaceError) -> Document? {
        let path = path(of: url)
        try StateFolder.checkFile(path)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        try StateFolder.check(folder)
        let bytes = try WorkspaceFile.bytes(at: path, limit: Self.limit + Self.longestLine)
        let line = bytes.prefix { $0 != 0x0A }
        let value: JSONValue
        do { value = try JSONValue(parsing: line) } catch { throw Self.damaged(path) }
        guard case .number(let number)? = value["fetchedAt"], let seconds = Double(number), seconds.isFinite else { throw Self.damaged(path) }
        return Document(
            bytes: Array(bytes.dropFirst(line.count + 1)), entityTag: value.text("etag"), lastModified: value.text("lastModified"),
            fetchedAt: Date(timeIntervalSince1970: seconds))
    }

    private static func damaged(_ path: String) -> WorkspaceError {
        WorkspaceError(.unreadable, file: path, "the stored description is damaged", remedy: .fetchedDescription)
    }

    /// Stores a document in place of the stored one.
    ///
    /// - Throws: A ``WorkspaceError`` where the file cannot be written.
    package func keep(_ document: Document, at url: String) throws(WorkspaceError) {
        let path = path(of: url)
        let line: JSONValue = [
            "url": .string(url), "etag": .optional(document.entityTag), "lastModified": .optional(document.lastModified),
            "fetchedAt": .integer(Int64(document.fetchedAt.timeIntervalSince1970)),
        ]
        try StateFolder.make(folder)
        try StateFolder.checkFile(path)
        try AtomicFile.write(Array((line.compactText + "\n").utf8) + document.bytes, to: path, mode: 0o600)
    }
}
