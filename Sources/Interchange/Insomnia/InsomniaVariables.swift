internal import SortieBase

/// The variables of environments.
enum InsomniaVariables {
    /// The values of an object; those in objects and lists have names such as `a.b` and `a.0`.
    static func flattened(_ node: SourceNode?, _ template: inout InsomniaTemplate, prefix: String = "") -> [String: String] {
        var result: [String: String] = [:]
        let members = node?.members ?? node?.items?.enumerated().map { SourceNode.Member(String($0.offset), $0.element) } ?? []
        for member in members {
            let name = prefix + member.name
            if let text = member.value.text {
                result[name] = template.text(text)
            } else if member.value.isNull {
                result[name] = ""
            } else {
                result.merge(flattened(member.value, &template, prefix: name + ".")) { known, _ in known }
            }
        }
        return result
    }
}
