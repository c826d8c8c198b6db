internal import Foundation
internal import SortieBase
internal import WorkspaceModel

extension Endpoint {
    /// The bytes of the response's body of an example; those of a file are read where links do not lead out of the workspace.
    ///
    /// - Parameter folder: The folder of the workspace.
    /// - Throws: The reason why the file cannot be read.
    func body(of example: EndpointExample, in folder: String) throws(Diagnostic) -> Data {
        guard case .file(let path, _) = example.response.body else { return Data((example.response.body.literal ?? "").utf8) }
        let place = FilePath.joining(fileFolder(in: folder), path)
        guard FilePath.isIn(RealPath.of(folder), RealPath.of(place)) else {
            throw Diagnostic(SourceLocation(file: path), "the file of the example \(example.name) is outside of the workspace")
        }
        do { return try Data(contentsOf: URL(fileURLWithPath: place)) } catch {
            throw Diagnostic(SourceLocation(file: path), "the file of the example \(example.name) cannot be read: \(error.localizedDescription)")
        }
    }

    /// The endpoint with the texts of the files of its examples, for exports.
    ///
    /// - Throws: The reason why a file cannot be read.
    func withExampleFiles(in folder: String) throws(Diagnostic) -> Endpoint {
        var result = self
        for index in examples.indices {
            guard case .file = examples[index].response.body else { continue }
            let text = String(decoding: try body(of: examples[index], in: folder), as: UTF8.self)
            result.examples[index] = examples[index].loaded(text)
        }
        return result
    }
}
