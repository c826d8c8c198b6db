internal import Foundation
internal import Model

/// What saving needs to know of a single endpoint and its surroundings.
extension WorkspaceFolder {
    /// A file that is to be written beside the endpoint's.
    struct SideFile {
        var path: String
        var bytes: [UInt8]
    }

    /// What an endpoint has from its service and its workspace.
    struct Inherited {
        var timeouts: Timeouts
        var parameters: ParameterStyle
    }

    /// What an endpoint of `service` starts from.
    func inherited(by service: String) -> Inherited {
        var workspace = Workspace(name: "", folder: path)
        if let (root, reader) = root(of: ["workspace.yaml"]) {
            var reader = reader
            reader.fill(&workspace, from: root)
        }
        guard let (root, reader) = root(of: ["\(service)/service.yaml", "\(service)/service.yml"]) else {
            return Inherited(timeouts: workspace.timeouts, parameters: workspace.parameters)
        }
        var serviceReader = reader
        let settings = serviceReader.service(root, folder: service, workspace: workspace)
        return Inherited(timeouts: settings.timeouts ?? workspace.timeouts, parameters: settings.parameters.over(workspace.parameters))
    }

    private func root(of files: [String]) -> (YAMLNode?, NodeReader)? {
        for file in files {
            let path = FilePath.joining(path, file)
            do {
                let document = try YAMLDocument(bytes: try WorkspaceFile.bytes(at: path), file: file)
                return (document.root, NodeReader(file: file, folder: FilePath.folder(of: path)))
            } catch {
                // What is wrong there was reported when the workspace was loaded, where it counted as saying nothing.
                continue
            }
        }
        return nil
    }

    func read(_ document: YAMLDocument, file: String, target: String, base: Inherited) -> Endpoint? {
        var reader = NodeReader(file: file, folder: FilePath.folder(of: FilePath.joining(path, file)))
        return reader.endpoint(document.root, target: target, timeouts: base.timeouts, parameters: base.parameters)
    }

    func parse(_ bytes: [UInt8], file: String, target: String, base: Inherited) -> Endpoint? {
        do {
            return read(try YAMLDocument(bytes: bytes, file: file), file: file, target: target, base: base)
        } catch {
            // A text of ours that does not read back is not written; the caller says so.
            return nil
        }
    }

    /// Whether both say the same, wherever they stand in the file.
    func same(_ left: Endpoint, _ right: Endpoint) -> Bool {
        var left = left
        left.location = right.location
        return left == right
    }

    /// The endpoint as a file would give it back: a name there always is, and paths are absolute.
    func normalized(_ endpoint: Endpoint, file: String) -> Endpoint {
        let reader = NodeReader(file: file, folder: FilePath.folder(of: FilePath.joining(path, file)))
        var result = endpoint
        if result.name.isEmpty { result.name = FilePath.name(of: endpoint.target) }
        if case .file(let path, let contentType) = result.body {
            result.body = .file(path: reader.path(path), contentType: contentType)
        }
        if case .multipart(let parts) = result.body {
            result.body = .multipart(
                parts.map { part in
                    var part = part
                    if part.isFile { part.value = reader.path(part.value) }
                    return part
                })
        }
        return result
    }

    /// Gives a large body a file of its own.
    ///
    /// Text with templates stays, because a file is sent as it is.
    func movingLargeBody(of endpoint: Endpoint, file: String, isNew: Bool) throws(WorkspaceError) -> (Endpoint, SideFile?) {
        let text: String
        var contentType: String?
        var ending = "json"
        switch endpoint.body {
        case .json(let json): text = json
        case .text(let plain, let type):
            text = plain
            ending = "txt"
            contentType = type ?? "text/plain; charset=utf-8"
        default: return (endpoint, nil)
        }
        guard isNew, text.utf8.count > WorkspaceFolder.largestInlineBody, Template(text).isPlain else { return (endpoint, nil) }
        let stem = FilePath.yamlStem(FilePath.name(of: file)) ?? FilePath.name(of: file)
        let folder = FilePath.folder(of: FilePath.joining(path, file))
        // A file that is there already is somebody's; it is not overwritten.
        let names = ["\(stem).body.\(ending)"] + (2...99).map { "\(stem).body-\($0).\(ending)" }
        guard let name = names.first(where: { !FileManager.default.fileExists(atPath: FilePath.joining(folder, $0)) }) else {
            throw WorkspaceError(.exists, file: file, "there are too many body files beside it; remove unused ones")
        }
        let side = FilePath.joining(folder, name)
        var result = endpoint
        result.body = .file(path: side, contentType: contentType)
        return (result, SideFile(path: side, bytes: Array(text.utf8)))
    }
}
