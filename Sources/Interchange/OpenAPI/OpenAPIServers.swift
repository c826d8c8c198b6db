internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The servers of a description as those of services, with environments and variables.
struct OpenAPIServers {
    /// One server.
    private struct Server {
        var name: String
        var url: String
        var variables: [String: String] = [:]
    }

    let reader: OpenAPIReader
    /// The environments in the order of the description; empty where no list has several servers.
    private(set) var environments: [WorkspaceEnvironment] = []
    private(set) var variables: [String: String] = [:]
    /// The names of path parameters and secrets, which a variable of a server must not have.
    private let taken: Set<String>

    init(_ reader: OpenAPIReader, taken: Set<String>) {
        (self.reader, self.taken) = (reader, taken)
    }

    /// The servers by environment for a list of server objects; empty where none of them can be used.
    mutating func ring(_ list: OpenAPIValue) -> [String: [String]] {
        var servers: [Server] = []
        for value in list.items {
            guard let object = reader.resolved(value) else { continue }
            guard let url = object["url"]?.text else {
                reader.add(.omitted, "servers", "a server must have a url", at: value)
                continue
            }
            let server = read(object, url)
            if let problem = ImportedURL.problem(of: server.url) {
                let name = Redaction.standard.masked(url)
                reader.addOnce(.omitted, name, "the server is not imported: \(problem)", at: object, key: "server \(object.place)")
            } else {
                servers.append(server)
            }
        }
        return ring(servers)
    }

    /// The server of Swagger 2.0: scheme, host and base path.
    mutating func swaggerRing(_ root: OpenAPIValue) -> [String: [String]] {
        let schemes = (root["schemes"]?.texts ?? []).filter { $0 == "https" || $0 == "http" }
        let basePath = root["basePath"]?.text ?? ""
        let path = basePath.hasPrefix("/") || basePath.isEmpty ? basePath : "/" + basePath
        guard let host = root["host"]?.text, !host.isEmpty else { return ring([Server(name: "local", url: local(path, at: root))]) }
        let scheme = schemes.contains("https") || schemes.isEmpty ? "https" : "http"
        if schemes.count > 1 { reader.add(.changed, host, "schemes: \(scheme) is used", at: root["schemes"] ?? root) }
        return ring([Server(name: host, url: Template.quoting("\(scheme)://\(host)\(path)"))])
    }

    /// The server of a description that names none.
    mutating func localRing(at value: OpenAPIValue) -> [String: [String]] { ring([Server(name: "local", url: local("", at: value))]) }

    private mutating func ring(_ servers: [Server]) -> [String: [String]] {
        guard let first = servers.first else { return [:] }
        variables.merge(first.variables) { old, _ in old }
        var result = [ImportedService.everywhere: [trimmed(first.url)]]
        guard servers.count > 1 else { return result }
        var names: Set<String> = []
        for server in servers {
            let name = names.insertNumbered(server.name)
            result[name] = [trimmed(server.url)]
            let index = environments.firstIndex { $0.name == name } ?? environments.count
            if index == environments.count { environments.append(WorkspaceEnvironment(name: name)) }
            for (variable, value) in server.variables where variables[variable] != value { environments[index].variables[variable] = value }
        }
        return result
    }

    /// The URLs of a server object: that of the default values of its variables, then those of their other values, 100 at most.
    static func urls(of server: OpenAPIValue) -> [String] {
        // A value can have several segments.
        (server["variables"]?.members ?? []).reduce([server["url"]?.text ?? ""]) { urls, variable in
            let first = variable.value["default"]?.text ?? ""
            let values = [first] + (variable.value["enum"]?.texts ?? []).filter { $0 != first }
            return Array(values.lazy.flatMap { value in urls.map { $0.replacing("{\(variable.name)}", with: value) } }.prefix(100))
        }
    }

