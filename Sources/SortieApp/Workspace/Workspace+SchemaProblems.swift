internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

extension Workspace {
    /// The problems of the JSON Schema files of the workspace that its expectations name; files outside of it are not read.
    var schemaProblems: [Diagnostic] {
        let ofEndpoints = endpoints.map { ($0.expectation?.schema, $0.location, ["expect", "schema"]) }
        // The location of a step is its line.
        let ofSteps = runs.flatMap(\.steps).map { ($0.expectation?.schema, $0.location, [String]()) }
        var scope = TemplateScope(layers: [])
        scope.fileText = { [folder] path throws(TemplateError) in try CheckFile.text(at: FilePath.joining(folder, path)) }
        return (ofEndpoints + ofSteps).flatMap { schema, location, keys -> [Diagnostic] in
            guard case .file(let path)? = schema, let location else { return [] }
            guard leadsInside(FilePath.joining(folder, FilePath.joining(FilePath.folder(of: location.file), path))) else { return [] }
            var expectation = Expectation()
            expectation.schema = schema
            return expectation.resolved(in: scope, file: location.file).problems.map { problem in
                let place = self.location(of: keys, in: location)
                return Diagnostic(place, "expect: schema: \(problem.actual)")
            }
        }
    }
}
