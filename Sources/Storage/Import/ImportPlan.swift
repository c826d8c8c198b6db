internal import Foundation
package import SortieBase
internal import SortieHTTP
package import WorkspaceModel

/// The changes of files that add content to a workspace, compared with an earlier import of the same source.
///
/// Nothing is written before ``WorkspaceFolder/perform(_:isForced:)``. A file that the user changed, and a file that is no import's, is kept.
package struct ImportPlan: Sendable {
    /// What happens to each file, in order.
    package private(set) var files: [ImportedFile] = []
    /// Parts that cannot be written, with the reasons.
    package private(set) var omissions: [(target: String, reason: String)] = []
    /// The items of an earlier import that the source no longer has; their files stay.
    package private(set) var missing: [String] = []
    /// The changes.
    package private(set) var changes = FileChanges()
    /// What the source changed since its last import, with the decisions; nil for one that is open.
    ///
    /// Empty where nothing is decided.
    package private(set) var sourceChanges: [(change: ImportChange, decision: ImportDecision?)] = []
    /// Whether the source was not imported before.
    package var isFirst: Bool { earlier.isEmpty }

    private let folder: WorkspaceFolder
    private let isForced: Bool
    /// The decisions by file; nil where all changes are made.
    private let decisions: [String: ImportDecision]?
    private var record: ImportRecord
    private let earlier: [String: ImportRecord.File]
    private var written: [String: ImportRecord.File]
    /// The settings that endpoints inherit in the present files, by the folder of their service.
    private var inherited: [String: WorkspaceFolder.Inherited] = [:]

    /// Determines the changes.
    ///
    /// - Parameters:
    ///   - addition: The content.
    ///   - target: The folder, and the source.
    ///   - isForced: Whether files that the user changed or removed since an earlier import are written again.
    ///   - reportsMissing: Whether the source is complete, so that items of an earlier import that it lacks are listed.
    ///   - decisions: Which changes of the source are made, by file; changes of other files are open. Nil makes all, and removes no file.
    /// - Throws: A ``WorkspaceError`` where the content cannot be expressed.
    package init(
        adding addition: WorkspaceAddition, to target: ImportTarget, isForced: Bool, reportsMissing: Bool, decisions: [String: ImportDecision]? = nil
    ) throws(WorkspaceError) {
        (folder, self.isForced, self.decisions) = (target.folder, isForced, decisions)
        record = try ImportRecord.read(in: folder)
        earlier = record[target.source]
        written = earlier
        try addSettings(addition, to: target.workspace)
        let form = ImportForm(root: folder.path)
        for service in addition.workspace.services {
            try add(service, in: addition)
            for endpoint in service.endpoints { try add(endpoint, addition) }
        }
        for (file, text) in addition.scripts.sorted(by: { $0.key < $1.key }) { try add(file, Array(Self.masked(text).utf8), item: nil) }
        for (file, bytes) in addition.documents.sorted(by: { $0.key < $1.key }) {
            try add(file, bytes, item: addition.ids[file], isMerged: false)
        }
        for run in addition.workspace.runs {
            let stem = "runs/\(run.name)"
            try add("\(stem).yaml", Self.bytes(form.value(of: run)), item: addition.ids[stem])
        }
        if reportsMissing {
            let present = Set(addition.ids.values)
            missing = earlier.filter { $0.value.item.map { !present.contains($0) } ?? false }.keys.sorted()
            if decisions != nil { for file in missing { try remove(file) } }
        }
        try addRecord(target.source)
    }

    private static func bytes(_ value: YAMLValue) -> [UInt8] { Array((YAMLText.block(value, indentation: 0) + "\n").utf8) }

    // MARK: Files

    private mutating func add(_ service: Service, in addition: WorkspaceAddition) throws(WorkspaceError) {
        let file = "\(service.folder)/service.yaml"
        let bytes = Self.bytes(ServiceForm(root: folder.path).value(of: service))
        var read: Service?
        do {
            var reader = NodeReader(file: file, folder: FilePath.joining(folder.path, service.folder), folders: folder.folders)
            read = reader.service(try YAMLDocument(bytes: bytes, file: file).root, folder: service.folder, workspace: addition.workspace)
        } catch {
            // The text is not written; the error below says so.
        }
        read?.location = nil
        read?.endpoints = service.endpoints
        // The reader replaces `~/` by the home folder.
        var expected = service
        for file in [\TrustPolicy.certificateAuthorityFile, \.clientCertificateFile, \.clientKeyFile] {
            if let path = service.trust[keyPath: file] { expected.trust[keyPath: file] = folder.folders.expanding(path) }
        }
        if let files = service.trust.$pinFiles { expected.trust.pinFiles = files.map { folder.folders.expanding($0) } }
        if let path = service.proxy?.certificateAuthorityFile { expected.proxy?.certificateAuthorityFile = folder.folders.expanding(path) }
        guard read == expected else { throw WorkspaceError(.cannotExpress, file: file, "the service has settings that a file cannot express") }
        try add(file, bytes, item: addition.ids["\(service.folder)/service"])
    }

    private mutating func add(_ endpoint: Endpoint, _ addition: WorkspaceAddition) throws(WorkspaceError) {
        var endpoint = endpoint
        var bodies: [(String, [UInt8])] = []
        if let large = largeBody(endpoint.body, "\(endpoint.target).body"), Template(String(decoding: large.bytes, as: UTF8.self)).isPlain {
            endpoint.body = .file(path: FilePath.joining(folder.path, large.name), contentType: large.contentType)
            bodies.append((large.name, large.bytes))
        }
        for index in endpoint.examples.indices {
            // The texts of examples have no templates, and their paths begin at the file of the endpoint.
            guard let large = largeBody(endpoint.examples[index].response.body, "\(endpoint.target).example-\(index + 1)") else { continue }
            endpoint.examples[index].response.body = .file(path: FilePath.name(of: large.name), contentType: large.contentType)
            bodies.append((large.name, large.bytes))
        }
        if let bytes = addition.bodies[endpoint.target] { bodies.append((WorkspaceAddition.bodyFile(of: endpoint.target), bytes)) }
        let new: (file: String, bytes: [UInt8], side: WorkspaceFolder.SideFile?, endpoint: Endpoint)
        let base = inherited[endpoint.serviceName] ?? folder.inherited(by: endpoint.serviceName)
        inherited[endpoint.serviceName] = base
        do throws(WorkspaceError) { new = try folder.newFile(of: endpoint, inheriting: base) } catch {
            return omissions.append((endpoint.target, error.message))
        }
        let notes = (addition.notes[endpoint.target] ?? []).map { "\n" + Self.comment(Self.masked($0)) }
        let isWritten = try add(new.file, new.bytes + Array(notes.joined().utf8), item: addition.ids[endpoint.target])
        guard isWritten else { return }
        // The bodies belong to the change of the file.
        for (path, bytes) in bodies { try add(path, bytes, item: nil, isDecided: decisions?[new.file] == .accept) }
    }

    /// A text without the tokens and passwords that scripts of other tools set, because the files are shared.
    private static func masked(_ text: String) -> String {
        CredentialSearch(text, hasLines: true, hasArguments: true).text(replacingValuesBy: HeaderField.mask)
    }

    /// The maximum size in bytes of an imported body's text in the endpoint's file.
    private static let largestInlineBody = 4096

    /// The file of a body that is too long for the endpoint's file; the name is the same in every import.
    private func largeBody(_ body: BodyTemplate, _ stem: String) -> (name: String, contentType: String?, bytes: [UInt8])? {
        // Yams drops a byte order mark at the start of a text.
        func isFile(_ text: String) -> Bool { text.utf8.count > Self.largestInlineBody || text.unicodeScalars.first == "\u{feff}" }
        switch body {
        case .json(let text) where isFile(text): return (stem + ".json", nil, Array(text.utf8))
        case .text(let text, let type) where isFile(text): return (stem + ".txt", type ?? "text/plain; charset=utf-8", Array(text.utf8))
        default: return nil
        }
    }

    /// A text as lines of a comment; control characters, which YAML forbids, become visible.
    private static func comment(_ text: String) -> String {
        var lines = [""]
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0a: lines.append("")
            case 0x0d: break
            case 0x00...0x08, 0x0b...0x1f, 0x7f...0x9f, 0xfeff, 0xfffe, 0xffff, 0x2028, 0x2029:
                lines[lines.count - 1] += "\\u{\(String(scalar.value, radix: 16))}"
            default: lines[lines.count - 1].unicodeScalars.append(scalar)
            }
        }
        return lines.map { $0.isEmpty ? "#\n" : "# \($0)\n" }.joined()
    }

    /// Adds a file with its content; returns whether the file has this content afterwards.
    ///
    /// - Parameters:
    ///   - isMerged: Whether changes of the user and of the source are merged.
    ///   - isDecided: Whether the file is a part of a change that is accepted.
    @discardableResult
    private mutating func add(
        _ file: String, _ bytes: [UInt8], item: String?, isMerged: Bool = true, isDecided: Bool = false
    ) throws(WorkspaceError) -> Bool {
        let path = try folder.writable(file).path
        let members = isMerged && file.hasSuffix(".yaml") ? FileMerge.digests(of: bytes) : nil
        let entry = ImportRecord.File(item: item, sha256: ImportRecord.digest(of: bytes), members: members)
        guard folder.exists(path) else {
            var change = ImportChange(file: file, kind: .added)
            if let known = earlier[file], !isForced {
                guard decisions != nil, known.source != entry.sha256 else {
                    files.append(.init(file: file, outcome: .kept, reason: "it was removed from the workspace since", force: "adds it again"))
                    return false
                }
                // What the source changed is decided, too.
                change = ImportChange(file: file, kind: .changed, isRemoved: true)
            }
            guard isDecided || isAccepted(change, entry) else { return false }
            changes.changes.append(.file(file, before: nil, after: .init(bytes)))
            files.append(.init(file: file, outcome: .created))
            written[file] = entry
            return true
        }
        let before = try WorkspaceFile.bytes(at: path, limit: WorkspaceFolder.largestChange)
        if before == bytes {
            files.append(.init(file: file, outcome: .unchanged))
            written[file] = entry
            return true
        }
        let isOurs = earlier[file]?.sha256 == ImportRecord.digest(of: before)
        if !isOurs, !isForced, let base = earlier[file]?.members, let merge = FileMerge(bytes, into: before, base: base) {
            return add(merge, to: file, before: before, entry)
        }
        if isOurs, !isForced, earlier[file]?.skipped == entry.sha256 {
            files.append(.init(file: file, outcome: .kept, reason: "the change is skipped"))
            return false
        }
        guard isOurs || isForced else {
            if decisions != nil, !isDecided, let known = earlier[file], known.source != entry.sha256 {
                // It is not merged.
                guard isAccepted(ImportChange(file: file, kind: .changed, conflicts: ["it"]), entry) else { return false }
            }
            let reason = earlier[file] == nil ? "a file of this name exists" : "it was changed since the last import"
            files.append(.init(file: file, outcome: .kept, reason: reason, force: "replaces it"))
            return false
        }
        guard isDecided || isAccepted(change(of: file, before, members, conflicts: []), entry) else { return false }
        changes.changes.append(.file(file, before: .init(before), after: .init(bytes)))
        files.append(.init(file: file, outcome: .updated))
        written[file] = entry
        return true
    }

    private func change(of file: String, _ before: [UInt8], _ members: [String: String]?, conflicts: [String]) -> ImportChange {
        var change = ImportChange(
            of: file, base: earlier[file]?.members ?? [:], ours: FileMerge.digests(of: before) ?? [:], theirs: members ?? [:], conflicts: conflicts)
        // Nothing of a file that is replaced stays.
        if isForced { change.own = [] }
        return change
    }

    /// Whether a change is made; otherwise the file stays.
    ///
    /// After a skipped change, the next import compares with the source as it is now.
    private mutating func isAccepted(_ change: ImportChange, _ entry: ImportRecord.File) -> Bool {
        guard let decisions else { return true }
        let decision = decisions[change.file]
        sourceChanges.append((change, decision))
        guard decision != .accept else { return true }
        if decision == .skip {
            var entry = entry
            if entry.members == nil, let known = earlier[change.file] { (entry.sha256, entry.skipped) = (known.sha256, entry.sha256) }
            written[change.file] = entry
        }
        files.append(.init(file: change.file, outcome: .kept, reason: decision == .skip ? "the change is skipped" : "the change is open"))
        return false
    }

    /// Removes a file whose item the source no longer has, with the files of its bodies, where that is decided.
    private mutating func remove(_ file: String) throws(WorkspaceError) {
        let path = try folder.writable(file).path
        guard folder.exists(path) else {
            written[file] = nil
            return
        }
        let before = try WorkspaceFile.bytes(at: path, limit: WorkspaceFolder.largestChange)
        var change = ImportChange(file: file, kind: .removed)
        if !isForced, earlier[file]?.sha256 != ImportRecord.digest(of: before) { change.own = ["it"] }
        let decision = decisions?[file]
        sourceChanges.append((change, decision))
        if decision == .skip { written[file]?.item = nil }
        guard decision == .accept, change.isComplete else { return }
        changes.changes.append(.file(file, before: .init(before), after: nil))
        written[file] = nil
        let stem = file.hasSuffix(".yaml") ? String(file.dropLast(4)) : file
        for (part, entry) in earlier where entry.item == nil && part.hasPrefix(stem) && part != file {
            let path = try folder.writable(part).path
            guard folder.exists(path) else { continue }
            let bytes = try WorkspaceFile.bytes(at: path, limit: WorkspaceFolder.largestChange)
            guard ImportRecord.digest(of: bytes) == entry.sha256 else { continue }
            changes.changes.append(.file(part, before: .init(bytes), after: nil))
            written[part] = nil
        }
    }

    /// Adds a file with changes of the user and of the source; returns false where the change is not made.
    private mutating func add(_ merge: FileMerge, to file: String, before: [UInt8], _ entry: ImportRecord.File) -> Bool {
        let names = merge.conflicts.map { MemberMerge.shown($0) }.joined(separator: ", ")
        let reason = names.isEmpty ? nil : "\(names): changed in the workspace and in the source"
        let force = "takes the source's"
        if merge.bytes == before {
            if reason != nil, !isAccepted(change(of: file, before, entry.members, conflicts: merge.conflicts), entry) { return false }
            files.append(.init(file: file, outcome: reason == nil ? .unchanged : .kept, reason: reason, force: force))
        } else {
            guard isAccepted(change(of: file, before, entry.members, conflicts: merge.conflicts), entry) else { return false }
            changes.changes.append(.file(file, before: .init(before), after: .init(merge.bytes)))
            files.append(.init(file: file, outcome: .updated, reason: reason, force: force))
        }
        // The digest stays that of the import, so that the next one keeps the changes of the user, too.
        written[file] = .init(item: entry.item, sha256: entry.sha256, members: merge.members)
        return true
    }

    /// Adds the record after the files, and before them a record that says which of them an import is writing.
    private mutating func addRecord(_ source: ImportIdentity) throws(WorkspaceError) {
        let begun = try record.writing(written, of: source).bytes()
        record[source] = written
        let path = try folder.writable(ImportRecord.fileName).path
        let bytes = try record.bytes()
        let before: [UInt8]? = folder.exists(path) ? try WorkspaceFile.bytes(at: path, limit: WorkspaceFolder.largestChange) : nil
        guard before != bytes else { return }
        guard changes.changes.contains(where: { !Self.isSettings($0) }) else {
            return changes.changes.append(.file(ImportRecord.fileName, before: before.map { .init($0) }, after: .init(bytes)))
        }
        // The settings make the folder a workspace, to which the next import adds.
        let index = changes.changes.firstIndex { !Self.isSettings($0) } ?? 0
        changes.changes.insert(.file(ImportRecord.fileName, before: before.map { .init($0) }, after: .init(begun)), at: index)
        changes.changes.append(.file(ImportRecord.fileName, before: .init(begun), after: .init(bytes)))
    }

    private static func isSettings(_ change: FileChanges.Change) -> Bool {
        if case .file("workspace.yaml", _, _) = change { true } else { false }
    }

    // MARK: workspace.yaml

    /// Creates `workspace.yaml`, or adds to it what it lacks; values that it has stay.
    private mutating func addSettings(_ addition: WorkspaceAddition, to base: Workspace?) throws(WorkspaceError) {
        let file = "workspace.yaml"
        let form = ImportForm(root: folder.path)
        let path = try folder.writable(file).path
        guard let base else {
            changes.changes.append(
                .file(file, before: nil, after: .init(Self.bytes(form.value(of: addition.workspace, summary: addition.summary)))))
            return files.append(.init(file: file, outcome: .created))
        }
        let before = try WorkspaceFile.bytes(at: path)
        var bytes = before
        let new = addition.workspace
        // All members of a mapping are added together, because each change reads the file again.
        var secrets: [YAMLValue.Member] = []
        for (name, source) in new.secrets.sorted(by: { $0.key < $1.key }) {
            if let known = base.secrets[name] {
                if known != source { omissions.append((file, "secrets: \(name): has another source already, which stays")) }
            } else {
                secrets.append(.init(name, ImportForm.value(of: source)))
            }
        }
        bytes = try adding(secrets, at: ["secrets"], to: bytes)
        var variables: [YAMLValue.Member] = []
        for (name, value) in new.variables.sorted(by: { $0.key < $1.key }) {
            if let known = base.variables[name] {
                if known != value { omissions.append((file, "variables: \(name): has another value already, which stays")) }
            } else {
                variables.append(.init(name, .text(value)))
            }
        }
        bytes = try adding(variables, at: ["variables"], to: bytes)
        for environment in new.environments {
            guard let known = base.environments.first(where: { $0.name == environment.name }) else {
                let value = YAMLValue.mapping([.init("variables", ImportForm.variables(environment.variables) ?? .mapping([]))])
                bytes = try adding([.init(environment.name, value)], at: ["environments"], to: bytes)
                continue
            }
            var variables: [YAMLValue.Member] = []
            for (name, value) in environment.variables.sorted(by: { $0.key < $1.key }) where known.variables[name] != value {
                if known.variables[name] != nil {
                    omissions.append((file, "environments: \(environment.name): \(name): has another value already, which stays"))
                } else {
                    variables.append(.init(name, .text(value)))
                }
            }
            bytes = try adding(variables, at: ["environments", environment.name, "variables"], to: bytes)
        }
        guard bytes != before else { return }
        changes.changes.append(.file(file, before: .init(before), after: .init(bytes)))
        files.append(.init(file: file, outcome: .updated))
    }

    /// The text with members added to the mapping at a path of keys, which is created where it is missing.
    private func adding(_ members: [YAMLValue.Member], at path: [String], to bytes: [UInt8]) throws(WorkspaceError) -> [UInt8] {
        guard let first = members.first else { return bytes }
        do {
            let document = try YAMLDocument(bytes: bytes, file: "workspace.yaml")
            guard var node = document.root else { return Self.bytes(.mapping(Self.nested(members, in: path))) }
            var rest = path[...]
            while let key = rest.first, let inner = node[key], inner.entries?.isEmpty == false {
                node = inner
                rest = rest.dropFirst()
            }
            var patch = YAMLPatch(source: document.source)
            if let key = rest.first, let empty = node[key] {
                // An empty mapping, or nothing at all, is replaced.
                guard empty.isNull || empty.entries?.isEmpty == true else { throw CannotPatch() }
                guard let entry = node.entries?.first(where: { $0.key.text == key }) else { throw CannotPatch() }
                try patch.change(
                    entry, from: .token(""), to: .mapping(Self.nested(members, in: Array(rest.dropFirst()))), indentation: node.column - 1,
                    inFlow: false)
            } else {
                try patch.changeMembers(of: node, adding: Self.nested(members, in: Array(rest)))
            }
            let after = try patch.applied()
            _ = try YAMLDocument(bytes: after, file: "workspace.yaml")
            return after
        } catch {
            throw WorkspaceError(
                .cannotExpress, file: "workspace.yaml",
                "\((path + [first.key]).joined(separator: ": ")) cannot be added; add it with an editor, then import")
        }
    }

    private static func nested(_ members: [YAMLValue.Member], in path: [String]) -> [YAMLValue.Member] {
        path.reversed().reduce(members) { inner, key in [.init(key, .mapping(inner))] }
    }
}

