internal import Model
internal import Terminal

/// The URL as it will be sent, with every variable resolved that can be without asking anybody.
struct RequestPreview {
    /// The URL, or the path as written where the URL cannot be made.
    let text: String
    /// Why it cannot be made.
    let problem: String?

    init(_ state: AppState, _ endpoint: Endpoint) {
        // Built-ins and secrets get their value when it is sent; until then a mark that survives percent-encoding stands for them.
        let names = Placeholders()
        var bare = endpoint
        bare.body = .none
        bare.auth = .none
        bare.headers = []
        var workspace = state.workspace
        workspace.services = workspace.services.filter { $0.folder == endpoint.serviceName }
        for index in workspace.services.indices { workspace.services[index].headers = [] }
        let plan = RequestPlan(workspace: workspace, environment: state.environment)
        let secrets = workspace.secrets
        let scope = plan.scope(of: bare) { name in
            secrets[name] == nil ? nil : names.mark("secret", name)
        } builtin: { name, argument in
            TemplateScope.builtinNames.contains(name)
                ? names.mark("builtin", argument.isEmpty ? name : "\(name) \(argument)") : nil
        }
        do {
            text = Placeholders.restore(state.redaction.maskedURL(try plan.request(for: bare, in: scope).url.description))
            problem = nil
        } catch {
            text = endpoint.path
            problem = error.message
        }
    }
}

/// Marks of unreserved characters that stand for values known only when sending.
private struct Placeholders: Sendable {
    func mark(_ kind: String, _ name: String) -> String {
        let hex = name.utf8.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
        return "SORTIE-\(kind)-\(hex)-EITROS"
    }

    static func restore(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "SORTIE-"), let end = rest[start.upperBound...].firstRange(of: "-EITROS") {
            result += rest[..<start.lowerBound]
            let parts = rest[start.upperBound..<end.lowerBound].split(separator: "-")
            if parts.first == "secret" {
                result += HeaderField.mask
            } else {
                result += "{{$\(name(fromHex: parts.last ?? ""))}}"
            }
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    private static func name(fromHex hex: Substring) -> String {
        let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
