internal import ArgumentParser
internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieStorage
internal import WorkspaceModel

/// `sortie trust`: lists what a workspace requires on this machine and permits it.
struct TrustCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust", abstract: "Show what a workspace requests to do on this machine, and permit it.",
        discussion: """
            Opening, listing, checking and editing a workspace needs no permission. Sending requires it once if the files contain commands, \
            environment variables, files elsewhere, proxies, servers that are not verified, or hosts that receive secrets. The permission applies \
            to this folder and this list; later additions require it again. For CI: SORTIE_TRUST=DIGEST, with the digest that --list prints.
            """)

    @Argument(help: "The folder of the workspace; by default the nearest one upward.", completion: .directory)
    var folder: String?

    @OptionGroup var source: WorkspaceFolderOption

    @Flag(help: "Permit without a question. By default a question is asked on a terminal, and nothing is permitted elsewhere.")
    var allow = false

    @Flag(help: "Print the list and its digest, and permit nothing.")
    var list = false

    @Flag(help: "Revoke the permission.")
    var revoke = false

    @Flag(help: "Print one JSON record instead of text.")
    var json = false

    func validate() throws {
        if [allow, list, revoke].count(where: \.self) > 1 { throw ValidationError("--allow, --list and --revoke exclude each other") }
    }

    func run(in program: ProgramContext) throws {
        let workspace = try WorkspaceSource.load(named: try source.folder(or: folder), in: program)
        let identity = TrustStore.identity(of: workspace)
        let store = TrustStore(stateFolder: program.folders.state)
        if revoke {
            let wasThere = try store.revoke(identity)
            return say(wasThere ? "Revoked the permission of \(identity)." : "\(identity) had no permission.", in: program)
        }
        let all = WorkspacePermission.scan(of: workspace, program.folders).all
        // The capabilities of the shipped demo are permitted without a stored list.
        let isDemo = !all.isEmpty && TrustStore.digest(of: all) == TrustStore.demoDigest
        let permitted = isDemo ? all : try store.permitted(in: identity)
        if !json { show(workspace, all, permitted, isAllowed: allow, in: program) }
        // The list is stored even where it becomes shorter: capabilities that the files no longer contain then require permission again.
        guard !list, !all.isEmpty, all != permitted, isConfirmed(in: program) else {
            if json { program.output.write(record(of: workspace, identity, all, permitted).text + "\n") }
            if !list, !json, !all.isSubset(of: permitted) {
                say("To permit it: sortie trust --allow \(ShellQuote.quoted(identity))", in: program)
            }
            return
        }
        try store.permit(all, in: identity)
        guard !json else { return program.output.write(record(of: workspace, identity, all, all).text + "\n") }
        say("Permitted. To revoke it: sortie trust --revoke \(ShellQuote.quoted(identity))", in: program)
    }

    private func show(_ workspace: Workspace, _ all: Set<Capability>, _ permitted: Set<Capability>, isAllowed: Bool, in program: ProgramContext) {
        guard !all.isEmpty else { return say("The workspace “\(workspace.name)” requests nothing that needs permission.", in: program) }
        let new = all.subtracting(permitted)
        let isPermitted = new.isEmpty
        var lines = ["The workspace “\(workspace.name)” in \(workspace.folder) \(isPermitted ? "is permitted" : "requests permission") to:"]
        lines += CapabilityList(all, new: permitted.isEmpty ? [] : new).sentences.map { "  - \($0)" }
        // With --allow it is permitted below.
        let state = isPermitted ? "Permitted.  " : isAllowed ? "" : "Not permitted.  "
        lines.append("\(state)Digest: \(TrustStore.digest(of: all))")
        for line in lines { say(line, in: program) }
    }

    private func record(of workspace: Workspace, _ identity: String, _ all: Set<Capability>, _ permitted: Set<Capability>) -> JSONValue {
        let items: [JSONValue] = all.sorted().map { capability in
            [
                "kind": .string(capability.kind.rawValue), "subject": .string(capability.subject),
                "destination": .optional(capability.destination.isEmpty ? nil : capability.destination),
                "permitted": .bool(permitted.contains(capability)),
            ]
        }
        return [
            "workspace": .string(workspace.name), "folder": .string(identity), "digest": .string(TrustStore.digest(of: all)),
            "permitted": .bool(all.isSubset(of: permitted)), "capabilities": .array(items),
        ]
    }

    /// Whether the user permits it, by the option or by the answer at a terminal; without a terminal only the option permits it.
    private func isConfirmed(in program: ProgramContext) -> Bool {
        if allow { return true }
        guard program.input.isTerminal, program.output.isTerminal, !json else { return false }
        program.errors.raw("Permit this? [y/N] ")
        return ["y", "yes"].contains(program.input.line()?.lowercased() ?? "")
    }

    private func say(_ line: String, in program: ProgramContext) {
        if json { program.errors.line(line) } else { program.output.write(VisibleLine.of(line) + "\n") }
    }
}
