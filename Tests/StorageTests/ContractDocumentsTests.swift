import Foundation
import SortieBase
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests that the files of descriptions are no endpoints.
@Suite struct ContractDocumentsTests {
    @Test func `files to which a description refers are no endpoints, in the folder of a service and in one that is none`() throws {
        let workspace = try TemporaryWorkspace([
            "workspace.yaml": "name: W\nenvironments: {dev: {}}\n",
            "shop/service.yaml": "servers: {dev: [\"http://h\"]}\ncontract: {openapi: ../specs/api.yaml}\n", "shop/list.yaml": "path: /\n",
            "shop/models/item.yaml": "type: object\nproperties: {id: {type: integer}}\n",
            "specs/api.yaml": "paths:\n  /:\n    $ref: './paths/all%20x.yaml#/x'\n",
            "specs/paths/all x.yaml": "x: {get: {schema: {\"$ref\": \"../../shop/models/item.yaml\"}}}\n",
        ])
        let loaded = try workspace.load()
        #expect(loaded.endpoints.map(\.target) == ["shop/list"] && loaded.problems.map(\.description) == [])
    }

    @Test func `the document of a contract in the folder of another service is no endpoint`() throws {
        let loaded = try TemporaryWorkspace([
            "shop/service.yaml": "contract: {openapi: ../store/api.yaml}\n", "store/service.yaml": "name: Store\n",
            "store/api.yaml": "openapi: 3.1.0\n", "store/other.yaml": "path: http://h/\n",
        ]).load()
        #expect(loaded.endpoints.map(\.target) == ["store/other"] && loaded.problems.map(\.description) == [])
    }

    @Test func `existing files outside of the workspace to which a description leads are its references, also by a link`() throws {
        let workspace = try TemporaryWorkspace([
            "w/workspace.yaml": "name: W\n", "w/shop/service.yaml": "contract: {openapi: api.yaml}\n", "w/shop/list.yaml": "path: http://h/\n",
            "w/shop/api.yaml": "a: {$ref: models.yaml}\nb: {$ref: ../../none.yaml}\nc: {$ref: 'urn:x:../../a.yaml'}\nd: {$ref: link.yaml}\n",
            "w/shop/models.yaml": "$ref: ../../a.yaml\n", "a.yaml": "$ref: b.yaml\n", "b.yaml": "type: string\n", "linked.yaml": "type: string\n",
        ])
        try FileManager.default.createSymbolicLink(atPath: workspace.path + "/w/shop/link.yaml", withDestinationPath: "../../linked.yaml")
        let loaded = try WorkspaceFolder(path: workspace.path + "/w").load()
        let contract = try #require(loaded.service("shop")?.contract)
        #expect(loaded.outsideReferences(of: contract) == [workspace.path + "/a.yaml", workspace.path + "/w/shop/link.yaml"])
        let real = RealPath.of(workspace.path)
        #expect(CapabilityScan(loaded).all == [Capability(.file, real + "/a.yaml"), Capability(.file, real + "/linked.yaml")])
    }

    @Test(arguments: [
        (#"{"$ref": "a.json#/x", "$ref" : "b\/c.json"}"#, ["a.json", "b/c.json"]),
        ("$ref: a.yaml#/x\n- {$ref: './b.yaml', other: 1}", ["./b.yaml", "a.yaml"]),
        ("$ref: '#/components/x'\n$ref: http://h/x.yaml\n$refs: c.yaml\nprice: $5", ["http://h/x.yaml"]), ("$ref:", []),
        ("$dynamicRef: a.yaml#x", ["a.yaml"]), ("$id: http://h/page\nitems: {$ref: page, $dynamicRef: 'other'}", ["other"]),
        ("discriminator: {propertyName: k, mapping: {a: Pet, b: 'x/cat.yaml#/Cat', c: ../dog.json}}", ["../dog.json", "x/cat.yaml"]),
        ("discriminator:\n  mapping:\n    a: Pet\n    b: \"x/cat.yaml#/Cat\"\nproperties:\n  c: d.yaml\n", ["x/cat.yaml"]),
        (#"{"mapping": {"a": "x\/cat.json", "b": "Pet"}, "c": "d.json"}"#, ["x/cat.json"]),
    ])
    func `references are found in JSON and YAML`(text: String, paths: [String]) {
        #expect(ContractDocuments.references(in: Array(text.utf8)).sorted() == paths)
    }
}
