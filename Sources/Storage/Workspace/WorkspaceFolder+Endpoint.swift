internal import Foundation
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Reads a single endpoint and its surroundings for saving.
extension WorkspaceFolder {
    /// An additional file that is written beside the endpoint's.
    struct SideFile {
        var path: String
        var bytes: [UInt8]

        /// Whether a file has a name that saving an endpoint gives to the file of its body.
        static func hasName(_ name: String) -> Bool { name.wholeMatch(of: /.+\.body(-[1-9][0-9]?)?\.(json|txt)/) != nil }
    }

    /// The settings that an endpoint inherits from its service and its workspace.
    struct Inherited {
        var timeouts: Timeouts
        var parameters: ParameterStyle
    }

    /// The inherited settings of an endpoint of `service`.
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
                return (document.root, NodeReader(file: file, folder: FilePath.folder(of: path), folders: folders))
            } catch {
                // The problem was reported when the workspace was loaded; the setting counts as missing.
                continue
            }
        }
        return nil
    }

    /// - Parameter chain: The endpoints that extend this one.
    func read(_ document: YAMLDocument, file: String, target: String, base: Inherited, below chain: [String] = []) -> Endpoint? {
        var reader = NodeReader(file: file, folder: FilePath.folder(of: FilePath.joining(path, file)), folders: folders)
        let endpoint = reader.endpoint(document.root, target: target, timeouts: base.timeouts, parameters: base.parameters)
        guard let endpoint, endpoint.extends != nil else { return endpoint }
        return extended(by: endpoint, below: chain + [target]).map { endpoint.extending($0, reader.ownKeys) }
    }

    /// The endpoint that another one extends, as its file describes it now and with paths from the folder of the other one; nil where it cannot be used.
    func extended(by endpoint: Endpoint, below chain: [String] = []) -> Endpoint? {
        guard let target = endpoint.extends, !chain.contains(target), chain.count <= EndpointExtension.longestChain,
            !FilePath.components(of: target).contains("..")
        else { return nil }
        let file = existingFile(of: target)
        do {
            let document = try YAMLDocument(bytes: try WorkspaceFile.bytes(at: FilePath.joining(path, file)), file: file)
            var base = read(document, file: file, target: target, base: inherited(by: Endpoint.serviceName(of: target)), below: chain)
            base?.move(to: endpoint.target, in: path)
            return base
        } catch {
            // The problem was reported when the workspace was loaded; what needs the file reports that it cannot be used.
            return nil
        }
    }

    func parse(_ bytes: [UInt8], file: String, target: String, base: Inherited) -> Endpoint? {
        do {
            return read(try YAMLDocument(bytes: bytes, file: file), file: file, target: target, base: base)
        } catch {
            // A generated text that cannot be parsed is not written; the caller reports it.
            return nil
        }
    }

    /// Whether both endpoints have the same content, independent of their locations in the file.
    func same(_ left: Endpoint, _ right: Endpoint) -> Bool {
        var left = left
        left.location = right.location
        return left == right
    }

    /// The endpoint as it is read back from a file: it always has a name, and its paths are absolute.
    func normalized(_ endpoint: Endpoint, file: String) -> Endpoint {
        let reader = NodeReader(file: file, folder: FilePath.folder(of: FilePath.joining(path, file)), folders: folders)
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

    // MARK: The file of the body

    /// Whether a file with a name is read with the workspace, or has the name of the file of a body.
    @Sendable package static func isRead(_ name: String) -> Bool { FilePath.yamlStem(name) != nil || SideFile.hasName(name) }

    /// The text of a body's file, to be edited in place; nil for one outside of the workspace, a large one, and one that is not text.
    package func bodyText(at path: String) -> String? {
        guard FolderWalk(root: self.path).isInside(path: path) else { return nil }
        do throws(WorkspaceError) {
            let bytes = try WorkspaceFile.bytes(at: path, limit: BodyFileEdit.limit)
            return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
        } catch {
            // Not an error: the file is sent as it is, and its facts have the reason why it cannot be.
            return nil
        }
    }

    /// Requires that a body's file is still as it was when the edits began; a removed file is written again.
    @discardableResult
    func check(_ edit: BodyFileEdit) throws(WorkspaceError) -> (path: String, isThere: Bool) {
        let file = FilePath.relative(edit.path, to: self.path, within: self.path)
        let path = try writablePath(file)
        guard FileManager.default.fileExists(atPath: path) else { return (path, false) }
        try requireUnchanged(edit, at: path, file: file)
        return (path, true)
    }

    /// Writes the edited text to a body's file.
    func write(_ edit: BodyFileEdit) throws(WorkspaceError) {
        let (path, isThere) = try check(edit)
        let bytes = Array(edit.text.utf8)
        guard isThere else { return try AtomicFile.create(bytes, at: path) }
        try AtomicFile.write(bytes, to: path) { () throws(WorkspaceError) in
            try requireUnchanged(edit, at: path, file: FilePath.relative(edit.path, to: self.path, within: self.path))
        }
    }

    private func requireUnchanged(_ edit: BodyFileEdit, at path: String, file: String) throws(WorkspaceError) {
        // A file that grew beyond the limit was changed, too.
        guard try WorkspaceFile.bytes(at: path, limit: WorkspaceLimits.fileBytes).elementsEqual(edit.original.utf8) else {
            throw WorkspaceError(.changedOnDisk, file: file, "the file of the body was changed by another program since it was loaded")
        }
    }

    /// Moves a large body to a separate file.
    ///
    /// Text with templates is not moved, because files are sent unchanged.
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
        // An existing file is not overwritten.
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