    /// The host of the first server for the name of a service.
    static func host(of list: OpenAPIValue) -> String {
        let url = list.items.first?["url"]?.text ?? ""
        let host = (url.firstRange(of: "//").map { url[$0.upperBound...] } ?? url[...]).prefix { $0 != "/" }
        return String((host.isEmpty ? url[...] : host).filter { $0 != "{" && $0 != "}" })
    }

    private func trimmed(_ url: String) -> String {
        var url = url
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }

    private mutating func read(_ value: OpenAPIValue, _ text: String) -> Server {
        // Two braces would be a template with a value of the workspace.
        var url = Template.quoting(text.filter { !$0.isWhitespace })
        var values: [String: String] = [:]
        let declared = value["variables"]?.members ?? []
        for name in OpenAPIDocument.parameters(in: text)
        where url.contains("{\(name)}") && !declared.contains(where: { $0.name == name }) && PathParameter.isName(name) {
            // A scheme must be literal.
            let isScheme = url.hasPrefix("{\(name)}://")
            if !isScheme, url.hasPrefix("{") { continue }
            let prompt = ImportedWorkspace.prompt(name)
            let variable = freeName(name, prompt)
            if !isScheme { values[variable] = prompt }
            url = url.replacing("{\(name)}", with: isScheme ? "https" : "{{\(variable)}}")
            let remedy = isScheme ? "is replaced by “https”" : "is asked for, until it is written under variables: of workspace.yaml"
            reader.addOnce(
                .changed, text, "the description has no value of the variable \(name), which \(remedy)", at: value,
                key: "variable \(name) \(value.place)")
        }
        for member in declared where url.contains("{\(member.name)}") {
            let texts = member.value["enum"]?.texts ?? []
            let standard = member.value["default"]?.text ?? texts.first ?? ""
            let placeholder = "{\(member.name)}"
            let others = texts.isEmpty ? "" : "; it can be \(texts.joined(separator: ", "))"
            // A scheme and a whole URL must be literal.
            let isLiteral = url.hasPrefix(placeholder) || !PathParameter.isName(member.name)
            if isLiteral || !texts.isEmpty {
                reader.addOnce(
                    .changed, text, "the variable \(member.name) \(isLiteral ? "is replaced by" : "is") “\(standard)”\(others)", at: member.value,
                    key: "variable \(member.value.place)")
            }
            if isLiteral {
                url = url.replacing(placeholder, with: Template.quoting(standard))
                continue
            }
            let template = Template.quoting(standard)
            let name = freeName(member.name, template)
            values[name] = template
            url = url.replacing(placeholder, with: "{{\(name)}}")
        }
        let description = OpenAPIText.line(value["name"]?.text ?? value["description"]?.text)
        if url.hasPrefix("//") { url = "https:" + url }
        if !url.contains("://") { url = local(url, at: value) }
        let host = url.firstRange(of: "://").map { String(url[$0.upperBound...].prefix { $0 != "/" }) } ?? url
        return Server(name: Self.environmentName(description, host: host), url: url, variables: values)
    }

    private func freeName(_ name: String, _ value: String) -> String {
        var result = name
        var number = 2
        while taken.contains(result) || variables[result].map({ $0 != value }) == true && environments.isEmpty {
            result = "\(name)\(number)"
            number += 1
        }
        return result
    }

    private static func environmentName(_ description: String?, host: String) -> String {
        var name = FileNames.slug(description ?? "")
        for ending in ["-server", "-environment", "-api"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
        if (1...30).contains(name.count) { return name }
        let slug = FileNames.slug(host)
        return slug.isEmpty ? "server" : slug
    }

    private func local(_ path: String, at value: OpenAPIValue) -> String {
        reader.add(
            .changed, path.isEmpty ? "servers" : path, "the description names no host; http://localhost is used, change servers in service.yaml",
            at: value)
        let isName = path.isEmpty || path.hasPrefix("/")
        return "http://localhost" + (isName ? path : "/" + path.drop { $0 == "." || $0 == "/" })
    }
}
