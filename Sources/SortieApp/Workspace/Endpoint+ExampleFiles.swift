internal import Foundation
internal import SortieBase
internal import SortieStorage
internal import WorkspaceModel

extension Endpoint {
    /// The maximum size in bytes of the file of an example.
    private static let largestExample = 64 << 20

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
        do throws(WorkspaceError) {
            return Data(try WorkspaceFile.bytes(at: place, limit: Self.largestExample, advice: "name a smaller file"))
        } catch {
            throw Diagnostic(SourceLocation(file: path), "the file of the example \(example.name) cannot be read: \(error.message)")
        }
    }

    /// The endpoint with the texts of the files of its examples, for exports.
    ///
    /// - Parameter unread: Gets why files were not read; their examples have no body.
    func withExampleFiles(in folder: String, _ unread: inout [String]) -> Endpoint {
        var result = self
        for index in examples.indices {
            guard case .file(let path, _) = examples[index].response.body else { continue }
            do throws(Diagnostic) {
                if let text = String(validating: try body(of: examples[index], in: folder), as: UTF8.self) {
                    result.examples[index] = examples[index].loaded(text)
                } else {
                    unread.append("\(target): the file \(path) of the example \(examples[index].name) is not text")
                }
            } catch { unread.append("\(target): \(error.message)") }
        }
        return result
    }
}
