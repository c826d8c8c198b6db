import Foundation

/// What a session does to the files of a workspace and to its drafts, by the rules that the guide describes.
///
/// It knows nothing of the program: files are values by path, with a number that changes with each write.
struct SessionModel {
    struct Stored: Equatable {
        var file: SessionFile
        /// The number of the write, so that undo can be refused for a file that was written since.
        var version: Int
        /// A comment of the file, which edits keep.
        var comment: String?
    }

    struct Draft: Equatable {
        /// The content of the file when the edits began, or were merged last.
        var base: SessionFile.Request
        var ours: SessionFile.Request
        /// The content that another program wrote in the same places.
        var theirs: SessionFile.Request?
        var isFileGone = false
    }

    /// A change of files that can be undone.
    struct Undo {
        var before: [String: Stored]
        var after: [String: Stored]
        /// A moved folder, which takes along what was changed in it since.
        var folder: (from: String, to: String)?
        /// The new names of endpoints, by prefix or whole.
        var renamed: (from: String, to: String, isFolder: Bool)?
        var drafts: [String: Draft] = [:]
    }

    var files: [String: Stored] = [:]
    var drafts: [String: Draft] = [:]
    private(set) var undo: [Undo] = []
    private var version = 0

    static let largestInlineBody = 1 << 20

    // MARK: Reading

    func request(_ target: String) -> SessionFile.Request? {
        if case .endpoint(let request)? = files[target + ".yaml"]?.file { request } else { nil }
    }

    var targets: [String] { names { if case .endpoint = $0 { true } else { false } } }

    var runs: [String] {
        names { if case .run = $0 { true } else { false } }.map { String($0.dropFirst("runs/".count)) }
    }

    var services: [String] {
        names { if case .service = $0 { true } else { false } }.map { String($0.dropLast("/service".count)) }
    }

    /// The folders of endpoints below services.
    var folders: [String] {
        Set(
            targets.compactMap { target in
                let parts = target.split(separator: "/")
                return parts.count > 2 ? parts.dropLast().joined(separator: "/") : nil
            }
        ).sorted()
    }
    var settings: SessionFile.Settings {
        if case .settings(let settings)? = files["workspace.yaml"]?.file { settings } else { .init() }
    }
    var edited: [String: Draft] { drafts.filter { $0.value.ours != $0.value.base } }

    private func names(_ test: (SessionFile) -> Bool) -> [String] {
        files.filter { test($0.value.file) }.keys.map { String($0.dropLast(".yaml".count)) }.sorted()
    }

    /// Whether a run has a step whose endpoint is missing, which is a problem of its file.
    func hasProblem(_ run: String) -> Bool {
        guard case .run(let run)? = files["runs/\(run).yaml"]?.file else { return false }
        return run.steps.contains { request($0) == nil }
    }

    // MARK: Writing

    mutating func write(_ file: String, _ content: SessionFile, comment: String? = nil) {
        guard files[file]?.file != content else { return }
        version += 1
        files[file] = Stored(file: content, version: version, comment: comment ?? files[file]?.comment)
    }

    private mutating func remember(_ before: [String: Stored], _ change: (inout Undo) -> Void = { _ in }) {
        var entry = Undo(before: before, after: files)
        change(&entry)
        undo.append(entry)
        notice()
    }

    mutating func create(_ target: String, _ request: SessionFile.Request, service: SessionFile.Service? = nil) {
        let before = files
        if let service { write("\(target.split(separator: "/")[0])/service.yaml", .service(service)) }
        write(target + ".yaml", .endpoint(storing(request, in: target)))
        remember(before)
    }

    /// Moves a large body to a file beside the endpoint.
    private mutating func storing(_ request: SessionFile.Request, in target: String) -> SessionFile.Request {
        var request = request
        let (text, ending): (String, String)
        switch request.body {
        case .json(let json): (text, ending) = (json, "json")
        case .text(let plain): (text, ending) = (plain, "txt")
        case .none, .file: return request
        }
        guard text.utf8.count > Self.largestInlineBody else { return request }
        let names = ["\(target).body.\(ending)"] + (2...99).map { "\(target).body-\($0).\(ending)" }
        guard let name = names.first(where: { files[$0] == nil }) else { return request }
        write(name, .body(text))
        request.body = .file(name, isText: ending == "txt")
        return request
    }

