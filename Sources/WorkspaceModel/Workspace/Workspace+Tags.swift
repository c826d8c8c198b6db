extension Workspace {
    /// The tags of an endpoint: its own, then those of its service.
    package func tags(of endpoint: Endpoint) -> [String] {
        let inherited = service(endpoint.serviceName)?.tags ?? []
        return inherited.isEmpty ? endpoint.tags : endpoint.tags + inherited.filter { !endpoint.tags.contains($0) }
    }

    /// All tags of the workspace, sorted.
    package var tags: [String] { Set(services.flatMap { $0.tags + $0.endpoints.flatMap(\.tags) }).sorted() }
}

extension Endpoint {
    /// Why a text is not a tag; nil for a valid one.
    ///
    /// A tag is one word, because filters separate words by spaces and begin a tag with `#`, and lists separate tags by commas.
    package static func tagProblem(_ tag: String) -> String? {
        if tag.isEmpty { return "a tag is empty" }
        let isWord = !tag.contains { $0.isWhitespace || $0 == "," || $0 == "#" }
        return isWord ? nil : "the tag “\(tag.prefix(40))” must be one word without commas and #; write one such as smoke"
    }
}
