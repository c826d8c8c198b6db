import Interchange
import SortieBase
import Testing
import WorkspaceModel

@Suite struct DotenvImportTests {
    @Test func `an environment file is variables, which keep braces as text`() throws {
        let source = ImportSource(name: ".env", bytes: Array("HOST=localhost\nTEXT='{{x}}'\n".utf8))
        let format = try ImportFormats.format(of: source)
        #expect(format.name == "dotenv")
        #expect(try format.workspace(from: source).variables == ["HOST": "localhost", "TEXT": "{{$braces}}x}}"])
        let references = try format.workspace(from: ImportSource(name: ".env", bytes: Array("API_KEY=k3y\nA=x${API_KEY}\nB=${NONE}\n".utf8)))
        #expect(references.secretVariables.contains("A") && references.variables["A"] == "xk3y" && references.variables["B"] == "${NONE}")
        let changed = references.report.entries.filter { $0.outcome == .changed }
        #expect(changed.map(\.item) == ["variable B"])
        let script = ImportSource(name: "s", bytes: Array("TOKEN=a\ncurl -H \"X: $TOKEN\" h\n".utf8))
        #expect(try ImportFormats.format(of: script).name == "curl")
    }
}