extension WorkspaceFolder {
    /// Writes the files of an import, together or not at all.
    ///
    /// - Parameter isForced: Whether the folder may be a protected location.
    /// - Throws: The reason; nothing has changed then.
    package func perform(_ plan: ImportPlan, isForced: Bool) throws(WorkspaceError) {
        if !isForced, let protected = ProtectedLocation(FilePath.joining(path, "workspace.yaml"), .writing, folders) {
            throw WorkspaceError(.protected, file: path, "nothing was written: \(protected.message)")
        }
        try apply(plan.changes)
    }
}

/// The result of an import for one file.
package struct ImportedFile: Hashable, Sendable {
    /// What happened to the file.
    package enum Outcome: String, Hashable, Sendable {
        /// The file is new.
        case created
        /// The file of an earlier import has the new content.
        case updated
        /// The content is the same.
        case unchanged
        /// The file stays as the user changed it; ``ImportedFile/remedy`` says how to replace it.
        case kept
    }

    /// The path relative to the workspace.
    package var file: String
    /// What happened.
    package var outcome: Outcome
    /// Why a file is kept, or which members of it are; nil otherwise.
    package var reason: String?
    /// What `sortie import --force` does with it.
    var force = ""

    /// How to force the change; nil where nothing is to be forced.
    package var remedy: Diagnostic.Remedy? {
        force.isEmpty ? nil : .text(program: "sortie import --force \(force)", workbench: "the workbench keeps what you changed")
    }
}
