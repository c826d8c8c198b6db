internal import SortieBase

/// The formats of other tools that are recognized, so that the message names them, but not imported.
enum OtherFormats {
    /// What a source is, with the remedy; nil for an unknown one.
    static func remedy(of source: ImportSource) -> String? {
        guard source.paths == nil else { return nil }
        let start = source.start(1 << 16)
        if let binary = binaries.first(where: { start.starts(with: $0.start) }) { return binary.remedy }
        if [".paw", ".rapidapi"].contains(where: source.name.lowercased().hasSuffix) { return documentOfPaw }
        let names = JSONOutline.names(in: start)
        if let known = known(names) { return known }
        let text = String(decoding: start, as: UTF8.self)
        if !names.isEmpty {
            return members.first { text.contains($0.mark) }?.remedy
        }
        let trimmed = text.drop { $0.isWhitespace || $0 == "\u{feff}" }
        if trimmed.hasPrefix("<") { return elements.first { element in element.marks.contains(where: trimmed.contains) }?.remedy }
        if let known = lines.first(where: { line in line.starts.contains(where: trimmed.hasPrefix) }) { return known.remedy }
        var words = trimmed.prefix { !$0.isNewline }.split { $0.isWhitespace }
        if words.first == "$" { words.removeFirst() }
        return words.count > 1 ? CurlScript.remedy(ofCommand: String(words[0])) : nil
    }

    private static let asCurl = "which is not imported; copy its requests as curl, and import these"
    private static let asOpenAPI = "which is not imported; convert it to OpenAPI"
    private static let asHAR = "which is not imported; record its requests as HAR, or write them as curl commands"
    private static let documentOfPaw =
        "a document of Paw or RapidAPI, which is not imported; export its requests there as HAR or as a collection of Postman"

    /// The first bytes of files that are no text.
    private static let binaries: [(start: [UInt8], remedy: String)] = [
        (Array("PK\u{3}\u{4}".utf8), "a zip archive; unpack it, and import its files or the folder"),
        ([0x1f, 0x8b], "compressed with gzip; uncompress it first, with gunzip"),
        (Array("bplist00".utf8), documentOfPaw),
        (Array("SQLite format 3\0".utf8), "a database of SQLite, which is not imported; export the requests there"),
        (Array("%PDF-".utf8), "a PDF document; import the OpenAPI document of the API, or write its requests as curl commands"),
    ]

    private static func known(_ names: Set<String>) -> String? {
        if names.contains("clientName") || names.contains("requests[].containerId") || names.contains("client") && names.contains("collectionName") {
            return "a collection of Thunder Client, which is not imported; export it there as a collection of Postman"
        }
        let isHoppscotch = ["", "[]."].contains { root in
            names.contains(root + "v") && (names.contains(root + "requests") || names.contains(root + "folders"))
        }
        if isHoppscotch { return "a collection of Hoppscotch, \(asCurl)" }
        if names.contains("yaakSchema") || names.contains("yaakVersion") { return "an export of Yaak, \(asCurl)" }
        if names.contains("asyncapi") { return "a description in AsyncAPI, whose messages are not imported" }
        if names.contains("swaggerVersion") { return "a description in Swagger 1, \(asOpenAPI)" }
        if names.contains("apifoxProject") || names.contains("apidogProject") {
            return "an export of Apidog, which is not imported; export it there as OpenAPI"
        }
        return nil
    }

    /// Texts in JSON.
    private static let members: [(mark: String, remedy: String)] = [
        ("discovery#restDescription", "a discovery document of Google, \(asOpenAPI)"),
        ("\"httpie\"", "an export of HTTPie Desktop, \(asCurl)"),
    ]

    /// Texts in XML.
    private static let elements: [(marks: [String], remedy: String)] = [
        (["type=\"LMREQUEST\"", "CoreData.dtd"], documentOfPaw), (["<jmeterTestPlan"], "a test plan of JMeter, \(asHAR)"),
        (["http://schemas.xmlsoap.org/wsdl", "http://www.w3.org/ns/wsdl"], "a description in WSDL, \(asHAR)"),
        (["http://wadl.dev.java.net"], "a description in WADL, \(asOpenAPI)"),
        (["<con:soapui-project"], "a project of SoapUI, \(asHAR)"),
        (["<edmx:Edmx"], "the metadata of an OData service, \(asOpenAPI)"),
    ]

    /// The beginnings of texts.
    private static let lines: [(starts: [String], remedy: String)] = [
        (["#%RAML"], "a description in RAML, \(asOpenAPI)"),
        (["asyncapi:"], "a description in AsyncAPI, whose messages are not imported"),
        (["FORMAT: 1A"], "a description in API Blueprint, \(asOpenAPI)"),
        (["type Query", "schema {", "type Mutation"], "a schema of GraphQL, which has no requests; write an endpoint with graphql:"),
    ]
}
