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

    /// A problem of a request with the place of its template, or else of the value with it, where the problem only has that of its file.
    ///
    /// Requests are built of models, which have no places of their texts. A template that the file does not have, such as one in a variable of an
    /// environment, has the place of the text that uses it.
    package func located(_ problem: Diagnostic) -> Diagnostic {
        let file = SourceLocation(file: problem.location.file)
        guard problem.location == file, problem.failure == nil, let text = text(of: file.file) else { return problem }
        let start = location(of: problem.keys, in: file)
        var located = problem
        located.location = problem.template.flatMap { Self.place(of: $0, in: text, from: start) } ?? start
        return located
    }

    private static func place(of name: String, in text: String, from start: SourceLocation) -> SourceLocation? {
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where index + 1 >= start.line && !line.trimming(\.isWhitespace).hasPrefix("#") {
            guard let place = place(of: name, in: line) else { continue }
            return SourceLocation(file: start.file, line: index + 1, column: line.distance(from: line.startIndex, to: place) + 1)
        }
        return nil
    }

    /// The place of the first template in a line that names a value, or calls a built-in function.
    private static func place(of name: String, in line: Substring) -> String.Index? {
        var rest = line
        while let start = Template.opening(in: rest), let end = rest[start.upperBound...].firstRange(of: "}}") {
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
