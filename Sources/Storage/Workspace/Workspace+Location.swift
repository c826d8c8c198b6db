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

    private func root(of file: String) -> YAMLNode? {
        do { return try YAMLDocument(bytes: WorkspaceFile.bytes(at: FilePath.joining(folder, file)), file: file).root } catch { return nil }
    }
}
