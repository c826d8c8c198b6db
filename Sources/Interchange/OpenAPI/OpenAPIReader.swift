internal import SortieBase

/// Reads the files of a description, follows its references, and collects the report.
///
/// A reference is resolved once, and the names on the ways of references are found in a table, because finding a member of an object takes time in
/// proportion to its size.
final class OpenAPIReader {
    let source: ImportSource
    private(set) var report = ImportReport()
    /// The first error; nothing is imported then.
    private(set) var failure: Diagnostic?
    /// Why the files of references cannot be read.
    private var problems: [String: Diagnostic] = [:]
    private var files: [String: OpenAPIValue?] = [:]
    private var targets: [String: OpenAPIValue?] = [:]
    /// The members of the objects through which references lead.
    private var tables: [OpenAPIValue.Identity: [String: SourceNode]] = [:]
    private var anchors: [String: [String: OpenAPIValue]] = [:]
    private var reported: Set<String> = []

    init(source: ImportSource) {
        self.source = source
    }

    // MARK: Report

    /// Records an error, after which nothing is imported.
    func fail(_ message: String, at value: OpenAPIValue) { fail(Diagnostic(value.place, message)) }

    /// Records an error, after which nothing is imported.
    func fail(_ problem: Diagnostic) {
        if failure == nil { failure = problem }
    }

    func add(_ outcome: ImportReport.Outcome, _ item: String, _ reason: String = "", at value: OpenAPIValue, id: String? = nil) {
        report.add(outcome, item, reason, place: value.place, id: id)
    }

    func add(_ outcome: ImportReport.Outcome, _ item: String, _ problem: Diagnostic) {
        report.add(outcome, item, problem.message, place: problem.location)
    }

    func report(changed item: String, _ reason: String, id: String) { report.add(.changed, item, reason, id: id) }

    /// Adds an entry unless there is one with this key.
    func addOnce(_ outcome: ImportReport.Outcome, _ item: String, _ reason: String, at value: OpenAPIValue, key: String) {
        if reported.insert(key).inserted { add(outcome, item, reason, at: value) }
    }

    // MARK: Files

    /// The root of a file; nil where it does not exist or is malformed, which is an error unless a reference leads to it.
    func root(of file: String, bytes: [UInt8]? = nil, isReference: Bool = false) -> OpenAPIValue? {
        if let known = files[file] { return known }
        var result: OpenAPIValue?
        if let bytes = bytes ?? source.file(file) {
            do throws(Diagnostic) {
                result = OpenAPIValue(try source.document(bytes, file: file))
            } catch {
                if isReference { problems[file] = error } else if failure == nil { failure = error }
            }
        }
        files[file] = .some(result)
        return result
    }

    // MARK: References

    /// The value that a chain of references leads to; the value itself where it is no reference, nil, with an entry of the report, where the chain has
    /// no end.
    func resolved(_ value: OpenAPIValue) -> OpenAPIValue? {
        guard var reference = value["$ref"]?.string else { return value }
        var current = value
        var seen: Set<OpenAPIValue.Identity> = []
        while true {
            guard seen.insert(OpenAPIValue.Identity(current)).inserted else {
                addOnce(.omitted, reference, "the reference leads to itself", at: current, key: "\(current.file)\n\(reference)")
                return nil
            }
            guard let target = target(of: reference, in: current) else { return nil }
            current = target
            guard let next = current["$ref"]?.string else { return current }
            reference = next
        }
    }

    /// The schema to which references lead: the first one without a reference, or with keywords beside it, which apply as well (OpenAPI 3.1).
    func target(ofSchema value: OpenAPIValue) -> OpenAPIValue? {
        var current = value
        var seen: Set<OpenAPIValue.Identity> = []
        repeat {
            guard let reference = current.reference, seen.insert(OpenAPIValue.Identity(current)).inserted,
                let next = target(of: reference, in: current)
            else { return nil }
            current = next
        } while current.reference != nil && current.node.members?.count == 1
        return current
    }

