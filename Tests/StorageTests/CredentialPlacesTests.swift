import SortieBase
import SortieStorage
import Testing

@testable import WorkspaceModel

@Suite struct CredentialPlacesTests {
    @Test(arguments: [
        ("auth: {bearer: t-1}\n", "token", "t-1", "2:16"),
        // The key decides where two texts have the value.
        ("name: ring\nquery: {key: ring}\n", "key", "ring", "3:14"),
        ("headers:\n  - {name: X-Key, value: k-1}\n", "X-Key", "k-1", "3:26"),
        // A text that contains the value, in which the file writes braces as a template.
        ("auth: {bearer: \"a{{$braces}}b\"}\n", "token", "a{{b", "2:16"),
        ("body:\n  json: |\n    {\"token\": \"t-2\"}\n", "token", "t-2", "3:9"),
        ("auth: {bearer: other}\n", "token", "t-1", nil),
    ]) func `the place of a credential is that of the text with it`(text: String, label: String, value: String, place: String?) throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /\n\(text)"])
        var places = CredentialPlaces(workspace: workspace.path)
        let found = places.place(of: .init(value: value, label: label, name: "x"), in: "shop/a.yaml")
        #expect(found?.description == place.map { "shop/a.yaml:\($0)" })
    }

    @Test func `publicValues: must be a list of texts`() throws {
        let workspace = try TemporaryWorkspace(["workspace.yaml": "publicValues: [demo, \"1\"]"]).load()
        #expect(workspace.publicValues == ["demo", "1"] && workspace.problems.isEmpty)
    }
}
