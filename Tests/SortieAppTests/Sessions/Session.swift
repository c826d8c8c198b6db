import Foundation
import SortieHTTP
import SortieNetworking
import SortieStorage
import SortieTerminal
import Support
import WorkspaceModel

@testable import SortieApp
@testable import SortieWorkbench

/// A session with random steps, in the program and in the model, in two workspaces.
struct Session {
    /// A difference between the program and the model.
    struct Difference: Error {
        var text: String
    }

    private let folder: TemporaryFolder
    private let client: Client
    private var random: SeededGenerator
    private var program: SessionProgram
    private var models: [SessionModel]
    private var current = 0
    private var lastNumber = 0
    /// The steps, for the message of a failure.
    private(set) var steps: [String] = []

    private var model: SessionModel {
        get { models[current] }
        _modify { yield &models[current] }
    }

    init(seed: UInt64, client: Client) throws {
        random = SeededGenerator(seed: seed)
        folder = try TemporaryFolder()
        self.client = client
        models = []
        for number in 0...1 {
            let (files, model) = SessionStart.files(number)
            for (name, text) in files { try folder.write("\(number)/\(name)", text) }
            models.append(model)
        }
        program = try SessionProgram(folder.path("0"), stateFolder: folder.path("state"), client: client)
    }

    // MARK: Running

    /// Performs steps, and compares after each of them.
    mutating func run(steps count: Int) throws {
        for _ in 0..<count {
            try step()
            try leave()
            try compare()
        }
    }

    /// Ends the session; the records of the files that a parser of YAML is to read.
    mutating func end() throws -> [SessionRecord] {
        try close()
        var records: [SessionRecord] = []
        for (number, model) in models.enumerated() {
            let path = folder.path(String(number))
            try compareDrafts(of: path, with: model)
            let workspace = try WorkspaceFolder(path: path).load()
            let problems = workspace.problems.filter { problem in
                !model.runs.contains { problem.location.file == "runs/\($0).yaml" && model.hasProblem($0) }
            }
            guard problems.isEmpty else { throw Difference(text: "check reports \(problems)") }
            records += model.files.map { file, stored in
                SessionRecord(path: "\(path)/\(file)", file: file, comment: stored.comment, content: stored.file)
            }
        }
        return records
    }

    /// Closes what a step left open, as a user does with Esc.
    private mutating func leave() throws {
        try program.perform { state in
            state.popups.removeAll()
            state.stopEditing()
            return []
        }
    }

    private mutating func close() throws {
        if let failure = program.end() { throw Difference(text: failure) }
    }

    private mutating func open() throws {
        model.restart()
        program = try SessionProgram(folder.path(String(current)), stateFolder: folder.path("state"), client: client)
        let unexpected = program.notices.filter { !$0.hasPrefix("Unsaved edits of") }
        guard unexpected.isEmpty else { throw Difference(text: "at the start: \(unexpected)") }
    }

    // MARK: Comparing

