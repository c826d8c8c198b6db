internal import SortieBase
internal import WorkspaceModel

/// The variables of `http-client.env.json` and `http-client.private.env.json`.
struct HTTPFileEnvironments {
    /// The environments in the order of the files.
    private(set) var environments: [WorkspaceEnvironment] = []
    /// The variables of `$shared`.
    private(set) var shared: [String: String] = [:]
    /// The fields of `$default_headers` of `$shared`.
    private(set) var headers: [Parameter] = []
    /// The names of private variables; their values are not kept.
    private(set) var secrets: [String] = []
    private(set) var report = ImportReport()

    static let publicName = "http-client.env.json"
    static let privateName = "http-client.private.env.json"

    /// Reads the files of a folder.
    ///
    /// - Throws: A diagnostic for a file that is not JSON.
    mutating func read(in folder: String, of source: ImportSource) throws(Diagnostic) {
        for (name, isPrivate) in [(Self.publicName, false), (Self.privateName, true)] {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            guard let bytes = source.file(path) else { continue }
            let root = try SourceJSON.node(parsing: bytes, file: path)
            guard let members = root.members else {
                throw Diagnostic(root.place(in: path), "an environment file is an object with an object for each environment")
            }
            for member in members where !member.name.hasPrefix("$schema") {
                guard let variables = member.value.members else {
                    report.add(.omitted, member.name, "an environment is an object of variables", place: member.value.place(in: path))
                    continue
                }
                add(variables, of: member.name, isPrivate: isPrivate, file: path)
            }
        }
    }

    /// Removes variables that are secrets, so that no environment hides them.
    mutating func removeSecrets() {
        for name in secrets {
            shared[name] = nil
            for index in environments.indices { environments[index].variables[name] = nil }
        }
    }

    private mutating func add(_ members: [SourceNode.Member], of environment: String, isPrivate: Bool, file: String) {
        let isShared = environment == "$shared"
        if !isShared, !environments.contains(where: { $0.name == environment }) { environments.append(WorkspaceEnvironment(name: environment)) }
        for member in members {
            let place = member.value.place(in: file)
            let item = "\(environment): \(member.name)"
            if member.name == "$default_headers" {
                guard isShared, !isPrivate, let fields = member.value.members else {
                    report.add(.omitted, item, "fields for one environment cannot be expressed; write them in the service", place: place)
                    continue
                }
                headers += fields.compactMap { field in field.value.text.map { Parameter(field.name, Self.template($0)) } }
                continue
            }
            guard let text = member.value.text else {
                report.add(.omitted, item, "only texts, numbers and truth values are variables", place: place)
                continue
            }
            if isPrivate {
                if !secrets.contains(member.name) { secrets.append(member.name) }
                continue
            }
            let value = Self.template(text)
            if isShared {
                shared[member.name] = value
            } else if let index = environments.firstIndex(where: { $0.name == environment }) {
                if let known = environments[index].variables[member.name], known != value {
                    report.add(.omitted, item, "another environment file has another value, which stays", place: place)
                } else {
                    environments[index].variables[member.name] = value
                }
            }
        }
    }

    private static func template(_ text: String) -> String {
        var translation = HTTPFileTranslation(references: [:])
        return translation.text(text)
    }
}
