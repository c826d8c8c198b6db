package import SortieBase
package import WorkspaceModel

extension Workspace {
    /// The place of the value to which keys lead from the root of a file; that of the last key which is there.
    ///
    /// The models of a workspace have no places of their values. The file is read again, for the few that have a problem.
    ///
    /// - Parameter file: A place in the file, which is returned where the file cannot be read any more.
    package func location(of keys: [String], in file: SourceLocation) -> SourceLocation {
        guard !keys.isEmpty else { return file }
        var node = root(of: file.file)
        var place = file
        for key in keys {
            guard let value = node?[key] else { break }
            place = SourceLocation(file: file.file, line: value.line, column: value.column)
            node = value
        }
        return place
    }

    /// The programs of the hooks in a file, each with the place of its entry; empty where the file cannot be read any more.
    package func hookPrograms(in file: String) -> [(program: String, place: SourceLocation)] {
        let items = root(of: file)?["hooks"]?.items ?? []
        return items.compactMap { item -> (program: String, place: SourceLocation)? in
            guard let program = item["run"]?.items?.first?.text else { return nil }
            return (program, SourceLocation(file: file, line: item.line, column: item.column))
        }
    }

    /// A problem of a template with the place of that template, where the problem only has that of its file.
    ///
    /// Requests are built of models, which have no places of their texts. A template that the file does not have, such as one in a variable of an
    /// environment, leaves the place as it is.
    package func located(_ problem: Diagnostic) -> Diagnostic {
        let file = problem.location.file
        let first = problem.message.firstRange(of: "nothing defines {{")?.upperBound ?? problem.message.firstRange(of: "{{")?.upperBound
        guard problem.location == SourceLocation(file: file), problem.failure == nil, let first,
            let end = problem.message[first...].firstRange(of: "}}")?.lowerBound, let text = text(of: file)
        else { return problem }
        let name = String(problem.message[first..<end]).trimmingBlanks
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.trimming(\.isWhitespace).hasPrefix("#") {
            guard let place = Self.place(of: name, in: line) else { continue }
            var located = problem
            located.location = SourceLocation(file: file, line: index + 1, column: line.distance(from: line.startIndex, to: place) + 1)
            return located
        }
        return problem
    }

    /// The place of the first template in a line that names a value, or calls a built-in function.
    private static func place(of name: String, in line: Substring) -> String.Index? {
        var rest = line
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            let content = String(rest[start.upperBound..<end.lowerBound])
            if [content, String(content.prefix { $0 != "|" })].contains(where: { $0.trimmingBlanks == name }) { return start.lowerBound }
            rest = rest[end.upperBound...]
        }
        return nil
    }

    private func text(of file: String) -> String? {
        do { return String(decoding: try WorkspaceFile.bytes(at: FilePath.joining(folder, file)), as: UTF8.self) } catch { return nil }
    }

    private func root(of file: String) -> YAMLNode? {
        do { return try YAMLDocument(bytes: WorkspaceFile.bytes(at: FilePath.joining(folder, file)), file: file).root } catch { return nil }
    }
}
