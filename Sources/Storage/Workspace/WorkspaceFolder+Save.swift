internal import Foundation
internal import SortieBase
package import WorkspaceModel

extension WorkspaceFolder {
    /// The maximum size in bytes of a body's text in the endpoint's file; a larger one, which cannot be edited in place either, is written to a
    /// separate file.
    static let largestInlineBody = BodyFileEdit.limit

    /// Saves an endpoint and changes only the lines that differ.
    ///
    /// Changes by another program since `original` was loaded are preserved; both changes are merged where they do not overlap.
    ///
    /// - Parameters:
    ///   - endpoint: The new endpoint.
    ///   - original: The endpoint as it was loaded; nil for one without a file.
    /// - Returns: The endpoint on disk, in which a large body is a file.
    /// - Throws: A ``WorkspaceError``, in which case nothing was written, apart from the endpoint's file where the file of the body cannot be written.
    ///   ``WorkspaceError/Code/changedOnDisk`` where another program changed the same places, or the file of the body.
    @discardableResult
    package func save(_ endpoint: Endpoint, replacing original: Endpoint?) throws(WorkspaceError) -> Endpoint {
        let edit = endpoint.editedBodyFile
        if let edit { try check(edit) }
        var plain = endpoint
        plain.bodyFileEdit = nil
        let saved = try saveFile(of: plain, replacing: original)
        if let edit { try write(edit) }
        return saved
    }

    private func saveFile(of endpoint: Endpoint, replacing original: Endpoint?) throws(WorkspaceError) -> Endpoint {
        try refuseBadTarget(endpoint.target)
        try refuseUnreadableSections(of: endpoint)
        guard let original else { return try create(endpoint) }
        let change = try change(to: endpoint, from: original)
        guard let bytes = change.after else { return change.endpoint }
        let old = try writable(change.file)
        try write(bytes, to: change.newFile, with: change.side, replacing: change.newFile == change.file ? change.before : nil)
        if change.newFile != change.file, try old.holding(followsLink: false, { unlink($0.path) }) != 0 {
            throw WorkspaceError(.unwritable, file: change.file, "it was copied to \(change.newFile) but cannot be removed")
        }
        return change.endpoint
    }

    /// The text of an endpoint's file before and after ``save(_:replacing:)``; nothing is written.
    ///
    /// - Throws: The errors of saving.
    package func preview(saving endpoint: Endpoint, replacing original: Endpoint) throws(WorkspaceError) -> (before: [UInt8], after: [UInt8]) {
        try refuseBadTarget(endpoint.target)
        try refuseUnreadableSections(of: endpoint)
        var plain = endpoint
        plain.bodyFileEdit = nil
        let change = try change(to: plain, from: original)
        let after = change.after ?? change.before
        guard let edit = endpoint.editedBodyFile else { return (change.before, after) }
        // The file of the body follows that of the endpoint.
        let name = "\n# \(FilePath.relative(edit.path, to: path, within: path))\n"
        return (change.before + Array((name + edit.original).utf8), after + Array((name + edit.text).utf8))
    }

    /// The effect of saving on a file.
    private struct Change {
        /// The current file, and the file that is written; they differ for an endpoint that moves.
        var file: String
        var newFile: String
        var before: [UInt8]
        /// Nil where the file does not change.
        var after: [UInt8]?
        var side: SideFile?
        /// The endpoint as the new text describes it.
        var endpoint: Endpoint
    }

    private func change(to endpoint: Endpoint, from original: Endpoint) throws(WorkspaceError) -> Change {
        let file = original.location?.file ?? existingFile(of: original.target)
        if let format {
            let before = try WorkspaceFile.bytes(at: FilePath.joining(path, file))
            let after = try format.content(saving: endpoint, replacing: original, in: before, of: file)
            return Change(file: file, newFile: file, before: before, after: after == before ? nil : after, endpoint: endpoint)
        }
        let path = FilePath.joining(self.path, file)
        let (document, before) = try current(file)
        let base = inherited(by: original.serviceName)
        guard let onDisk = read(document, file: file, target: original.target, base: base) else {
            throw WorkspaceError(.changedOnDisk, file: file, "the file was changed and is no longer an endpoint; correct it, then save")
        }
        let merge = EndpointMerge(base: original, ours: endpoint, theirs: onDisk)
        guard merge.conflicts.isEmpty else { throw WorkspaceError(conflicts: merge.conflicts, in: file) }
        let endpoint = same(onDisk, original) ? endpoint : merge.endpoint

        let isMoved = endpoint.target != onDisk.target
        let newFile = isMoved ? endpoint.target + ".yaml" : file
        let (wanted, side) = try movingLargeBody(
            of: normalized(endpoint, file: newFile), file: newFile, isNew: endpoint.body != onDisk.body)
        if same(wanted, onDisk), !isMoved { return Change(file: file, newFile: file, before: before, endpoint: onDisk) }
        func form(of endpoint: Endpoint, at path: String) -> YAMLValue {
            EndpointForm(
                source: document.root, original: onDisk, folder: FilePath.folder(of: path), root: self.path, base: base.timeouts,
                extended: extended(by: endpoint)
            ).value(of: endpoint)
        }
        let edit = FileEdit(
            document: document, names: WorkspaceKeys.endpoint.names, old: form(of: onDisk, at: path),
            new: form(of: wanted, at: FilePath.joining(self.path, newFile)),
            unreadable: unreadable(in: document, file: file, target: onDisk.target, base: base))
        for bytes in edit.candidates() {
            guard let result = parse(bytes, file: newFile, target: wanted.target, base: base), same(result, wanted) else {
                continue
            }
            return Change(file: file, newFile: newFile, before: before, after: bytes, side: side, endpoint: result)
        }
        let reason = onDisk.extends.map { ", if it removes what \($0.shortened) defines, which the file extends" } ?? ""
        throw WorkspaceError(
            .cannotExpress, file: file, "the change cannot be made in the file\(reason); edit the file directly")
    }

