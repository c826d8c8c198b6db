import SortieBase
import SortieStorage
import Synchronization
import Testing

@testable import Interchange

/// Tests the encodings of sources.
struct ImportSourceTests {
    static let texts = [
        ("c.har", #"{"log": {"version": "1.2", "entries": [{"request": {"method": "GET", "url": "http://h/a"}}]}}"#),
        (
            "c.json",
            #"{"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "item": [{"name": "a", "request": {"method": "GET", "url": "http://h/a"}}]}"#
        ),
        ("a.http", "GET http://h/a\n"), ("a.sh", "curl http://h/a\n"),
        ("openapi.yaml", "openapi: 3.0.0\ninfo: {title: T, version: '1'}\nservers: [{url: 'http://h'}]\npaths: {/a: {get: {responses: {}}}}\n"),
    ]

    @Test(arguments: texts) func `a source in UTF-16 or with a byte order mark is read as in UTF-8`(_ name: String, _ text: String) throws {
        func report(_ bytes: [UInt8]) throws -> [String] {
            let source = ImportSource(name: name, bytes: bytes, yaml: YAMLSource.node)
            return try ImportFormats.format(of: source).workspace(from: source).report.lines
        }
        let lines = try report(Array(text.utf8))
        func bytes(mark: [UInt8], _ unit: (UInt16) -> [UInt8]) -> [UInt8] { mark + text.utf16.flatMap(unit) }
        let marked = [0xef, 0xbb, 0xbf] + Array(text.utf8)
        let little = bytes(mark: [0xff, 0xfe]) { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let big = bytes(mark: [0xfe, 0xff]) { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        for bytes in [marked, little, big] { #expect(try report(bytes) == lines) }
    }

    @Test(arguments: [
        ("workspace.yaml", "name: Shop\nenvironments: {dev: {variables: {host: h}}}\n", "workspace.yaml of a workspace of Sortie; open its folder"),
        ("service.yaml", "name: Shop\nservers: {dev: ['http://h']}\n", "the file of a service of Sortie"),
        ("list.yaml", "name: List\nmethod: GET\npath: /orders\n", "an endpoint of Sortie; copy it"),
        ("checkout.yml", "chain: [{send: shop/login}]\n", "a run of Sortie"), ("other.yaml", "name: x\n", "the format is not known"),
        ("broken.yaml", "\topenapi: 3.0.0\n", "broken.yaml:1:1: this is not YAML"), ("broken.json", "{", "broken.json:1:2: not JSON"),
        ("t.json", #"{"clientName": "Thunder Client", "folders": [], "requests": [{"_id": "1"}]}"#, "export it there as a collection of Postman"),
        ("h.json", #"{"v": 2, "name": "h", "folders": [], "requests": [{"v": "4", "endpoint": "<<b>>/x"}]}"#, "a collection of Hoppscotch, which"),
        (
            "o.json", #"{"client": "Thunder Client", "collectionName": "C", "folders": [], "requests": [{"containerId": ""}]}"#,
            "a collection of Thunder Client, which"
        ),
        ("y.json", #"{"yaakSchema": 4, "resources": {}}"#, "an export of Yaak, which"),
        ("w.wsdl", #"<?xml version="1.0"?><definitions xmlns="http://schemas.xmlsoap.org/wsdl/"/>"#, "a description in WSDL, which"),
        ("r.raml", "#%RAML 1.0\ntitle: x", "a description in RAML, which"), ("a.yaml", "asyncapi: 2.6.0\ninfo: {}", "a description in AsyncAPI"),
        ("j.jmx", #"<?xml version="1.0"?><jmeterTestPlan version="1.2"/>"#, "a test plan of JMeter, which"),
        ("h.txt", "http POST :8080/x a=b", "a command of HTTPie or xh, which"), ("w.txt", "wget http://h/x", "a command of wget, which"),
        ("a.paw", "bplist00\u{1}", "a document of Paw or RapidAPI, which"), ("a.paw", "?", "export its requests there as HAR"),
        ("p.xml", #"<?xml version="1.0"?><database><object type="LMREQUEST" id="z1"/></database>"#, "a document of Paw or RapidAPI, which"),
        ("c.zip", "PK\u{3}\u{4}x", "a zip archive; unpack it"), ("c.pdf", "%PDF-1.4", "a PDF document"),
        ("s.graphql", "type Query { a: Int }", "a schema of GraphQL, which"),
        ("h.json", #"[{"v": 2, "name": "h", "folders": [], "requests": []}]"#, "a collection of Hoppscotch, which"),
    ])
    func `a file of a workspace, and of a tool whose format is not imported, is named as what it is`(_ name: String, _ text: String, _ words: String)
    {
        #expect {
            try ImportFormats.format(of: ImportSource(name: name, bytes: Array(text.utf8), yaml: YAMLSource.node))
        } throws: {
            let line = ($0 as? Diagnostic)?.programLine
            return line?.hasPrefix(name) == true && line?.contains(words) == true
        }
    }

    @Test(arguments: [
        ("#!/bin/sh\nwget -qO- http://h/x\n", "this is a command of wget, which is not imported; write the request as a curl command"),
        ("# x\nset -e\nURL=http://h\nxh post $URL/x a=1\n", "this is a command of HTTPie or xh, which is not imported; add --offline"),
        ("/usr/bin/https h/x", "this is a command of HTTPie or xh"), ("ls\n", "there is no curl command"),
    ])
    func `a script with requests of another client says what is possible`(_ text: String, _ words: String) throws {
        let source = ImportSource(name: "a.sh", bytes: Array(text.utf8))
        #expect { try ImportFormats.format(of: source).workspace(from: source) } throws: { "\($0)".contains(words) }
    }

    @Test func `a folder that is a workspace is named as one`() {
        let source = ImportSource(name: "Shop", bytes: [], paths: ["shop/list.yaml", "workspace.yaml"], yaml: YAMLSource.node)
        #expect {
            try ImportFormats.format(of: source)
        } throws: {
            ($0 as? Diagnostic)?.programLine.contains("a workspace of Sortie already; open it with sortie -w Shop") == true
        }
    }

    @Test func `the files of a folder in another format than its own are named`() throws {
        let others = [("README.md", "curl http://h\n"), ("b.hurl", "GET http://h/b\n")]
        let files = Dictionary(uniqueKeysWithValues: (Self.texts + others).map { ($0, Array($1.utf8)) })
        func folder(_ names: [String]) -> ImportSource {
            ImportSource(name: "w", bytes: [], paths: names.sorted(), yaml: YAMLSource.node, files: { files[$0] })
        }
        let all = folder(files.keys.sorted())
        let chosen = try ImportFormats.format(of: all)
        let found = ImportFormats.otherFiles(in: all, than: chosen)
        #expect(chosen.name == "postman", "\(chosen)")
        #expect(found.map { "\($0.path) \($0.format.name)" } == ["a.http http", "a.sh curl", "b.hurl hurl", "c.har har", "openapi.yaml openapi"])
        let http = folder(["a.http", "b.hurl"])
        #expect(ImportFormats.otherFiles(in: http, than: try ImportFormats.format(of: http)).map(\.path) == ["b.hurl"])
        var place = all
        place.isInPlace = true
        #expect(ImportFormats.otherFiles(in: place, than: chosen).map(\.path) == ["a.http", "b.hurl"])
        let problem = try #require(throws: Diagnostic.self) { try ImportFormats.format(of: folder(["a.sh", "README.md", "c.har"])) }
        #expect(problem.message == "these formats are not imported by folder; import each file: a.sh (curl), c.har (har)")
    }

    @Test(arguments: [false, true]) func `a folder is read once, and in place only files of its formats`(_ isInPlace: Bool) throws {
        let files = Dictionary(uniqueKeysWithValues: (Self.texts + [("d.json", "{}")]).map { ($0, Array($1.utf8)) })
        let reads = Mutex<[String]>([])
        var source = ImportSource(name: "w", bytes: [], paths: files.keys.sorted(), yaml: YAMLSource.node) { path in
            reads.withLock { $0.append(path) }
            return files[path]
        }
        source.isInPlace = isInPlace
        let chosen: any ImportFormat.Type = isInPlace ? HTTPFileImport.self : try ImportFormats.format(of: source)
        _ = try chosen.workspace(from: source)
        _ = ImportFormats.otherFiles(in: source, than: chosen)
        let found = reads.withLock { $0 }.filter { files[$0] != nil }.sorted()
        #expect(found == (isInPlace ? ["a.http"] : ["a.http", "a.sh", "c.har", "c.json", "d.json", "openapi.yaml"]))
    }
}
