internal import Foundation
public import Model

extension WorkspaceFolder {
    /// A body's text of more bytes than this goes into a file beside the endpoint's.
    static let largestInlineBody = 4096

    /// Writes an endpoint to its file and changes only the lines of what changed.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint as it shall be.
    ///   - original: The endpoint as it was loaded, or nil for one that has no file yet.
    /// - Returns: The endpoint as it is on disk now; a large body is then a file.
    /// - Throws: A ``WorkspaceError``; nothing was written then.
    @discardableResult
    public func save(_ endpoint: Endpoint, replacing original: Endpoint?) throws(WorkspaceError) -> Endpoint {
        try refuseBadTarget(endpoint.target)
        guard let original else { return try create(endpoint) }
        let file = original.location?.file ?? existingFile(of: original.target)
        let path = FilePath.joining(self.path, file)
        let document = try current(file)
        let base = inherited(by: original.serviceName)
        guard let onDisk = read(document, file: file, target: original.target, base: base), same(onDisk, original) else {
            throw WorkspaceError(
                .changedOnDisk, file: file,
                "the file was changed by another program since it was loaded; load it again, then save")
        }

        let isMoved = endpoint.target != original.target
        let newFile = isMoved ? endpoint.target + ".yaml" : file
        let (wanted, side) = try movingLargeBody(
            of: normalized(endpoint, file: newFile), file: newFile, isNew: endpoint.body != original.body)
        if same(wanted, original), !isMoved { return onDisk }
        let edit = EndpointEdit(
            document: document, original: original, wanted: wanted,
            oldForm: EndpointForm(source: document.root, original: original, folder: FilePath.folder(of: path), root: self.path, base: base.timeouts),
            newForm: EndpointForm(
                source: document.root, original: original, folder: FilePath.folder(of: FilePath.joining(self.path, newFile)),
                root: self.path, base: base.timeouts))
        for bytes in edit.candidates() {
            guard let result = parse(bytes, file: newFile, target: wanted.target, base: base), same(result, wanted) else {
                continue
            }
            try write(bytes, to: newFile, with: side, isNew: isMoved)
            if isMoved, unlink(path) != 0 {
                throw WorkspaceError(.unwritable, file: file, "it was copied to \(newFile) but cannot be removed")
            }
            return result
        }
        throw WorkspaceError(
            .cannotExpress, file: file, "the change cannot be written into the file as it is; edit the file itself")
    }

    private func create(_ endpoint: Endpoint) throws(WorkspaceError) -> Endpoint {
        let file = endpoint.target + ".yaml"
        let path = FilePath.joining(self.path, file)
        for ending in [".yaml", ".yml"]
        where FileManager.default.fileExists(atPath: FilePath.joining(self.path, endpoint.target + ending)) {
            throw WorkspaceError(.exists, file: endpoint.target + ending, "the file is there already; choose another name")
        }
        let (wanted, side) = try movingLargeBody(of: normalized(endpoint, file: file), file: file, isNew: true)
        let base = inherited(by: wanted.serviceName)
        let form = EndpointForm(source: nil, original: nil, folder: FilePath.folder(of: path), root: self.path, base: base.timeouts)
        let bytes = Array((YAMLText.block(form.value(of: wanted), indentation: 0) + "\n").utf8)
        guard let result = parse(bytes, file: file, target: wanted.target, base: base),
            same(result, wanted)
        else {
            throw WorkspaceError(
                .cannotExpress, file: file,
                "the endpoint has something that a file cannot express, such as two variables of one name")
        }
        try write(bytes, to: file, with: side, isNew: true)
        return result
    }

    private func current(_ file: String) throws(WorkspaceError) -> YAMLDocument {
        let bytes = try WorkspaceFile.bytes(at: FilePath.joining(path, file))
        do {
            return try YAMLDocument(bytes: bytes, file: file)
        } catch {
            throw WorkspaceError(.changedOnDisk, file: file, "the file was changed and cannot be read any more: \(error)")
        }
    }

    private func write(_ bytes: [UInt8], to file: String, with side: SideFile?, isNew: Bool) throws(WorkspaceError) {
        try makeFolder(of: file)
        if let side { try AtomicFile.create(side.bytes, at: side.path) }
        do {
            let path = FilePath.joining(path, file)
            if isNew { try AtomicFile.create(bytes, at: path) } else { try AtomicFile.write(bytes, to: path) }
        } catch {
            // The side file is ours and nothing names it.
            if let side { unlink(side.path) }
            throw error
        }
    }

    /// A name such as `shop/orders/list`, that cannot lead out of the workspace or over another kind of file.
    private func refuseBadTarget(_ target: String) throws(WorkspaceError) {
        let parts = target.split(separator: "/", omittingEmptySubsequences: false)
        let isBad = parts.contains {
            $0.isEmpty || $0.hasPrefix(".") || $0.utf8.count > 200 || $0.utf8.contains { $0 < 0x20 || $0 == 0x7f }
        }
        guard parts.count >= 2, !isBad, parts.first != "runs", parts.last != "service" else {
            throw WorkspaceError(
                .badTarget, file: target,
                "this is not the name of an endpoint; write service/name, with no part beginning with a dot")
        }
    }

    private func existingFile(of target: String) -> String {
        let short = target + ".yml"
        return FileManager.default.fileExists(atPath: FilePath.joining(path, short)) ? short : target + ".yaml"
    }

    private func makeFolder(of file: String) throws(WorkspaceError) {
        let folder = FilePath.folder(of: FilePath.joining(path, file))
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw WorkspaceError(.unwritable, file: folder, "the folder cannot be made: \(error.localizedDescription)")
        }
    }
}
