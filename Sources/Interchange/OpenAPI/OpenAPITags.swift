internal import SortieBase

/// Puts endpoints into folders for their tags.
struct OpenAPITags {
    /// The content of a folder.
    private struct Folder {
        private var folders: [(name: String, content: Folder)] = []
        /// The index of a folder by its name, because a description may have a tag for each operation.
        private var indices: [String: Int] = [:]
        private var endpoints: [ImportedItem] = []

        mutating func add(_ endpoint: ImportedEndpoint, at path: ArraySlice<String>) {
            guard let first = path.first else { return endpoints.append(.endpoint(endpoint)) }
            let index = indices[first] ?? folders.count
            if index == folders.count {
                indices[first] = index
                folders.append((first, Folder()))
            }
            folders[index].content.add(endpoint, at: path.dropFirst())
        }

        var items: [ImportedItem] {
            folders.map { .folder(name: $0.name, $0.content.items) } + endpoints
        }
    }

    /// How deep tags nest at most.
    private static let maximumDepth = 6

    private let parents: [String: String]
    private var root = Folder()

    /// - Parameter tags: The declared tags.
    init(_ tags: OpenAPIValue?) {
        let pairs = (tags?.items ?? []).compactMap { tag in tag["name"]?.text.map { ($0, tag["parent"]?.text) } }
        parents = Dictionary(pairs.compactMap { name, parent in parent.map { (name, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    /// The folders for a tag: those of its parents (OpenAPI 3.2), then its own.
    private func path(of tag: String) -> [String] {
        var path = [tag]
        while path.count < Self.maximumDepth, let first = path.first, let parent = parents[first], !path.contains(parent) {
            path.insert(parent, at: 0)
        }
        return path
    }

    mutating func add(_ endpoint: ImportedEndpoint, tag: String?) {
        root.add(endpoint, at: (tag.map(path) ?? [])[...])
    }

    var items: [ImportedItem] { root.items }
}
