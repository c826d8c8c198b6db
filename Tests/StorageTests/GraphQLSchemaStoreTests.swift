import Foundation
import SortieBase
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests the stored schemas of GraphQL servers.
@Suite struct GraphQLSchemaStoreTests {
    private let folder: TemporaryFolder
    private var store: GraphQLSchemaStore { GraphQLSchemaStore(workspace: "/work/shop", cacheFolder: folder.path) }

    init() throws { folder = try TemporaryFolder() }

    private func endpoint(_ path: String) -> Endpoint { Endpoint(target: "api/orders", name: "Orders", path: path) }

    @Test func `a schema is kept for the environment and the URL of its server`() throws {
        #expect(try store.response(of: endpoint("/graphql"), "develop") == nil)
        try store.keep("{}", of: endpoint("/graphql"), "develop")
        try store.keep("[]", of: endpoint("/graphql"), nil)
        #expect(try store.response(of: endpoint("/graphql"), "develop") == "{}")
        #expect(try store.response(of: endpoint("/graphql"), nil) == "[]")
        #expect(try store.response(of: endpoint("/other"), "develop") == nil)
        #expect(try store.response(of: endpoint("{{host}}/" + String(repeating: "long/", count: 200)), "develop") == nil)
    }

    @Test func `another workspace has other schemas`() throws {
        try store.keep("{}", of: endpoint("/graphql"), nil)
        #expect(try GraphQLSchemaStore(workspace: "/work/other", cacheFolder: folder.path).response(of: endpoint("/graphql"), nil) == nil)
    }

    @Test func `a schema with a long URL replaces the one before, and only the user can read it`() throws {
        let long = endpoint("{{host}}/" + String(repeating: "long/", count: 200))
        try store.keep("{}", of: long, nil)
        try store.keep("[]", of: long, nil)
        #expect(try store.response(of: long, nil) == "[]")
        let files = try #require(FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }.filter { $0.hasSuffix(".json") })
        #expect(files.count == 1)
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(files.first ?? "")")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a file that cannot be read is an error that names it`() throws {
        try store.keep("{}", of: endpoint("/graphql"), nil)
        let file = try #require(FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }.first { $0.hasSuffix(".json") })
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)")
        try FileManager.default.createDirectory(atPath: "\(folder.path)/\(file)", withIntermediateDirectories: false)
        #expect { try store.response(of: endpoint("/graphql"), nil) } throws: { "\($0)".contains(file) }
        #expect { try store.keep("{}", of: endpoint("/graphql"), nil) } throws: { "\($0)".contains(file) }
    }
}
