import Foundation
import SortieBase
import SortieStorage
import Testing
import WorkspaceModel

/// Tests `envFiles:` of workspace.yaml.
@Suite struct EnvironmentFileReadingTests {
    @Test func `later files replace earlier ones and variables, and credentials are secrets without their values`() throws {
        let workspace = try TemporaryWorkspace([
            "workspace.yaml": """
            name: W
            variables: {HOST: shared, API_KEY: shared, OTHER: kept}
            secrets: {TOKEN: {env: TOKEN}}
            publicValues: [demo]
            envFiles: [.env, .env.local]
            """,
            ".env": "HOST=one\nAPI_KEY=k3y\nTOKEN=no\nDB=postgres://u:s3cret@h/d\nPASSWORD=demo\nTEXT='{{x}}'\nLINE=x-${API_KEY}\n",
            ".env.local": "\nHOST=two\n",
        ]).load()
        #expect(workspace.problems.isEmpty, "\(workspace.problems)")
        #expect(workspace.variables == ["HOST": "two", "OTHER": "kept", "PASSWORD": "demo", "TEXT": "{{$braces}}x}}"])
        let file = workspace.folder + "/.env"
        #expect(
            workspace.secrets == [
                "API_KEY": .file(file, variable: "API_KEY"), "DB": .file(file, variable: "DB"), "LINE": .file(file, variable: "LINE"),
                "TOKEN": .environment("TOKEN"),
            ])
        let rows = VariableTable(workspace).rows
        let host = try #require(rows.first { $0.name == "HOST" }?.definition(in: nil))
        #expect(host.layer == .environmentFile(".env.local") && host.location == SourceLocation(file: ".env.local", line: 2, column: 1))
    }

    @Test func `a file outside of the workspace is not read, also not by a link`() throws {
        let folder = try TemporaryWorkspace(["ws/workspace.yaml": "envFiles: [../.env, link.env]\n", ".env": "HOST=a\n"])
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/ws/link.env", withDestinationPath: folder.path + "/.env")
        let workspace = try withExtendedLifetime(folder) { try WorkspaceFolder(path: folder.path + "/ws").load() }
        #expect(workspace.variables.isEmpty && workspace.secrets.isEmpty)
        let problems = workspace.problems.map(\.message)
        #expect(problems.count == 2 && problems.allSatisfy { $0.contains("is outside of the workspace, and is not read") }, "\(problems)")
    }

    @Test(arguments: [
        ("envFiles: [.env]\n", "", "workspace.yaml:1:12: the variables of .env are not defined: "),
        ("envFiles: [.env]\n", "s3cret line\n", ".env:1:1: this is no variable; write NAME=VALUE, or # before a comment"),
    ])
    func `a missing file and a line that is no variable are reported with their places`(text: String, file: String, problem: String) throws {
        let files = ["workspace.yaml": text].merging(file.isEmpty ? [:] : [".env": file]) { $1 }
        let problems = try TemporaryWorkspace(files).load().problems.map(\.description)
        #expect(problems.count == 1 && problems[0].hasPrefix(problem), "\(problems)")
    }
}
