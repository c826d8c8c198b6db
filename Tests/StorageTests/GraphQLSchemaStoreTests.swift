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

    /// The server of an endpoint with this path, in a workspace whose only service has this server.
    private func server(_ path: String, _ environment: String = "develop", at url: String = "https://a.example") -> GraphQLSchemaStore.Server {
        var workspace = Workspace(name: "Shop", folder: "/work/shop")
        var service = Service(folder: "api", name: "API")
        service.servers = [environment: [url]]
        workspace.services = [service]
        return .init(Endpoint(target: "api/orders", name: "Orders", path: path), in: workspace, environment)
    }

    /// The stored files.
    private func files() throws -> [String] {
        let all = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        return all.filter { $0.hasSuffix(".json") }.map { folder.path($0) }
    }

    @Test func `a schema is kept for the environment, the server and the path`() throws {
        #expect(try store.response(of: server("/graphql")) == nil)
        try store.keep("{}", of: server("/graphql"))
        try store.keep("[]", of: server("/graphql", "release"))
        #expect(try store.response(of: server("/graphql")) == "{}")
        #expect(try store.response(of: server("/graphql", "release")) == "[]")
        #expect(try store.response(of: server("/other")) == nil)
        #expect(try store.response(of: server("/graphql", at: "https://b.example")) == nil)
    }

    @Test func `another workspace has other schemas`() throws {
        try store.keep("{}", of: server("/graphql"))
        #expect(try GraphQLSchemaStore(workspace: "/work/other", cacheFolder: folder.path).response(of: server("/graphql")) == nil)
    }

    @Test func `a schema with a long URL replaces the one before, and only the user can read it`() throws {
        let long = server("/" + String(repeating: "long/", count: 200))
        try store.keep("{}", of: long)
        try store.keep("[]", of: long)
        #expect(try store.response(of: long) == "[]")
        #expect(try files().count == 1)
        #expect(try FileManager.default.attributesOfItem(atPath: try #require(try files().first))[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a schema above the limit is not stored, and removes the one before`() throws {
        try store.keep("{}", of: server("/graphql"))
        try store.keep(String(repeating: " ", count: GraphQLSchemaStore.limit + 1), of: server("/graphql"))
        #expect(try store.response(of: server("/graphql")) == nil)
        #expect(try files().isEmpty)
    }

    @Test func `a file that cannot be read is an error that names it`() throws {
        try store.keep("{}", of: server("/graphql"))
        let file = try #require(try files().first)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        #expect { try store.response(of: server("/graphql")) } throws: { "\($0)".contains(file) }
        #expect { try store.keep("{}", of: server("/graphql")) } throws: { "\($0)".contains(file) }
    }
}