    mutating func create(service: String, _ content: SessionFile.Service) {
        let before = files
        write("\(service)/service.yaml", .service(content))
        remember(before)
    }

    mutating func create(run: String, _ content: SessionFile.Run) {
        let before = files
        write("runs/\(run).yaml", .run(content))
        remember(before)
    }

    mutating func create(environment: String, from base: String?) {
        let before = files
        edit { settings in
            let host = settings.environments.first { $0.name == base }?.host
            let index = settings.environments.firstIndex { $0.name == base }
            settings.environments.insert((environment, base == nil ? nil : host), at: index.map { $0 + 1 } ?? settings.environments.count)
        }
        if let base { editServices { $0[environment] = $0[base] } }
        remember(before)
    }

    // MARK: Moving

    mutating func move(endpoint: String, to target: String) {
        let before = files
        guard let stored = files.removeValue(forKey: endpoint + ".yaml") else { return }
        files[target + ".yaml"] = stored
        version += 1
        files[target + ".yaml"]?.version = version
        updateSteps { $0 == endpoint ? target : nil }
        rename { $0 == endpoint ? target : nil }
        remember(before) { $0.renamed = (endpoint, target, false) }
    }

    /// Moves a folder or a service.
    mutating func move(folder: String, to new: String) {
        let before = files
        func moved(_ name: String) -> String? { name.hasPrefix(folder + "/") ? new + name.dropFirst(folder.count) : nil }
        moveFiles(moved)
        nameService(new, movedFrom: folder)
        updateSteps(moved)
        rename(moved)
        remember(before) {
            $0.folder = (folder, new)
            $0.renamed = (folder, new, true)
        }
    }

    /// The name for display of a service follows its folder, where it was the name of that folder.
    private mutating func nameService(_ service: String, movedFrom old: String) {
        let file = "\(service)/service.yaml"
        guard case .service(var settings) = files[file]?.file, let name = settings.name, name.lowercased() == old.lowercased() else { return }
        settings.name = name == old ? service : service.prefix(1).uppercased() + service.dropFirst()
        files[file]?.file = .service(settings)
    }

    private mutating func moveFiles(_ moved: (String) -> String?) {
        files = Dictionary(uniqueKeysWithValues: files.map { (moved($0.key) ?? $0.key, $0.value) })
        for (file, stored) in files {
            guard case .endpoint(var request) = stored.file, case .file(let path, let isText) = request.body, let new = moved(path) else { continue }
            request.body = .file(new, isText: isText)
            files[file]?.file = .endpoint(request)
        }
    }

    mutating func move(run: String, to new: String) {
        let before = files
        files["runs/\(new).yaml"] = files.removeValue(forKey: "runs/\(run).yaml")
        version += 1
        files["runs/\(new).yaml"]?.version = version
        remember(before)
    }

    mutating func move(environment: String, to new: String) {
        let before = files
        edit { settings in
            for index in settings.environments.indices where settings.environments[index].name == environment {
                settings.environments[index].name = new
            }
            if settings.initial == environment { settings.initial = new }
        }
        editServices { $0[new] = $0.removeValue(forKey: environment) }
        remember(before)
    }

    private mutating func rename(_ moved: (String) -> String?) {
        drafts = Dictionary(uniqueKeysWithValues: drafts.map { (moved($0.key) ?? $0.key, $0.value) })
        for (target, draft) in drafts {
            for key in [\Draft.base, \Draft.ours] {
                if case .file(let path, let isText) = draft[keyPath: key].body, let new = moved(path) {
                    drafts[target]?[keyPath: key].body = .file(new, isText: isText)
                }
            }
        }
    }

    private mutating func updateSteps(_ moved: (String) -> String?) {
        for run in runs {
            guard case .run(var content)? = files["runs/\(run).yaml"]?.file else { continue }
            content.steps = content.steps.map { moved($0) ?? $0 }
            write("runs/\(run).yaml", .run(content))
        }
    }

