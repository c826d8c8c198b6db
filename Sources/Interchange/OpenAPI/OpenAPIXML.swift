internal import SortieBase

/// Writes a value as XML in the form that a schema describes (OpenAPI 3.1 §4.8.26).
struct OpenAPIXML {
    let reader: OpenAPIReader

    /// The document for a value; the name of its root comes from the schema.
    func text(of value: JSONValue, schema: OpenAPIValue) -> String {
        let reference = schema["$ref"]?.string?.split(separator: "/").last.map { String($0) }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + element(reference ?? "root", value, schema, indentation: "")
    }

    private func element(_ property: String, _ value: JSONValue, _ schema: OpenAPIValue?, indentation: String) -> String {
        let layers = schema.map { OpenAPISchema($0, reader) }
        let xml = layers?["xml"]
        if case .array(let items) = value {
            let item = layers?["items"]
            let isWrapped = xml?["wrapped"]?.bool == true || xml?["nodeType"]?.text == "element" || indentation.isEmpty
            let own = name(property, xml)
            let inner = item.map { OpenAPISchema($0, reader)["xml"]?["name"]?.text ?? (isWrapped ? itemName(own) : own) } ?? own
            let texts = items.map { element(inner, $0, item, indentation: indentation + (isWrapped ? "  " : "")) }.joined()
            return isWrapped ? "\(indentation)<\(own)\(namespace(xml))>\n\(texts)\(indentation)</\(own)>\n" : texts
        }
        let tag = name(property, xml)
        guard case .object(let members) = value else {
            return "\(indentation)<\(tag)\(namespace(xml))>\(Self.escaped(OpenAPIStyle.text(value)))</\(tag)>\n"
        }
        let properties = Dictionary((layers?.properties ?? []).map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
        var attributes = namespace(xml)
        var content = ""
        for member in members {
            let inner = properties[member.key]
            let description = inner.flatMap { OpenAPISchema($0, reader)["xml"] }
            if description?["attribute"]?.bool == true || description?["nodeType"]?.text == "attribute" {
                attributes += " \(name(member.key, description))=\"\(Self.escaped(OpenAPIStyle.text(member.value)))\""
            } else {
                content += element(member.key, member.value, inner, indentation: indentation + "  ")
            }
        }
        return content.isEmpty ? "\(indentation)<\(tag)\(attributes)/>\n" : "\(indentation)<\(tag)\(attributes)>\n\(content)\(indentation)</\(tag)>\n"
    }

    private func itemName(_ name: String) -> String { name == "root" ? "item" : name }

    private func name(_ property: String, _ xml: OpenAPIValue?) -> String {
        let name = (xml?["name"]?.text ?? property).map { $0.isLetter || $0.isNumber || "_-.:".contains($0) ? $0 : "_" }
        let prefix = xml?["prefix"]?.text.map { $0 + ":" } ?? ""
        return prefix + (name.isEmpty ? "value" : String(name))
    }

    private func namespace(_ xml: OpenAPIValue?) -> String {
        guard let namespace = xml?["namespace"]?.text else { return "" }
        return " xmlns\(xml?["prefix"]?.text.map { ":" + $0 } ?? "")=\"\(Self.escaped(namespace))\""
    }

    /// A text as the content of an element, or of an attribute in double quotes.
    static func escaped(_ text: String) -> String {
        text.replacing(scalars: "&", with: "&amp;").replacing(scalars: "<", with: "&lt;").replacing(scalars: ">", with: "&gt;")
            .replacing(scalars: "\"", with: "&quot;")
    }
}
