internal import SortieBase

/// The schemas of a document that `$id`, `$anchor` and `$dynamicAnchor` name.
///
/// An `$id` begins a resource: references and anchors in it are relative to the `$id` (JSON Schema 2020-12, 8.2).
struct OpenAPINames {
    /// A schema with the resource in which its fragments are found.
    struct Resource {
        let value: OpenAPIValue
        /// The URI, or a path for a document that is a file.
        let base: String
    }

    /// The URI of the document, or its path.
    private let base: String
    private var resources: [String: OpenAPIValue] = [:]
    /// The bases of the values in resources of the document.
    private var bases: [OpenAPIValue.Identity: String] = [:]
    private var anchors: [String: [String: OpenAPIValue]] = [:]
    private var dynamicAnchors: [String: [String: OpenAPIValue]] = [:]

    /// Whether a document has a name; a document without one needs no table.
    static func areIn(_ bytes: [UInt8]) -> Bool {
        ["$id", "$anchor", "$dynamicAnchor", "$self"].contains { bytes.contains(bytes: Array($0.utf8)) }
    }

    /// - Parameter location: The path of the document relative to the folder of the source, or its URL.
    init(_ root: OpenAPIValue, location: String) {
        base = SchemaIdentifier.resolved(root["$self"]?.string ?? "", against: location)
        resources[base] = root
        var pending: [(value: OpenAPIValue, base: String, isMap: Bool)] = [(root, base, false)]
        while let (value, outer, isMap) = pending.popLast() {
            var base = outer
            if !isMap { name(value, &base) }
            if base != self.base { bases[OpenAPIValue.Identity(value)] = base }
            pending += value.items.map { ($0, base, false) }
            for member in value.members where isMap || !OpenAPIMembers.data.contains(member.name) {
                if !isMap, member.name == OpenAPIBundle.member, value.place == root.place {
                    addFiles(member.value, &pending)
                } else {
                    pending.append((member.value, base, !isMap && OpenAPIMembers.maps.contains(member.name)))
                }
            }
        }
    }

    /// Adds the documents of a bundle, whose references are relative to their own paths.
    private mutating func addFiles(_ files: OpenAPIValue, _ pending: inout [(value: OpenAPIValue, base: String, isMap: Bool)]) {
        for file in files.members {
            let base = SchemaIdentifier.resolved(PercentEncoding.encode(file.name, allowed: .path), against: self.base)
            resources[base] = file.value
            pending.append((file.value, base, false))
        }
    }

    private mutating func name(_ value: OpenAPIValue, _ base: inout String) {
        if let id = value["$id"]?.string {
            if id.hasPrefix("#") {
                anchors[base, default: [:]][String(id.dropFirst())] = value
            } else {
                base = SchemaIdentifier.resolved(id, against: base)
                resources[base] = value
            }
        }
        if let name = value["$anchor"]?.string { anchors[base, default: [:]][name] = value }
        if let name = value["$dynamicAnchor"]?.string {
            anchors[base, default: [:]][name] = value
            dynamicAnchors[base, default: [:]][name] = value
        }
    }

    /// Whether a `$dynamicRef` can lead to another place than a `$ref` would.
    var hasDynamicAnchors: Bool { !dynamicAnchors.isEmpty }

    /// The URI to which the references of a value are relative.
    func base(of value: OpenAPIValue) -> String { bases[OpenAPIValue.Identity(value)] ?? base }

    /// Whether references of a value are relative to an `$id`.
    func isInResource(_ value: OpenAPIValue) -> Bool { bases[OpenAPIValue.Identity(value)] != nil }

    /// The schema with an `$id`, or the document itself.
    func resource(_ uri: String) -> Resource? { resources[uri].map { Resource(value: $0, base: uri) } }

    /// The schema of an anchor in a resource, else in another one of the document: a bundle has made one document of several.
    func schema(ofAnchor name: String, in base: String) -> OpenAPIValue? {
        anchors[base]?[name] ?? anchors.sorted { $0.key < $1.key }.lazy.compactMap { $0.value[name] }.first
    }

    /// The schemas of the dynamic anchors in the resource of a value.
    func dynamicAnchors(around value: OpenAPIValue) -> [String: OpenAPIValue] { dynamicAnchors[base(of: value)] ?? [:] }
}