    private mutating func edit(_ change: (inout SessionFile.Settings) -> Void) {
        var settings = settings
        change(&settings)
        write("workspace.yaml", .settings(settings))
    }

    private mutating func editServices(_ change: (inout [String: String]) -> Void) {
        for service in services {
            guard case .service(var content)? = files["\(service)/service.yaml"]?.file else { continue }
            change(&content.servers)
            write("\(service)/service.yaml", .service(content))
        }
    }

    // MARK: Copying

    mutating func duplicate(endpoint: String, as target: String) {
        let before = files
        guard var request = request(endpoint) else { return }
        request.name = target.split(separator: "/").last.map(String.init) ?? target
        write(target + ".yaml", .endpoint(request), comment: files[endpoint + ".yaml"]?.comment)
        remember(before)
    }

    mutating func duplicate(folder: String, as new: String) {
        let before = files
        for (file, stored) in before where file.hasPrefix(folder + "/") {
            var content = stored.file
            if case .endpoint(var request) = content, case .file(let path, let isText) = request.body, path.hasPrefix(folder + "/") {
                request.body = .file(new + path.dropFirst(folder.count), isText: isText)
                content = .endpoint(request)
            }
            write(new + file.dropFirst(folder.count), content, comment: stored.comment)
        }
        remember(before)
    }

    // MARK: Deleting

    mutating func delete(endpoint: String) {
        delete {
            $0 == endpoint
        } files: {
            $0 == endpoint + ".yaml"
        }
    }

    mutating func delete(folder: String) {
        delete {
            $0.hasPrefix(folder + "/")
        } files: {
            $0.hasPrefix(folder + "/")
        }
    }

    mutating func delete(run: String) {
        delete { _ in
            false
        } files: {
            $0 == "runs/\(run).yaml"
        }
    }

    private mutating func delete(_ isDeleted: (String) -> Bool, files isDeletedFile: (String) -> Bool) {
        let before = files
        let bodies = targets.filter(isDeleted).compactMap { target -> String? in
            if case .file(let path, _)? = request(target)?.body { path } else { nil }
        }
        files = files.filter { !isDeletedFile($0.key) }
        let used = targets.compactMap { target -> String? in
            if case .file(let path, _)? = request(target)?.body { path } else { nil }
        }
        // A name that occurs in the text of another file keeps the file of the body.
        let usedNames = Set(used.map(Self.lastName))
        for body in bodies where !usedNames.contains(Self.lastName(body)) { files[body] = nil }
        let lost = drafts.filter { isDeleted($0.key) }
        drafts = drafts.filter { !isDeleted($0.key) }
        remember(before) { $0.drafts = lost }
    }

    private static func lastName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    mutating func delete(environment: String) {
        let before = files
        edit { settings in
            settings.environments.removeAll { $0.name == environment }
            if settings.environments.isEmpty {
                settings.initial = nil
            } else if settings.initial == environment {
                settings.initial = settings.environments[0].name
            }
        }
        editServices { $0[environment] = nil }
        remember(before)
    }

    // MARK: Undo

    /// Reverts the last change of files; false where a file was written since, and nothing changes.
    mutating func undoLast() -> Bool {
        guard let entry = undo.last else { return false }
        func back(_ name: String) -> String {
            guard let folder = entry.folder, name.hasPrefix(folder.to + "/") else { return name }
            return folder.from + name.dropFirst(folder.to.count)
        }
        if let folder = entry.folder {
            guard files.keys.contains(where: { $0.hasPrefix(folder.to + "/") }), !files.keys.contains(where: { $0.hasPrefix(folder.from + "/") })
            else { return false }
        }
        let after = Dictionary(uniqueKeysWithValues: entry.after.map { (back($0.key), $0.value.version) })
        let current = Dictionary(uniqueKeysWithValues: files.map { (back($0.key), $0.value.version) })
        let touched = Set(entry.before.keys).union(after.keys).filter { entry.before[$0]?.version != after[$0] }
        guard touched.allSatisfy({ current[$0] == after[$0] }) else { return false }
        if let folder = entry.folder {
            moveFiles { $0.hasPrefix(folder.to + "/") ? folder.from + $0.dropFirst(folder.to.count) : nil }
            nameService(folder.from, movedFrom: folder.to)
        }
        for file in touched { files[file] = entry.before[file] }
        if let (from, to, isFolder) = entry.renamed {
            rename { name in
                if isFolder { return name.hasPrefix(to + "/") ? from + name.dropFirst(to.count) : nil }
                return name == to ? from : nil
            }
        }
        drafts.merge(entry.drafts) { current, _ in current }
        undo.removeLast()
        notice()
        return true
    }

