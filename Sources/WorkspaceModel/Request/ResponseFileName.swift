internal import SortieBase
package import SortieHTTP

/// The name of a downloaded file with values of its response, such as `report-{{response.header.X-Version}}.pdf`.
package struct ResponseFileName: Hashable, Sendable {
    /// The folder of the file, with `/` at its end.
    package let folder: String
    private let name: Template

    private static let prefix = "response."
    private static let headerPrefix = "response.header."

    /// Creates a name from a path whose last component contains values of the response; nil for any other path.
    package init?(path: String) {
        let name = Template(FilePath.name(of: path))
        guard !FilePath.namesFolder(path), name.segments.contains(where: Self.isReference) else { return nil }
        self.name = name
        let folder = FilePath.folder(of: path)
        self.folder = folder == "/" ? folder : folder + "/"
    }

    /// Whether a segment of a template is a value of the response.
    package static func isReference(_ segment: Template.Segment) -> Bool {
        if case .variable(let name, _) = segment { name.hasPrefix(prefix) } else { false }
    }

    /// Why a destination cannot be used; nil for one that uses no value of the response, or known ones in the name of the file.
    package static func problem(in path: String) -> String? {
        let references = Template(path).segments.filter(isReference)
        guard !references.isEmpty else { return nil }
        for case .variable(let name, _) in references where !isKnown(name) {
            return "{{\(name)}} is none of {{response.name}}, {{response.status}} and {{response.header.NAME}}"
        }
        guard let file = ResponseFileName(path: path), file.name.segments.count(where: isReference) == references.count else {
            return "values of the response can be used only in the name of the file, not in that of a folder"
        }
        return nil
    }

    /// The path with a fixed text instead of each value of the response.
    package static func withoutReferences(_ path: String) -> String {
        let segments = Template(path).segments
        guard segments.contains(where: isReference) else { return path }
        return segments.map { isReference($0) ? "response" : $0.description }.joined()
    }

    private static func isKnown(_ name: String) -> Bool {
        name == "response.name" || name == "response.status" || name.hasPrefix(headerPrefix) && name.utf8.count > headerPrefix.utf8.count
    }

    /// The path of the file, from the path that it has otherwise.
    ///
    /// A value never contains a folder, because servers choose it. Where the response lacks a value, the path stays `location`.
    @Sendable package func destination(_ location: String, _ response: Response?) -> String {
        var result = ""
        for segment in name.segments {
            guard Self.isReference(segment), case .variable(let name, _) = segment else {
                result += segment.description
                continue
            }
            guard let value = Self.value(name, location, response), let part = DownloadName.sanitized(value) else { return location }
            result += part
        }
        guard let file = DownloadName.sanitized(result) else { return location }
        return FilePath.joining(FilePath.folder(of: location), file)
    }

    private static func value(_ name: String, _ location: String, _ response: Response?) -> String? {
        switch name {
        case "response.name": FilePath.name(of: location)
        case "response.status": response.map { String($0.status) }
        default: response?.headers[String(name.dropFirst(headerPrefix.count))]
        }
    }
}
