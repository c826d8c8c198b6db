internal import SortieBase
internal import SortieHTTP

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
    /// The names of the documents that have some.
    private var names: [String: OpenAPINames] = [:]
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
                let value = OpenAPIValue(try source.document(bytes, file: file))
                if OpenAPINames.areIn(bytes) { names[file] = OpenAPINames(value, location: location(of: file)) }
                result = value
            } catch {
                if isReference { problems[file] = error } else if failure == nil { failure = error }
            }
        }
        files[file] = .some(result)
        return result
    }

    /// The path of a file, or the URL of a document that was fetched.
    private func location(of file: String) -> String {
        source.url.map { SchemaIdentifier.resolved(file == source.name ? "" : file, against: $0.description) } ?? file
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
        var (current, entered): (OpenAPIValue, OpenAPIValue?) = (value, nil)
        var seen: Set<OpenAPIValue.Identity> = []
        repeat {
            guard let reference = current.reference, seen.insert(OpenAPIValue.Identity(current)).inserted,
                let next = target(of: reference, in: current)
            else { return nil }
            current = next
            // The dynamic anchors of a resource on the way apply.
            if entered == nil, !dynamicAnchors(around: current).isEmpty { entered = current }
        } while current.reference != nil && current.node.members?.count == 1
        return entered ?? current
    }

    /// The value to which a reference leads directly, or why there is none.
    func targetOrProblem(of reference: String, in value: OpenAPIValue) -> Result<OpenAPIValue, Diagnostic> {
        let found = find(reference, from: value)
        return found.value.map { .success($0) } ?? .failure(Diagnostic(value.place, found.problem ?? "it leads to itself"))
    }

    /// Identifies what a reference leads to.
    func key(of reference: String, in value: OpenAPIValue) -> String {
        let base = names[value.file].map { $0.base(of: value) } ?? value.file
        return "\(value.file)\n\(base)\n\(reference)"
    }

    private func target(of reference: String, in value: OpenAPIValue) -> OpenAPIValue? {
        let key = key(of: reference, in: value)
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
        if let resource = resource(path, from: value) { return place(fragment, in: resource.value, base: resource.base) }
        var file = value.file
        if let known = fileInResource(path, from: value) {
            file = known
        } else if SchemaIdentifier.isURL(path) || path.hasPrefix("/") && source.url != nil {
            guard let known = source.path(ofReference: path) else {
                let problem = source.url == nil ? "nothing is fetched" : "documents of other origins are not fetched"
                return (nil, "\(problem); save the document in the folder of the description and change the reference")
            }
            file = known
        } else if !path.isEmpty {
            file = FilePath.normalized(FilePath.joining(FilePath.folder(of: value.file), PercentEncoding.decode(path)))
        }
        guard let root = root(of: file, isReference: true) else { return (nil, problem(ofFile: file)) }
        return place(fragment, in: root, base: names[file].map { $0.base(of: root) } ?? file)
    }

    private func problem(ofFile file: String) -> String {
        if let problem = problems[file] { return "the file cannot be read: \(problem)" }
        return source.reasonForMissing(file)
    }

    /// The schema whose `$id` a reference without its fragment names, in the document or in the first one; nil where there is none.
    private func resource(_ path: String, from value: OpenAPIValue) -> OpenAPINames.Resource? {
        guard !names.isEmpty else { return nil }
        let uri = SchemaIdentifier.resolved(path, against: names[value.file].map { $0.base(of: value) } ?? location(of: value.file))
        return names[value.file]?.resource(uri) ?? names[source.name]?.resource(uri)
    }

    /// The file to which a reference leads from a schema with an `$id`; nil where it leads to none, so that the place of the file counts.
    private func fileInResource(_ path: String, from value: OpenAPIValue) -> String? {
        guard !path.isEmpty, let names = names[value.file], names.isInResource(value) else { return nil }
        let uri = SchemaIdentifier.resolved(path, against: names.base(of: value))
        let file = source.path(ofReference: uri) ?? FilePath.normalized(PercentEncoding.decode(uri))
        return root(of: file, isReference: true) == nil ? nil : file
    }

    /// The value at a fragment.
    private func place(_ fragment: String, in root: OpenAPIValue, base: String) -> (value: OpenAPIValue?, problem: String?) {
        guard !fragment.isEmpty else { return (root, nil) }
        guard fragment.hasPrefix("/") else {
            if let known = names[root.file]?.schema(ofAnchor: fragment, in: base) { return (known, nil) }
            return (nil, "\(root.file) has no $anchor \(fragment); write a path, such as #/components/schemas/NAME")
        }
        if let found = member(at: fragment, of: root) { return (found, nil) }
        // In a schema with an `$id`, descriptions write paths of the document.
        if let document = self.root(of: root.file, isReference: true), let found = member(at: fragment, of: document) { return (found, nil) }
        return (nil, "\(root.file) has nothing at #\(fragment)")
    }

    /// The value at a JSON pointer (RFC 6901).
    private func member(at pointer: String, of root: OpenAPIValue) -> OpenAPIValue? {
        var current = root
        for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let name = JSONPointer.unescaped(part)
            if let items = current.node.items, let index = Int(name), items.indices.contains(index) {
                current = OpenAPIValue(items[index])
            } else if let inner = member(name, of: current) {
                current = OpenAPIValue(inner)
            } else if current["$ref"] != nil, let target = resolved(current), let inner = target.node[name] {
                // A path through a reference leads into its target.
                current = OpenAPIValue(inner)
            } else {
                return nil
            }
        }
        return current
    }

    private func member(_ name: String, of value: OpenAPIValue) -> SourceNode? {
        let identity = OpenAPIValue.Identity(value)
        if let known = tables[identity] { return known[name] }
        let table = Dictionary((value.node.members ?? []).map { ($0.name, $0.value) }) { $1 }
        tables[identity] = table
        return table[name]
    }

    // MARK: Dynamic references

    /// Whether a document that was read has a `$dynamicAnchor`.
    var hasDynamicAnchors: Bool { names.values.contains { $0.hasDynamicAnchors } }

    /// The schemas of the dynamic anchors in the resource of a value.
    func dynamicAnchors(around value: OpenAPIValue) -> [String: OpenAPIValue] { names[value.file]?.dynamicAnchors(around: value) ?? [:] }

    /// The schema to which a `$dynamicRef` leads where no resource around it has another one of that name; nil for one that is a `$ref`.
    func dynamicTarget(of value: OpenAPIValue) -> (name: String, schema: OpenAPIValue)? {
        guard let reference = value["$dynamicRef"]?.string, let target = target(of: reference, in: value) else { return nil }
        let name = String(reference.drop { $0 != "#" }.dropFirst())
        guard let anchor = dynamicAnchors(around: target)[name], OpenAPIValue.Identity(anchor) == OpenAPIValue.Identity(target) else { return nil }
        return (name, target)
    }
}
