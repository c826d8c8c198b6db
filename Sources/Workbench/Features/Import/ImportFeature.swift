internal import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

/// Importing files of other tools with a preview, and pasted curl command lines.
struct ImportFeature: Feature {
    let stacks: [[Context]] = [[.importPreview, .reading]]

    var bindings: [Binding] {
        [
            Binding(.importPreview, [.enter], .importNow, "Import", "Import what the preview shows; it can be undone", hint: 1),
            Binding(
                .everywhere, [], .importFile, "Import…", "Import a file or folder of another tool into the workspace, after a preview"
            ).alsoKnownAs("curl", "OpenAPI", "Postman", "Insomnia", "HAR", "Bruno", "http", "proto"),
            Binding(
                .everywhere, [], .importServices, "Import gRPC services…", "Add the methods that a gRPC server describes, after a preview"
            ).alsoKnownAs("gRPC", "reflection"),
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .importFile: return Self.chooseFile(&state)
        case .importServices: return Self.enterServer(&state)
        case .importNow: return Self.performImport(&state)
        default: return nil
        }
    }

    func pasted(_ text: String, in contexts: [Context], _ state: inout AppState) -> [Effect]? {
        let isInURL = state.typedText?.place == .url
        guard isInURL || state.popups.isEmpty && !contexts.contains(.field), PastedCommand.isCommand(text) else { return nil }
        state.toast = Toast("Reading the curl command…")
        return [.readCommands(state.nextJob(ReadCommandsJob()), text)]
    }

    // MARK: Files

    private static func chooseFile(_ state: inout AppState) -> [Effect] {
        state.stopEditing()
        state.stopTyping()
        return FilePickerFeature.open(in: state.folders.current, wanted: nil, for: .importing, &state) { path, state in
            plan(path, named: FilePath.name(of: path), &state)
        }
    }

    private static func plan(_ source: String, named name: String, server: String? = nil, _ state: inout AppState) -> [Effect] {
        let id = state.nextJob(PlanImportJob(server: server))
        state.toast = Toast("Reading \(name)…", job: id)
        return [.planImport(id, source)]
    }

    private static func enterServer(_ state: inout AppState) -> [Effect] {
        state.stopEditing()
        state.stopTyping()
        state.popups.show(serverPrompt(""))
        return []
    }

    private static func serverPrompt(_ text: String, problem: String? = nil) -> Prompt {
        var prompt = Prompt(
            "gRPC server", text, placeholder: "127.0.0.1:50051 or grpcs://shop.example",
            message: "The server describes its services by reflection; it is asked without credentials."
        ) { prompt, state in
            let text = prompt.text.trimmingEnd
            guard !text.isEmpty else { return [] }
            state.popups.pop()
            let source = serverSource(text)
            return plan(source, named: source, server: text, &state)
        }
        prompt.problem = problem
        return prompt
    }

    /// The source of a typed server; without TLS where no scheme is typed.
    private static func serverSource(_ text: String) -> String {
        for (scheme, source) in ["grpc://": "grpc://", "grpcs://": "grpcs://", "http://": "grpc://", "https://": "grpcs://"]
        where text.hasPrefix(scheme) { return source + text.dropFirst(scheme.count) }
        return "grpc://\(text)"
    }

    static func planned(_ id: JobID, _ outcome: ImportPreview.Outcome, _ state: inout AppState) {
        guard let job = state.finishJob(id, PlanImportJob.self) else { return }
        switch outcome {
        case .failed(let sentence):
            guard let server = job.server, state.mayOpen("The address of the server") else {
                state.notify("Not imported: \(sentence)", .error)
                return
            }
            state.toast = nil
            state.popups.show(serverPrompt(server, problem: sentence))
        case .done(let preview):
            guard state.mayOpen("The preview of the import") else { return }
            state.popups.show(ImportPopup(preview: preview))
        }
    }

    private static func performImport(_ state: inout AppState) -> [Effect] {
        guard let preview = (state.popup as? ImportPopup)?.preview else { return [] }
        state.popups.pop()
        guard !preview.changes.changes.isEmpty else {
            state.notify("Nothing was changed: the workspace has it already")
            return []
        }
        for line in preview.report where ![.imported, .unchanged].contains(line.kind) {
            state.log.append(LogEntry(line.kind == .omitted ? .warning : .info, source: "import", "\(line.kind.rawValue): \(line.text)"))
        }
        let text = "Imported \(FilePath.name(of: preview.source)): \(preview.counts)"
        // As every change of the files, it is refused where a file changed since the preview, and can be undone.
        return ItemsFeature.start(.init(edit: .apply(preview.changes), text: text), &state)
    }
}

extension Context {
    /// The preview of an import.
    static let importPreview = Context("Import")
}

extension Command {
    static let importFile = Command.named("importFile")
    static let importServices = Command.named("importServices")
    static let importNow = Command.named("importNow", isInPalette: false)
}

/// Determining what an import would change.
struct PlanImportJob: Job {
    /// The address of the gRPC server as it was typed; nil for another source.
    var server: String?
    static let isReplaced = true
    static let opensPopup = true
    static let cancelMessage: String? = "The import was cancelled; nothing was written"
}

/// Reading pasted curl command lines.
struct ReadCommandsJob: Job {
    static let isReplaced = true
}
