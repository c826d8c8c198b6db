/// Resolves the templates of a body and gives it its media type.
struct BodyPlan {
    var resolved: (String, String) throws(Problem) -> String
    var rows: ([Parameter], String) throws(Problem) -> [(name: String, value: String)]

    func body(of template: BodyTemplate) throws(Problem) -> RequestBody {
        switch template {
        case .none:
            return .none
        case .json(let text):
            return .text(try resolved(text, "body"), contentType: "application/json")
        case .form(let fields):
            return .form(try rows(fields, "form field"))
        case .plist(let text):
            return .text(try resolved(text, "body"), contentType: "application/x-plist")
        case .text(let text, let contentType):
            return .text(try resolved(text, "body"), contentType: contentType ?? "text/plain; charset=utf-8")
        case .file(let path, let contentType):
            let path = try resolved(path, "body file")
            return .file(path: path, contentType: contentType ?? MediaType.forFile(named: path))
        case .multipart(let parts):
            var result: [RequestBody.Part] = []
            for part in parts where part.isEnabled { result.append(try self.part(part)) }
            return .multipart(result)
        }
    }

    private func part(_ part: BodyTemplate.Part) throws(Problem) -> RequestBody.Part {
        let name = try resolved(part.name, "part")
        let value = try resolved(part.value, "part “\(name)”")
        guard part.isFile else {
            return .init(name: name, content: .bytes(Array(value.utf8)), fileName: part.fileName, contentType: part.contentType)
        }
        let lastComponent = value.split(separator: "/").last.map(String.init) ?? value
        return .init(
            name: name, content: .file(path: value), fileName: part.fileName ?? lastComponent,
            contentType: part.contentType ?? MediaType.forFile(named: value))
    }
}
