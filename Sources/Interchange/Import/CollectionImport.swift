package import SortieBase
internal import SortieHTTP
package import WorkspaceModel

/// What the requests of a collection have in common while they are imported: identities, the report, and variables that stand for values of the tool.
struct CollectionImport {
    /// The file of the source, for places.
    let file: String
    /// What was imported, changed and omitted.
    var report = ImportReport()
    /// The variables of the result.
    var variables: [String: String] = [:]
    /// The scripts of folders that are reported.
    private var reportedScripts: Set<String> = []
    /// The fields and the credentials of the service, which its requests send as well.
    var service: (headers: [Parameter], auth: Auth) = ([], .none)
    /// The lines about variables that scripts set, in order, until a request uses them.
    private var unusedVariables: [(name: String, entry: ImportReport.Entry)] = []
    /// The variables that requests or scripts use.
    private var usedVariables: Set<String> = []
    private var ids: [String: Int] = [:]

    /// - Parameter previous: the import of another file whose identities are taken; nil for the first one.
    init(file: String, following previous: CollectionImport? = nil) {
        self.file = file
        ids = previous?.ids ?? [:]
    }

    /// An identity that no other item has; the second item with the same text gets a number.
    mutating func identity(_ text: String) -> String { ids.numbered(text) }

    mutating func note(_ outcome: ImportReport.Outcome, _ item: String, _ reason: ImportReason, _ node: SourceNode?, id: String? = nil) {
        report.add(outcome, item, reason, place: node?.place(in: file), id: id)
    }

    /// Translates the scripts of a request; those of folders are reported with the first request that they belong to.
    ///
    /// - Returns: The comments of the file, and the scripts that are not translated completely.
    mutating func translate(
        _ scripts: [TestScript], into endpoint: inout Endpoint, nextRequest: String? = nil, id: String
    ) -> (comments: [String], scripts: [ImportedScript]) {
        let inherited = service.headers.texts + (endpoint.auth == .inherit ? service.auth.texts : [])
        let translation = TestScript.translate(scripts, into: &endpoint, inherited: inherited, nextRequest: nextRequest)
        usedVariables.formUnion(translation.used)
        for (script, rest) in zip(scripts, translation.rests) {
            for name in rest.unused.sorted() where !unusedVariables.contains(where: { $0.name == name }) {
                let reason = "the script (\(script.kind)) sets \(name), which no request uses; it is left out"
                unusedVariables.append((name, .init(.omitted, script.owner ?? endpoint.name, reason, place: script.place(0))))
            }
        }
        var comments: [String] = []
        for (script, rest) in zip(scripts, translation.rests) {
            if let owner = script.owner, !reportedScripts.insert("\(owner) \(script.kind)").inserted { continue }
            report.entries += rest.entries(of: endpoint.name, id: id)
            if let comment = rest.comment { comments.append(comment) }
        }
        let before = translation.preparation.map { [ImportedScript.beforeRequest($0)] } ?? []
        return (comments, before + translation.rests.compactMap(\.script).map { .afterResponse($0) })
    }

    /// Reports the variables that scripts set and no request uses.
    mutating func reportUnusedVariables() {
        report.entries += unusedVariables.filter { !usedVariables.contains($0.name) }.map(\.entry)
        unusedVariables = []
    }

    /// Adds a variable; returns false where it has another value already.
    mutating func add(variable name: String, _ value: String) -> Bool {
        if let known = variables[name] { return known == value }
        variables[name] = value
        return true
    }
}

extension [String: Int] {
    /// Counts an identity; returns it with its number where it is not the first one.
    mutating func numbered(_ id: String) -> String {
        let count = self[id, default: 0] + 1
        self[id] = count
        return count == 1 ? id : "\(id) \(count)"
    }
}

/// A format of another tool that can be imported.
package protocol ImportFormat: Sendable {
    /// The name for `--format`.
    static var name: String { get }

    /// The description in the help and in messages, such as `curl command lines`.
    static var title: String { get }

    /// The endings of file names, in lower case, that only this format has; they decide before the content.
    static var endings: [String] { get }

    /// Whether files of the format can be used in place, without an import.
    static var worksInPlace: Bool { get }

    /// Whether the content is in this format, as far as a short look shows.
    ///
    /// A damaged file of the format counts, so that its importer can report the place of the damage.
    static func recognizes(_ source: ImportSource) -> Bool

    /// Reads the source.
    ///
    /// - Throws: A diagnostic with the place where the source is malformed; nothing is imported then.
    static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace

    /// The text of a file that is used in place with a change of the request whose line has a number; all other bytes stay.
    ///
    /// The caller reads the result and compares it with the edited request, because a format does not have everything that an endpoint has.
    ///
    /// - Returns: nil where requests of the format are not changed in place.
    static func text(_ text: String, changing line: Int, from original: Endpoint, to edited: Endpoint) -> String?

    /// The same for a file in YAML: the value that its document gets; the caller writes what differs into the text.
    static func document(_ root: SourceNode, changing line: Int, from original: Endpoint, to edited: Endpoint) -> JSONValue?

    /// The endings of files with variables at the top of a folder that the format reads, too.
    static var variableEndings: [String] { get }
}

extension ImportFormat {
    /// No endings: the content decides.
    package static var endings: [String] { [] }

    package static var variableEndings: [String] { [] }

    package static var worksInPlace: Bool { false }

    package static func text(_ text: String, changing line: Int, from original: Endpoint, to edited: Endpoint) -> String? { nil }

    package static func document(_ root: SourceNode, changing line: Int, from original: Endpoint, to edited: Endpoint) -> JSONValue? { nil }
}