    /// The value to which a reference leads directly, or why there is none.
    func targetOrProblem(of value: OpenAPIValue) -> Result<OpenAPIValue, Diagnostic> {
        let found = find(value["$ref"]?.string ?? "", from: value)
        return found.value.map { .success($0) } ?? .failure(Diagnostic(value.place, found.problem ?? "it leads to itself"))
    }

    private func target(of reference: String, in value: OpenAPIValue) -> OpenAPIValue? {
        let key = "\(value.file)\n\(reference)"
        if let known = targets[key] { return known }
        // A path through a reference to itself ends here.
        targets[key] = .some(nil)
        let result = find(reference, from: value)
        targets[key] = .some(result.value)
        if let problem = result.problem { addOnce(.omitted, reference, problem, at: value, key: key) }
        return result.value
    }

    private func find(_ reference: String, from value: OpenAPIValue) -> (value: OpenAPIValue?, problem: String?) {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts.first.map(String.init) ?? ""
        let fragment = parts.count > 1 ? PercentEncoding.decode(parts[1]) : ""
        var file = value.file
        if path.hasPrefix("//") || path.prefix(while: { $0 != "/" && $0 != "." }).contains(":") || path.hasPrefix("/") && source.url != nil {
            guard let known = source.path(ofReference: path) else {
                let problem = source.url == nil ? "nothing is fetched" : "documents of other origins are not fetched"
                return (nil, "\(problem); save the document in the folder of the description and change the reference")
            }
            file = known
        } else if !path.isEmpty {
            file = FilePath.normalized(FilePath.joining(FilePath.folder(of: value.file), PercentEncoding.decode(path)))
        }
        guard var current = root(of: file, isReference: true) else {
            if let problem = problems[file] { return (nil, "the file cannot be read: \(problem)") }
            if source.url != nil { return (nil, "the document was not fetched; sortie contract update fetches it") }
            let problem =
                source.readsParents
                ? "there is no such file in the workspace"
                : file.hasPrefix("..") || FilePath.isAbsolute(file)
                    ? "the file is outside the folder of the source; import the folder that contains both"
                    : "there is no such file in the folder of the source"
            return (nil, problem)
        }
        guard !fragment.isEmpty else { return (current, nil) }
        guard fragment.hasPrefix("/") else {
            if let known = schemas(withAnchorsIn: current)[fragment] { return (known, nil) }
            return (nil, "\(file) has no $anchor \(fragment); write a path, such as #/components/schemas/NAME")
        }
        for part in fragment.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let name = JSONPointer.unescaped(part)
            if let items = current.node.items, let index = Int(name), items.indices.contains(index) {
                current = OpenAPIValue(items[index])
            } else if let inner = member(name, of: current) {
                current = OpenAPIValue(inner)
            } else if current["$ref"] != nil, let target = resolved(current), let inner = target.node[name] {
                // A path through a reference leads into its target.
                current = OpenAPIValue(inner)
            } else {
                return (nil, "\(file) has nothing at #\(fragment)")
            }
        }
        return (current, nil)
    }

    /// The schemas of a document by `$anchor` and `$dynamicAnchor`.
    private func schemas(withAnchorsIn root: OpenAPIValue) -> [String: OpenAPIValue] {
        if let known = anchors[root.file] { return known }
        var (found, pending): ([String: OpenAPIValue], [OpenAPIValue]) = ([:], [root])
        while let value = pending.popLast() {
            for name in ["$anchor", "$dynamicAnchor"] { if let anchor = value[name]?.string { found[anchor] = value } }
            pending += value.items + value.members.map(\.value)
        }
        anchors[root.file] = found
        return found
    }

    private func member(_ name: String, of value: OpenAPIValue) -> SourceNode? {
        let identity = OpenAPIValue.Identity(value)
        if let known = tables[identity] { return known[name] }
        let table = Dictionary((value.node.members ?? []).map { ($0.name, $0.value) }) { $1 }
        tables[identity] = table
        return table[name]
    }
}