    private func create(_ endpoint: Endpoint) throws(WorkspaceError) -> Endpoint {
        if let format { throw refusal(by: format, "requests are added with an editor") }
        for ending in [".yaml", ".yml"]
        where FileManager.default.fileExists(atPath: FilePath.joining(self.path, endpoint.target + ending)) {
            throw WorkspaceError(.exists, file: endpoint.target + ending, "the file already exists; choose another name")
        }
        let new = try newFile(of: endpoint)
        try write(new.bytes, to: new.file, with: new.side, replacing: nil)
        return new.endpoint
    }

    /// The text of the file for a new endpoint; nothing is written.
    ///
    /// - Parameter base: What the endpoint inherits; nil reads it.
    func newFile(
        of endpoint: Endpoint, inheriting base: Inherited? = nil
    ) throws(WorkspaceError) -> (file: String, bytes: [UInt8], side: SideFile?, endpoint: Endpoint) {
        let file = endpoint.target + ".yaml"
        let path = FilePath.joining(self.path, file)
        let (wanted, side) = try movingLargeBody(of: normalized(endpoint, file: file), file: file, isNew: true)
        let base = base ?? inherited(by: wanted.serviceName)
        let form = EndpointForm(
            source: nil, original: nil, folder: FilePath.folder(of: path), root: self.path, base: base.timeouts, extended: extended(by: wanted))
        let bytes = Array((YAMLText.block(form.value(of: wanted), indentation: 0) + "\n").utf8)
        guard let result = parse(bytes, file: file, target: wanted.target, base: base), same(result, wanted) else {
            throw WorkspaceError(
                .cannotExpress, file: file,
                "the endpoint contains something that a file cannot express, such as two variables with the same name")
        }
        return (file, bytes, side, result)
    }

    private func current(_ file: String) throws(WorkspaceError) -> (YAMLDocument, [UInt8]) {
        let path = FilePath.joining(path, file)
        guard FileManager.default.fileExists(atPath: path) else {
            throw WorkspaceError(.changedOnDisk, file: file, "the file was removed by another program")
        }
        let bytes = try WorkspaceFile.bytes(at: path)
        do {
            return (try YAMLDocument(bytes: bytes, file: file), bytes)
        } catch {
            throw WorkspaceError(
                .changedOnDisk, file: file, "the file was changed and can no longer be read; correct it, then save: \(error)")
        }
    }

    /// Writes the file of an endpoint and the file of its body.
    ///
    /// - Parameter before: the bytes that are replaced; nil for a file that must not exist.
    private func write(_ bytes: [UInt8], to file: String, with side: SideFile?, replacing before: [UInt8]?) throws(WorkspaceError) {
        // The file of the body has the same folder, and is never an existing one.
        let new = try writable(file)
        var sideFile: WritableFile?
        if let side {
            sideFile = try writable(FilePath.relative(side.path, to: self.path, within: self.path))
            try sideFile?.holding(createsFolders: true) { place throws(WorkspaceError) in try AtomicFile.create(side.bytes, at: place) }
        }
        func replace(_ place: AtomicFile.Place) throws(WorkspaceError) {
            if let before {
                try AtomicFile.write(bytes, to: place) { () throws(WorkspaceError) in
                    guard try WorkspaceFile.bytes(at: new.path) == before else {
                        throw WorkspaceError(.changedOnDisk, file: file, "the file was changed by another program at this moment; save again")
                    }
                }
            } else {
                try AtomicFile.create(bytes, at: place)
            }
        }
        do throws(WorkspaceError) { try new.holding(createsFolders: true, replace) } catch {
            // The new side file is removed, because no file refers to it.
            if let sideFile { _ = try sideFile.holding(followsLink: false) { unlink($0.path) } }
            throw error
        }
    }

    /// Rejects a target unlike `shop/orders/list`, or one that leads out of the workspace or to another kind of file.
    private func refuseBadTarget(_ target: String) throws(WorkspaceError) {
        let parts = target.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isBad = parts.contains {
            $0.isEmpty || $0.first == UInt8(ascii: ".") || $0.count > 200 || $0.contains { $0 < 0x20 || $0 == 0x7f }
        }
        guard parts.count >= 2, !isBad, parts.first.map({ Substring($0) }) != "runs", parts.last.map({ Substring($0) }) != "service" else {
            throw WorkspaceError(
                .badTarget, file: target,
                "this is not the name of an endpoint; write service/name, without parts that begin with a dot")
        }
    }

    /// Rejects an endpoint with a text that cannot be read; the text stays in the draft.
    private func refuseUnreadableSections(of endpoint: Endpoint) throws(WorkspaceError) {
        guard let problem = YAMLSections(folders: folders).problem(of: endpoint) else { return }
        throw WorkspaceError(
            .cannotExpress, file: endpoint.location?.file ?? endpoint.target, "\(problem); correct it, or undo the change")
    }

    func existingFile(of target: String) -> String {
        let short = target + ".yml"
        return FileManager.default.fileExists(atPath: FilePath.joining(path, short)) ? short : target + ".yaml"
    }
}