    private func compare() throws {
        let root = folder.path(String(current))
        let found = try Set(FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.contains(".") })
        let expected = Set(model.files.keys)
        guard found == expected else {
            throw Difference(
                text:
                    "the files differ: missing \(expected.subtracting(found).sorted()), more \(found.subtracting(expected).sorted()); \(program.message)"
            )
        }
        let drafts = program.state.editedDrafts.map { (String($0.original.target), SessionFile.Request($0.edited, in: root)) }
        try compare(drafts, with: model.edited.mapValues(\.ours))
    }

    private func compareDrafts(of path: String, with model: SessionModel) throws {
        let (edits, problems) = try DraftStore(workspace: path, stateFolder: folder.path("state")).adopt()
        guard problems.isEmpty else { throw Difference(text: "the drafts cannot be read: \(problems)") }
        try compare(
            UnsavedEdits(edits).endpoints.map { ($0.edited.target, SessionFile.Request($0.edited, in: path)) }, with: model.edited.mapValues(\.ours))
    }

    private func compare(_ drafts: [(target: String, request: SessionFile.Request)], with expected: [String: SessionFile.Request]) throws {
        guard Set(drafts.map(\.target)) == Set(expected.keys), drafts.count == expected.count else {
            throw Difference(text: "there are drafts of \(drafts.map(\.target).sorted()), not of \(expected.keys.sorted()); \(program.message)")
        }
        for (target, request) in drafts where request != expected[target] {
            throw Difference(text: "the draft of \(target) is \(request), not \(expected[target].map { "\($0)" } ?? "")")
        }
    }

    // MARK: Choosing

    private mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

    private mutating func note(_ text: String) { steps.append("\(steps.count + 1). \(text)") }

    /// A random step that is possible now.
    private mutating func step() throws {
        let choice = Int.random(in: 0..<100, using: &random)
        switch choice {
        case 0..<26: try edit()
        case 26..<38: try save()
        case 38..<47: try create()
        case 47..<56: try move()
        case 56..<61: try duplicate()
        case 61..<68: try delete()
        case 68..<75: try undo()
        case 75..<79: try discard()
        case 79..<82: try saveAs()
        case 82..<92: try changeOutside()
        case 92..<95: try switchEnvironment()
        case 95..<98:
            note("crash, and open again")
            try close()
            try open()
        default:
            note("open the workspace \(1 - current)")
            try program.perform { $0.update(.input(.hangup)) }
            try close()
            current = 1 - current
            try open()
        }
    }

    // MARK: Requests

    private mutating func edit() throws {
        guard let target = pick(Array(Set(model.targets).union(model.edited.keys)).sorted()) else { return }
        guard let request = model.drafts[target]?.ours ?? model.request(target) else { return }
        let edit = someEdit(of: request)
        note("edit \(target): \(edit)")
        try program.perform { state in
            state.change(EndpointID(target)) { edit.apply(to: &$0) }
            return []
        }
        let isUndone = chance(15)
        if isUndone {
            note("undo the edit of \(target)")
            try select(target)
            try program.perform { state in
                state.focus(.request)
                return state.perform(.undo)
            }
            // An edit that changes nothing is no step of undo; all edits here change something.
            guard chance(50) else { return }
            note("redo it")
            try program.perform(.redo)
        }
        model.edit(target) { edit.apply(to: &$0) }
    }

    private mutating func someEdit(of request: SessionFile.Request) -> SessionEdit {
        let isHeader = chance(40)
        let rows = isHeader ? request.headers : request.query
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: return .path("http://h.example/p\(number())")
        case 2: return .method(request.method == "PUT" ? "DELETE" : "PUT")
        case 3, 4, 5, 6:
            return .add(.init(name: isHeader ? "X-H\(number())" : "q\(number())", value: value(isHeader), isEnabled: !chance(25)), isHeader: isHeader)
        case 7, 8:
            guard !rows.isEmpty else { break }
            let index = Int.random(in: 0..<rows.count, using: &random)
            var row = rows[index]
            if chance(50) { row.isEnabled.toggle() } else { row.value = "v\(number()) " + value(true) + "." }
            return .change(row, at: index, isHeader: isHeader)
        case 9:
            guard !rows.isEmpty else { break }
            return .remove(at: Int.random(in: 0..<rows.count, using: &random), isHeader: isHeader)
        default: break
        }
        return .body(body(of: request))
    }

    private mutating func value(_ isHeader: Bool) -> String {
        let plain = [
            "1", "007", "1.10", "yes", "null", "~", "true", "2026-01-01", "a: b", "a #b", "it's", "\"q\"", "a\\b", "12:30", "0x1F", "1_000", "=",
        ]
        let others = [
            "", " lead", "trail ", "#x", "- a", "[x", "{y", "*a", "&a", "!t", "|", ">", "%", "@", "`", "<<", "? a", ": b", "...", "---", "\t",
            "a\nb\n",
            "é", "日本", "👩‍👩‍👧", "e\u{301}", "\u{85}", "\u{feff}x", "{{host}}", "a,b]", "?", "-",
        ]
        return pick(isHeader ? plain : plain + others) ?? ""
    }

    private mutating func body(of request: SessionFile.Request) -> SessionFile.Body {
        let number = number()
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where request.body != .none: return .none
        case 1: return .text("line \(number)\n  second: é\n\n\tthird #\(number)")
        case 2: return .text("  text \(number): \(value(false))")
        case 3: return .json("[\(number)," + String(repeating: "\"a long body\",", count: 400) + "null]")
        case 4: return .json("{\n  \"n\": \(number),\n  \"list\": [1, 2.50, true, null]\n}")
        case 5:
            return .json(
                "{\"n\":\(number),\"on\":\"yes\",\"1\":\"2026-01-01\",\"time\":\"12:30:45\",\"=\":\"=\",\"octal\":\"0o7\",\"size\":\"1_000\"}")
        case 6: return .json("{ \"n\" : \(number) , \"e\" : \"\\u00e9\\n\" }")
        default: return .json("{\"n\": \(number), \"t\": \"{{host}}\", \"empty\": {}, \"none\": []}")
        }
    }

    private mutating func select(_ target: String) throws {
        try program.perform { state in
            ServicesFeature.select(.endpoint(EndpointID(target)), &state)
            return []
        }
    }

    private mutating func save(_ target: String? = nil) throws {
        guard let target = target ?? pick(model.edited.keys.sorted()) else { return }
        note("save \(target)")
        try select(target)
        try program.perform(.save)
        guard model.save(target) == .conflict else { return }
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            note("overwrite the changes of another program")
            try program.choose("Overwrite")
            model.overwrite(target)
        case 1:
            note("reload \(target)")
            try program.choose("Reload")
            model.reload(target)
        default:
            note("keep editing")
            try program.choose("Keep editing")
        }
    }

    private mutating func discard() throws {
        guard let target = pick(model.edited.keys.sorted()), model.request(target) != nil else { return }
        note("discard the edits of \(target)")
        try select(target)
        try program.perform(.discard)
        model.discard(target)
    }

    private mutating func saveAs() throws {
        let targets = model.targets.filter { (model.drafts[$0]?.ours ?? model.request($0))?.path.hasPrefix("http") == true }
        guard let target = pick(targets), var request = model.drafts[target]?.ours ?? model.request(target) else { return }
        let (service, file) = (Self.service(of: target), chance(50) ? "as\(number())" : "as/n\(number())")
        note("save \(target) as \(service)/\(file)")
        try select(target)
        try program.perform(.saveAs)
        try program.accept(["Service": service, "File": file, "Name": ""])
        request.name = Self.lastName(file)
        if model.drafts[target]?.base.path.isEmpty == true { model.drafts[target] = nil }
        model.create("\(service)/\(file)", request)
    }

    // MARK: Items

    private static func service(of target: String) -> String { String(target.prefix { $0 != "/" }) }
    private static func lastName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// A name of a new file, sometimes in a folder, sometimes one that YAML or a shell treats specially.
    private mutating func newName() -> String {
        let number = number()
        let names = ["n\(number)", "n\(number)", "no \(number)", "ö\(number)日本", "true\(number)", "a: \(number)", "it's \(number)", "g\(number)/n"]
        return pick(names) ?? ""
    }

    private mutating func create() throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
            guard let service = pick(model.services) else { return try createService() }
            let (file, url) = (newName(), "http://h.example/p\(number())")
            let (name, row) = (chance(50) ? "" : "Name \(value(true))", SessionFile.Row(name: "q\(number())", value: "1"))
            let hasQuery = chance(40)
            note("create \(service)/\(file), named \(name.debugDescription)")
            try program.perform(.newEndpoint)
            try program.accept([
                "Service": service, "File": file, "Name": name, "Method": "POST", "URL": url + (hasQuery ? "?\(row.name)=\(row.value)" : ""),
            ])
            var request = SessionFile.Request(name: name.isEmpty ? Self.lastName(file) : name, method: "POST", path: url)
            if hasQuery { request.query = [row] }
            model.create("\(service)/\(file)", request)
        case 5:
            let (service, file, path) = ("s\(number())", newName(), "/p\(number())")
            let environments = model.settings.environments.map(\.name)
            note("create \(service)/\(file) and its service")
            try program.perform(.newEndpoint)
            try program.accept(["Service": service, "File": file, "Name": "", "Method": "GET", "URL": "http://\(service).example\(path)"])
            try program.press("Enter")
            let isSplit = !environments.isEmpty
            model.create(
                "\(service)/\(file)",
                .init(name: Self.lastName(file), path: isSplit ? path : "http://\(service).example\(path)"),
                service: .init(servers: isSplit ? Dictionary(uniqueKeysWithValues: environments.map { ($0, "http://\(service).example") }) : [:]))
        case 6:
            guard let service = pick(model.services) else { return }
            let (name, file) = ("f\(number())", "n\(number())")
            note("create the folder \(service)/\(name) with \(file)")
            try program.perform(.newFolder)
            try program.accept(["Service": service, "Folder": name, "Endpoint": file])
            model.create("\(service)/\(name)/\(file)", .init(name: file, path: ""))
        case 7: try createService()
        case 8:
            guard let target = pick(model.targets) else { return }
            let (name, kind) = ("r\(number())", chance(50) ? "chain" : "batch")
            note("create the run \(name) of \(target)")
            try program.perform(.newRun)
            try program.accept(["Name": name, "Kind": kind, "Sends": target])
            model.create(run: name, .init(kind: kind, steps: [target]))
        default:
            let base = chance(60) ? pick(model.settings.environments.map(\.name)) : nil
            let name = "env \(number())"
            note("create the environment \(name), a copy of \(base ?? "nothing")")
            try program.perform(.newEnvironment)
            try program.accept(["Name": name, "Copy of": base ?? "nothing"])
            model.create(environment: name, from: base)
        }
    }

    private mutating func createService() throws {
        let (folder, name) = ("s\(number())", chance(50) ? "" : "Service \(value(true))")
        let environments = model.settings.environments.map(\.name)
        let server = chance(70) && !environments.isEmpty ? "http://\(folder).example" : ""
        note("create the service \(folder), named \(name.debugDescription), at \(server)")
        try program.perform(.newService)
        try program.accept(["Folder": folder, "Name": name, "Server": server])
        let servers = server.isEmpty ? [:] : Dictionary(uniqueKeysWithValues: environments.map { ($0, server) })
        model.create(service: folder, .init(name: name.isEmpty ? nil : name, servers: servers))
    }

    private mutating func select(_ row: TreeRow.Kind) throws {
        try program.perform { state in
            ServicesFeature.select(row, &state)
            state.focus(.services)
            return []
        }
    }

    private mutating func move() throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
            guard let target = pick(model.targets), let service = pick(model.services) else { return }
            let file = newName()
            note("move \(target) to \(service)/\(file)")
            try select(.endpoint(EndpointID(target)))
            try program.perform(.renameItem)
            try program.accept(["File": file, "Service": service])
            model.move(endpoint: target, to: "\(service)/\(file)")
        case 4, 5:
            guard let folder = pick(model.folders), let service = pick(model.services) else { return }
            let name = "f\(number())"
            note("move the folder \(folder) to \(service)/\(name)")
            try select(.group(folder))
            try program.perform(.renameItem)
            try program.accept(["Folder": name, "Service": service])
            model.move(folder: folder, to: "\(service)/\(name)")
        case 6:
            guard let service = pick(model.services) else { return }
            let name = "s\(number())"
            note("rename the service \(service) to \(name)")
            try select(.service(service))
            try program.perform(.renameItem)
            try program.accept(["Folder": name])
            model.move(folder: service, to: name)
        case 7:
            guard let run = pick(model.runs) else { return }
            let name = "r\(number())"
            note("rename the run \(run) to \(name)")
            try select(.run(run))
            try program.perform(.renameItem)
            try program.accept(["File": name])
            model.move(run: run, to: name)
        default:
            guard let environment = program.state.environment else { return }
            let name = "env \(number())"
            note("rename the environment \(environment) to \(name)")
            try program.perform(.renameEnvironment)
            try program.accept(["Environment": name])
            model.move(environment: environment, to: name)
        }
    }

    private mutating func duplicate() throws {
        if chance(60) {
            guard let target = pick(model.targets), let service = pick(model.services) else { return }
            let file = newName()
            note("copy \(target) to \(service)/\(file)")
            try select(.endpoint(EndpointID(target)))
            try program.perform(.duplicateItem)
            try program.accept(["File": file, "Service": service])
            model.duplicate(endpoint: target, as: "\(service)/\(file)")
        } else {
            let folders = model.folders
            guard let folder = pick(folders + model.services) else { return }
            let isService = !folders.contains(folder)
            let (service, name) = (Self.service(of: folder), "c\(number())")
            note("copy the folder \(folder) to \(name)")
            try select(isService ? .service(folder) : .group(folder))
            try program.perform(.duplicateItem)
            try program.accept(["Folder": name, "Service": service])
            model.duplicate(folder: folder, as: isService ? name : "\(service)/\(name)")
        }
    }

    private mutating func delete() throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
            guard let target = pick(model.targets) else { return }
            note("delete \(target)")
            try select(.endpoint(EndpointID(target)))
            try deleteSelected()
            model.delete(endpoint: target)
        case 5, 6:
            guard let folder = pick(model.folders) else { return }
            note("delete the folder \(folder)")
            try select(.group(folder))
            try deleteSelected()
            model.delete(folder: folder)
        case 7:
            guard model.services.count > 1, let service = pick(model.services) else { return }
            note("delete the service \(service)")
            try select(.service(service))
            try deleteSelected()
            model.delete(folder: service)
        case 8:
            guard let run = pick(model.runs) else { return }
            note("delete the run \(run)")
            try select(.run(run))
            try deleteSelected()
            model.delete(run: run)
        default:
            guard let environment = program.state.environment else { return }
            note("delete the environment \(environment)")
            try program.perform(.deleteEnvironment)
            try program.choose("Delete it")
            model.delete(environment: environment)
        }
    }

    private mutating func deleteSelected() throws {
        try program.perform(.deleteItem)
        if program.state.popup is ListPopup { try program.choose("Delete it") }
    }

    private mutating func undo() throws {
        guard !model.undo.isEmpty else { return }
        note("undo the last change of files")
        try program.perform { state in
            state.focus(.services)
            return state.perform(.undoItems)
        }
        if !model.undoLast() { note("it is refused: \(program.message)") }
    }

    private mutating func switchEnvironment() throws {
        guard let environment = pick(model.settings.environments.map(\.name)) else { return }
        note("switch to the environment \(environment)")
        try program.press("^E")
        try program.choose(environment)
        guard program.state.environment == environment else {
            throw Difference(text: "the environment is \(program.state.environment ?? "none"), not \(environment); \(program.message)")
        }
    }

    // MARK: Other programs

    private mutating func changeOutside() throws {
        let number = number()
        guard chance(80) else {
            guard let service = pick(model.services) else { return }
            let request = SessionFile.Request(name: "x\(number)", path: "http://h.example/x\(number)")
            note("another program writes \(service)/x\(number).yaml")
            try write("# new\npath: 'http://h.example/x\(number)'\n", to: "\(service)/x\(number).yaml")
            model.write("\(service)/x\(number).yaml", .endpoint(request), comment: "# new")
            return try reload()
        }
        guard let target = pick(model.targets), var request = model.request(target), model.drafts[target]?.theirs == nil else { return }
        let draft = model.edited[target]
        if chance(20) {
            note("another program removes \(target).yaml")
            try FileManager.default.removeItem(atPath: folder.path("\(current)/\(target).yaml"))
            removeEmptyFolders(below: target)
            model.files["\(target).yaml"] = nil
        } else {
            let file = "\(target).yaml"
            var text = String(decoding: try folder.read("\(current)/\(file)"), as: UTF8.self)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                request.summary = "outside \(number)"
                text = text.replacing(#/(?m)^description: .*\n/#, with: "") + "description: outside \(number)\n"
            case 1:
                request.path = "http://h.example/o\(number)"
                text = text.replacing(#/(?m)^path: .*$/#, with: "path: \"\(request.path)\"")
            default:
                // Rows of both sides are merged one by one, which the model does not know.
                guard request.headers.isEmpty, draft?.ours.headers.isEmpty != false else { return }
                request.headers = [.init(name: "X-O\(number)", value: "o: \(number)")]
                text += "headers:\n  - {name: X-O\(number), value: 'o: \(number)'}\n"
            }
            note("another program changes \(file)")
            try write(text, to: file)
            model.write(file, .endpoint(request))
        }
        if draft != nil, chance(30) { return try save(target) }
        try reload()
    }

    private func write(_ text: String, to file: String) throws { try folder.write("\(current)/\(file)", text) }

    private mutating func reload() throws {
        try program.perform { _ in [.reloadWorkspace] }
        model.notice()
    }

    private func removeEmptyFolders(below target: String) {
        var path = folder.path("\(current)/\(target)") as NSString
        while true {
            path = path.deletingLastPathComponent as NSString
            guard path as String != folder.path(String(current)), rmdir(path as String) == 0 else { return }
        }
    }
}
