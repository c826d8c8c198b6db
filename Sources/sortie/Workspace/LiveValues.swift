internal import Foundation
internal import Model

/// What templates get from the world: the clock, chance, the environment, files, secrets, the person.
struct LiveValues: Sendable {
    /// The workspace's folder, where `{{$file PATH}}` begins.
    private let folder: String
    /// Where secrets come from.
    private let secrets: [String: SecretSource]
    /// Whether a person can be asked.
    private let mayAsk: Bool
    /// What the workspace may do on this machine: compared before anything is resolved, and enforced here.
    private let permission: WorkspacePermission
    /// Is told the value of each secret that is used.
    let used: @Sendable (String) -> Void

    /// The values for the templates of a workspace.
    init(_ workspace: Workspace, mayAsk: Bool, permission: WorkspacePermission, used: @escaping @Sendable (String) -> Void) {
        (folder, secrets) = (workspace.folder, workspace.secrets)
        (self.mayAsk, self.permission, self.used) = (mayAsk, permission, used)
    }

    /// The scope of an endpoint's templates with live values behind it.
    func scope(of endpoint: Endpoint, plan: RequestPlan) -> TemplateScope {
        plan.scope(of: endpoint, secret: secret, builtin: builtin)
    }

    @Sendable private func builtin(_ name: String, _ argument: String) throws(TemplateError) -> String? {
        switch name {
        case "uuid": return UUID().uuidString.lowercased()
        case "timestamp": return String(Int(Date().timeIntervalSince1970))
        case "date": return LiveValues.date(format: argument)
        case "random": return try LiveValues.random(below: argument)
        case "env":
            try require(permission.permits(Capability(.environment, argument)), "read the environment variable \(argument)")
            return ProcessInfo.processInfo.environment[argument]
        case "file": return try file(argument)
        case "prompt": return try prompt(argument)
        default: return nil
        }
    }

    private static func date(format: String) -> String {
        guard !format.isEmpty else { return Date().formatted(.iso8601) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = format
        return formatter.string(from: Date())
    }

    private static func random(below text: String) throws(TemplateError) -> String {
        guard !text.isEmpty else { return String(Int.random(in: 0..<1_000_000)) }
        guard let bound = Int(text), bound > 0 else { throw TemplateError("{{$random \(text)}} needs a whole number above 0") }
        return String(Int.random(in: 0..<bound))
    }

    private func file(_ path: String) throws(TemplateError) -> String {
        let place = FilePath.joining(folder, path)
        try require(permission.permitsReading(place), "read the file \(place)")
        do { return try String(contentsOfFile: place, encoding: .utf8) } catch {
            throw TemplateError("{{$file \(path)}}: \(place) cannot be read as text")
        }
    }

    private func prompt(_ label: String) throws(TemplateError) -> String {
        guard mayAsk, isatty(STDIN_FILENO) == 1 else {
            throw TemplateError(
                "{{$prompt \(label)}} wants an answer, and nobody can be asked here; use a variable and --var instead")
        }
        StandardError.raw("\(label): ")
        guard let line = readLine() else { throw TemplateError("{{$prompt \(label)}} got no answer") }
        return line
    }

    @Sendable private func secret(_ name: String) throws(TemplateError) -> String? {
        let value = try value(ofSecret: name)
        if let value { used(value) }
        return value
    }

    private func value(ofSecret name: String) throws(TemplateError) -> String? {
        switch secrets[name] {
        case nil: return nil
        case .environment(let variable):
            try require(permission.permits(Capability(.environment, variable)), "read the environment variable \(variable)")
            guard let value = ProcessInfo.processInfo.environment[variable] else {
                throw TemplateError("the secret \(name) comes from the environment variable \(variable), which is not set")
            }
            return value
        case .command(let command):
            try require(permission.permits(Capability(.command, command)), "run the command of the secret \(name)")
            return try LiveValues.output(of: command, secret: name)
        }
    }

    private func require(_ isPermitted: Bool, _ action: String) throws(TemplateError) {
        guard !isPermitted else { return }
        throw TemplateError("the workspace may not \(action); \(permission.remedy) permits it")
    }

    private static func output(of command: String, secret: String) throws(TemplateError) -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        do { try process.run() } catch { throw TemplateError("the command of the secret \(secret) cannot be run") }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0, let text = String(data: data, encoding: .utf8) else {
            throw TemplateError("the command of the secret \(secret) failed with status \(process.terminationStatus)")
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
