import Foundation
import SortieBase
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Measures which share of the statements in scripts is translated.
struct ScriptShareTests {
    private typealias Script = (tool: String, stage: ScriptTranslation.Stage, text: String)

    private func counts(_ scripts: [Script]) -> (translated: Int, kept: Int) {
        scripts.reduce((0, 0)) { sum, script in
            // A variable of a request is translated where the request uses it.
            let names = script.text.matches(of: /set(?:EnvironmentVariable|Var)?\(\s*["'](\w+)/).map { "{{\($0.1)}}" }
            var endpoint = Endpoint(target: "a/b", name: "b", path: "/" + Set(names).sorted().joined())
            let own = TestScript(script.text, script.stage, kind: "test") { _ in nil }
            let counts = TestScript.translate([own], into: &endpoint).counts
            return (sum.0 + counts.translated, sum.1 + counts.kept)
        }
    }

    /// Scripts as requests of published collections have them, in other words.
    private static let typical: [(ScriptTranslation.Stage, String)] = [
        (.afterResponse, "pm.test(\"Status code is 200\", function () {\n    pm.response.to.have.status(200);\n});"),
        (
            .afterResponse,
            """
            pm.test("Status code is 201", () => pm.response.to.have.status(201));
            const data = pm.response.json();
            pm.environment.set("token", data.token);
            console.log("token", data.token);
            """
        ),
        (
            .afterResponse,
            """
            pm.test("created", function () { pm.expect(pm.response.code).to.be.oneOf([200, 201]); });
            pm.test("saves the tokens", function () {
                const answer = pm.response.json();
                if (answer.accessToken) { pm.environment.set("accessToken", answer.accessToken); }
                pm.expect(answer).to.have.property("user");
                pm.environment.set("userId", answer.user.id);
            });
            """
        ),
        (
            .afterResponse,
            """
            if (pm.response.code === 200) {
                var body = JSON.parse(responseBody);
                pm.collectionVariables.set("admin", body.data.token);
            }
            tests["ok"] = responseCode.code === 200;
            """
        ),
        (
            .afterResponse,
            """
            pm.test("response", function () {
                pm.response.to.be.json;
                pm.response.to.have.header("Content-Type");
                pm.expect(pm.response.responseTime).to.be.below(1000);
                var json = pm.response.json();
                pm.expect(json.items).to.be.an("array");
                pm.expect(json.items.length).to.be.above(0);
                json.items.forEach(function (item) {
                    pm.expect(item).to.have.all.keys("id", "name");
                    pm.expect(item.id).to.be.a("number");
                });
            });
            """
        ),
        (
            .afterResponse,
            """
            pm.test("text", function () { pm.expect(pm.response.text()).to.include("hello"); });
            pm.sendRequest("https://example.com", function (error, response) { console.log(response.json()); });
            postman.setNextRequest(null);
            """
        ),
        (
            .afterResponse,
            """
            pm.test('error', () => {
                const j = pm.response.json();
                pm.expect(j.error.code).to.equal('NOT_FOUND');
                pm.expect(j.error.message).to.match(/not found/i);
                pm.expect(j).to.not.have.property('data');
                pm.expect(j.error.details, 'details').to.be.empty;
            });
            """
        ),
        (
            .beforeRequest,
            """
            const uuid = require('uuid');
            pm.environment.set("id", uuid.v4());
            pm.variables.set("time", Math.floor(Date.now() / 1000));
            pm.variables.set("mail", "user" + Math.floor(Math.random() * 1000) + "@example.com");
            """
        ),
        (
            .beforeRequest,
            "const hash = CryptoJS.HmacSHA256(pm.request.body.raw, pm.environment.get('key')).toString();\npm.variables.set('sign', hash);"
        ),
    ]

    @Test func `at least seven of ten statements of typical scripts are translated`() {
        let counts = counts(Self.typical.map { ("typical", $0.0, $0.1) })
        print("typical scripts: \(counts.translated) of \(counts.translated + counts.kept) statements are translated")
        #expect(counts.translated * 10 >= (counts.translated + counts.kept) * 7, "\(counts)")
    }

    // MARK: Corpora

    private static func files(_ folders: [String], _ ending: String) -> [(path: String, bytes: [UInt8])] {
        folders.compactMap { Corpora.url($0) }.flatMap { folder in
            (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? [])
                .filter { $0.pathExtension == ending }
        }.compactMap { url in FileManager.default.contents(atPath: url.path).map { (url.path, Array($0)) } }
    }

    /// The scripts in a document of Postman or Insomnia.
    private static func scripts(in node: SourceNode, of tool: String) -> [Script] {
        if let items = node.items { return items.flatMap { scripts(in: $0, of: tool) } }
        var result = (node.members ?? []).flatMap { scripts(in: $0.value, of: tool) }
        for event in node["event"]?.items ?? [] {
            let exec = event["script"]?["exec"]
            let text = exec?.items?.compactMap(\.string).joined(separator: "\n") ?? exec?.string ?? ""
            result.append((tool, event["listen"]?.string == "prerequest" ? .beforeRequest : .afterResponse, text))
        }
        let names: KeyValuePairs<String, ScriptTranslation.Stage> = [
            "preRequestScript": .beforeRequest, "afterResponseScript": .afterResponse, "preRequest": .beforeRequest, "afterResponse": .afterResponse,
        ]
        for (name, stage) in names {
            if let text = node[name]?.string { result.append((tool, stage, text)) }
        }
        return result
    }

    private static func scripts() throws -> [Script] {
        var result: [Script] = []
        let source = ImportSource(name: "", bytes: [], yaml: YAMLSource.node)
        for file in files(["postman", "insomnia", "cases/imports"], "json") + files(["insomnia"], "yaml") {
            // Some files of the corpora are invalid.
            do throws(Diagnostic) {
                let node = try source.document(file.bytes, file: file.path)
                // Collections of Postman, version 1, have keys of Insomnia.
                let isInsomnia = node["__export_format"] != nil || node["type"]?.string?.contains("insomnia") == true
                result += scripts(in: node, of: isInsomnia ? "insomnia" : "postman")
            } catch { continue }
        }
        for file in files(["bruno"], "bru") {
            do throws(Diagnostic) {
                for block in try BruParser.blocks(String(decoding: file.bytes, as: UTF8.self), file: file.path)
                where block.name.hasPrefix("script:") || block.name == "tests" {
                    result.append(("bruno", block.name == "script:pre-request" ? .beforeRequest : .afterResponse, block.text))
                }
            } catch { continue }
        }
        return result
    }

    @Test(.enabled(if: Corpora.url("postman/newman/test") != nil, "the corpora are not here"))
    func `the scripts of the corpora are read, and their shares are printed`() throws {
        let scripts = try Self.scripts()
        for tool in Set(scripts.map(\.tool)).sorted() {
            let counts = counts(scripts.filter { $0.tool == tool })
            print("\(tool): \(counts.translated) of \(counts.translated + counts.kept) statements are translated")
            #expect(counts.translated > 0)
        }
        #expect(Set(scripts.map(\.tool)) == ["postman", "insomnia", "bruno"])
    }
}