    // MARK: Drafts

    mutating func edit(_ target: String, _ change: (inout SessionFile.Request) -> Void) {
        guard var draft = drafts[target] ?? request(target).map({ Draft(base: $0, ours: $0) }) else { return }
        change(&draft.ours)
        drafts[target] = draft
    }

    mutating func discard(_ target: String) {
        guard let draft = drafts[target] else { return }
        drafts[target]?.ours = draft.base
    }

    enum SaveResult: Equatable { case saved, conflict, fileIsGone }

    mutating func save(_ target: String) -> SaveResult {
        guard let draft = drafts[target] else { return .saved }
        guard draft.theirs == nil else { return .conflict }
        if draft.isFileGone {
            write(target + ".yaml", .endpoint(storing(draft.ours, in: target)))
            drafts[target] = nil
            notice()
            return .saved
        }
        guard let file = request(target) else {
            notice()
            return .fileIsGone
        }
        let merge = Merge(base: draft.base, ours: draft.ours, theirs: file)
        guard !merge.hasConflict else {
            notice()
            return .conflict
        }
        let stored = merge.merged.body == file.body ? merge.merged : storing(merge.merged, in: target)
        write(target + ".yaml", .endpoint(stored))
        drafts[target] = nil
        notice()
        return .saved
    }

    /// Overwrites the changes of another program in the same places.
    mutating func overwrite(_ target: String) {
        guard let draft = drafts[target], let theirs = draft.theirs else { return }
        drafts[target]?.ours = Merge(base: draft.base, ours: draft.ours, theirs: theirs).merged
        drafts[target]?.base = theirs
        drafts[target]?.theirs = nil
        _ = save(target)
    }

    /// Takes the content that another program wrote.
    mutating func reload(_ target: String) { drafts[target] = nil }

    /// The program reads the files again.
    mutating func notice() {
        for (target, draft) in drafts {
            let isEdited = draft.ours != draft.base
            guard let file = request(target) else {
                if isEdited { drafts[target]?.isFileGone = true } else { drafts[target] = nil }
                continue
            }
            drafts[target]?.theirs = nil
            drafts[target]?.isFileGone = false
            guard file != draft.base else { continue }
            let merge = Merge(base: draft.base, ours: draft.ours, theirs: file)
            if merge.hasConflict {
                drafts[target]?.theirs = file
            } else {
                drafts[target]?.base = file
                drafts[target]?.ours = merge.merged
            }
        }
    }

    /// The program ended, by the user or not: edits stay, undo does not.
    mutating func restart() {
        drafts = edited
        undo = []
        for target in drafts.keys { drafts[target]?.theirs = nil }
        notice()
    }

    /// A merge by key.
    private struct Merge {
        var merged: SessionFile.Request
        var hasConflict = false

        init(base: SessionFile.Request, ours: SessionFile.Request, theirs: SessionFile.Request) {
            merged = theirs
            func take<Value: Equatable>(_ key: WritableKeyPath<SessionFile.Request, Value>) {
                guard ours[keyPath: key] != base[keyPath: key] else { return }
                if theirs[keyPath: key] != base[keyPath: key], theirs[keyPath: key] != ours[keyPath: key] { hasConflict = true }
                merged[keyPath: key] = ours[keyPath: key]
            }
            take(\.name)
            take(\.summary)
            take(\.method)
            take(\.path)
            take(\.query)
            take(\.headers)
            take(\.body)
        }
    }
}
