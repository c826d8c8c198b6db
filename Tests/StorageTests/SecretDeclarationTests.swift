import Foundation
import SortieBase
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests that secrets are declared in the files as a person would, and that their values are stored elsewhere.
@Suite struct SecretDeclarationTests {
    private static let settings = """
        name: Test   # mine
        environments:
          develop: {variables: {token: canary-1, host: a.example}}
          release: {variables: {token: canary-2}}
        variables: {password: canary-3}

        """

    @discardableResult
    private func declare(
        _ secrets: [SecretDeclarations.Secret], replacing variables: [SecretDeclarations.Variable] = [], in workspace: TemporaryWorkspace
    ) throws -> FileChanges {
        try withExtendedLifetime(workspace) {
            try WorkspaceFolder(path: workspace.path).perform(.declareSecrets(SecretDeclarations(secrets, replacing: variables)))
        }
    }

    private static let places: [(SecretPlace, String)] = [
        (.stored("test-token"), "{secret: test-token}"), (.environment("TOKEN"), "{env: TOKEN}"), (.command("print it"), "{command: print it}"),
        (.pass("shop/token"), "{pass: shop/token}"),
        (.keyring([Parameter("service", "shop"), Parameter("account", "me")]), "{keyring: {service: shop, account: me}}"),
        (.vault(path: "secret/shop", field: "token"), "{vault: {path: secret/shop, field: token}}"),
    ]

    @Test(arguments: places) func `a place is written in its short form, and read back`(place: SecretPlace, text: String) throws {
        let workspace = try TemporaryWorkspace(["workspace.yaml": "name: T   # mine\n"])
        try declare([.init("key", in: place)], in: workspace)
        #expect(try workspace.read("workspace.yaml") == "name: T   # mine\nsecrets: {key: \(text)}\n")
        #expect(try workspace.load().secrets == ["key": place.source])
    }

    @Test func `a variable becomes a secret of its name, those of environments become templates, and undo restores them`() throws {
        let workspace = try TemporaryWorkspace(["workspace.yaml": Self.settings])
        let key = VariableKey("token", .environment("develop"))
        let changes = try declare(
            [.init("tokenDevelop", in: .stored("test-tokenDevelop")), .init("password", in: .stored("test-password"))],
            replacing: [
                .init(key, from: "canary-1", to: "{{tokenDevelop}}"), .init(VariableKey("password", .workspace), from: "canary-3", to: nil),
            ], in: workspace)
        let loaded = try workspace.load()
        #expect(loaded.environments[0].variables == ["token": "{{tokenDevelop}}", "host": "a.example"] && loaded.variables.isEmpty)
        #expect(loaded.secrets == ["tokenDevelop": .stored("test-tokenDevelop"), "password": .stored("test-password")])
        let text = try workspace.read("workspace.yaml")
        #expect(!text.contains("canary-1") && !text.contains("canary-3") && text.contains("canary-2") && text.hasPrefix("name: Test   # mine\n"))
        _ = try withExtendedLifetime(workspace) { try WorkspaceFolder(path: workspace.path).perform(.apply(changes.reverted)) }
        #expect(try workspace.read("workspace.yaml") == Self.settings)
    }

    @Test func `a secret of the same name, and a variable that was changed since, are refused without a change`() throws {
        let workspace = try TemporaryWorkspace(["workspace.yaml": Self.settings + "secrets: {key: {env: KEY}}\n"])
        #expect { try declare([.init("key", in: .stored("k"))], in: workspace) } throws: { "\($0)".contains("there is already a secret key") }
        let old = SecretDeclarations.Variable(VariableKey("password", .workspace), from: "seen before", to: nil)
        #expect {
            try declare([.init("p", in: .stored("p"))], replacing: [old], in: workspace)
        } throws: {
            "\($0)".contains("was changed in the meantime")
        }
        #expect(try workspace.read("workspace.yaml") == Self.settings + "secrets: {key: {env: KEY}}\n")
    }

    @Test func `a name in the store that has another value gets a number, and an equal value is stored once`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sortie-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = SecretStore(stateFolder: folder)
        let first = try store.add("one", named: "t")
        let second = try store.add("two", named: "t")
        let again = try store.add("two", named: "t")
        #expect(first.name == "t" && first.isNew && second.name == "t2" && second.isNew && again.name == "t2" && !again.isNew)
        #expect(try store.names() == ["t", "t2"] && store.value(of: "t") == "one" && store.value(of: "t2") == "two")
    }
}
