import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests exported locustfiles by their text; `LocustRunTests` runs one.
struct LocustExportTests {
    private let workspace = ExportFixture.workspace("http://h", [ExportFixture.login(), ExportFixture.order()])

    @Test func `a chain is a task whose steps run in order with their expectations and captures`() throws {
        let exported = try LocustExport.text(of: ExportFixture.run(ExportFixture.chain(), in: workspace))
        for piece in [
            "class CheckOut(Steps):", "    host = \"http://h\"", "for step in (self.login, self.order,):", "\"POST\",\n            \"/login\",",
            "(\"status\", STATUS, \"=\", \"200\", False)", "(\"$.items[0].id\", [[\"items\"], [0], [\"id\"]], \">\", \"5\", False)",
            "(\"$..id\", [[DEEP, \"id\"]], \"type\", \"integer\", False)", "(\"login.token\", [[\"token\"]], True)",
            "(\"login.all\", [[\"items\"], [ANY], [\"id\"]], False)", "quote(values[\"login.id\"], safe=\"\")",
        ] {
            #expect(exported.contains(piece), "\(piece): \(exported)")
        }
    }

    @Test func `a value of a secret path is not in the messages`() throws {
        let exported = try LocustExport.text(of: ExportFixture.run(ExportFixture.chain(), in: workspace))
        #expect(exported.contains("(\"$.token\", [[\"token\"]], \"matches\", \"^T\", True)"), "\(exported)")
    }

    @Test func `equal steps of a batch are one task with a weight`() throws {
        let step = RunDefinition.Step(target: "s/login", name: "a")
        let batch = RunDefinition(
            name: "b", kind: .batch, steps: [step, step, RunDefinition.Step(target: "s/login", name: "c", variables: ["name": "x"])])
        let exported = try LocustExport.text(of: ExportFixture.run(batch, in: workspace))
        #expect(exported.contains("@task(2)\n    def a(self):") && exported.contains("@task(1)\n    def c(self):"), "\(exported)")
    }

    @Test func `the steps of the start run once for each user`() throws {
        let exported = try LocustExport.text(of: ExportFixture.run(ExportFixture.chain(), in: workspace, start: "login"))
        #expect(
            exported.contains("for step in (self.login,):\n            if not step(self.shared):") && exported.contains("for step in (self.order,):"))
        #expect(throws: Diagnostic.self) {
            try LocustExport.text(of: ExportFixture.run(ExportFixture.chain(), in: workspace, start: "other"))
        }
    }

    @Test func `rows are written, without columns of credentials`() throws {
        let rows = [["name": "é\"", "password": "canary"], ["name": "b", "password": "canary"]]
        let source = try ExportFixture.run(ExportFixture.chain(), in: workspace, rows: rows)
        let exported = try LocustExport.text(of: source)
        #expect(
            exported.contains("{\"name\": \"é\\\"\", \"password\": os.environ.get(\"SORTIE_PASSWORD\", \"\")},") && !exported.contains("canary"),
            "\(exported)")
        #expect(exported.contains("values[\"name\"]"))
        #expect(try LocustExport.notes(of: source).contains { $0.contains("password") })
    }

    @Test func `variables of the command line can be replaced, and credentials among them have no value`() throws {
        var source = try ExportFixture.run(ExportFixture.chain(), in: workspace)
        source.variables = ["pageSize": "5", "password": "canary", "fromFile": "canary"]
        source.hiddenVariables = ["fromFile"]
        let exported = try LocustExport.text(of: source)
        #expect(exported.contains("\"pageSize\": os.environ.get(\"SORTIE_PAGE_SIZE\", \"5\"),"), "\(exported)")
        #expect(exported.contains("os.environ[\"SORTIE_PASSWORD\"]") && !exported.contains("canary"))
    }

    @Test func `the envelope of the service is an expectation`() throws {
        var changed = workspace
        changed.services[0].envelope = Envelope(codePath: try JSONPath("$.code"), success: [.number("200"), .string("ok")])
        let exported = try LocustExport.text(of: ExportFixture.run(ExportFixture.chain(), in: changed))
        #expect(exported.contains("(\"$.code\", [[\"code\"]], \"in\", [\"200\", \"ok\"], False)"), "\(exported)")
    }

    @Test func `filters of JSON paths are functions, in captures too`() throws {
        var login = ExportFixture.login()
        login.expectation = Expectation(json: [Parameter("$.items[?@.id > 1 && !@.gone]", "exists")])
        login.captures.append(Capture(name: "f", path: "$.items[?match(@.name, 'a.*') || count(@.*) == 2].id"))
        let source = try ExportFixture.run(ExportFixture.chain(), in: ExportFixture.workspace("http://h", [login, ExportFixture.order()]))
        let exported = try LocustExport.text(of: source)
        let id = "single(find([[\"id\"]], item, root))"
        #expect(
            exported.contains(
                "[[\"items\"], [lambda item, root: (compares(\(id), \">\", Number(\"1\")) and (not bool(find([[\"gone\"]], item, root))))]]"),
            "\(exported)")
        #expect(
            exported.contains("(\"login.f\", [[\"items\"], [lambda item, root: (matches(")
                && exported.contains("Number(len(find([[ANY]], item, root)))"))
    }
}
