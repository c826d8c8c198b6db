import Foundation
import Support
import Testing

/// Tests `sortie schema` with the workspaces of the repository, validated by python's jsonschema where it is installed.
@Suite(.serialized)
struct SchemaCommandTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
    }

    /// Validates files with the schema of their kind; prints a line for each problem.
    private static let validator = """
        import json, sys, yaml, jsonschema
        class Core(yaml.SafeLoader): pass
        # The core schema of YAML 1.2, which Sortie reads: `on` is a text.
        Core.yaml_implicit_resolvers = {}
        import re
        Core.add_implicit_resolver('tag:yaml.org,2002:bool', re.compile('^(true|True|TRUE|false|False|FALSE)$'), list('tTfF'))
        Core.add_implicit_resolver('tag:yaml.org,2002:null', re.compile('^(~|null|Null|NULL|)$'), list('~nN') + [''])
        Core.add_implicit_resolver('tag:yaml.org,2002:int', re.compile('^[-+]?[0-9]+$'), list('-+0123456789'))
        Core.add_implicit_resolver('tag:yaml.org,2002:float', re.compile('^[-+]?[0-9]+\\\\.[0-9]*$'), list('-+0123456789'))
        folder = sys.argv[1]
        validators = {}
        for path in sys.argv[2:]:
            name = path.rsplit('/', 1)[-1]
            kind = 'workspace' if name == 'workspace.yaml' else 'service' if name == 'service.yaml' else 'run' if '/runs/' in path else 'endpoint'
            if kind not in validators:
                schema = json.load(open(folder + '/' + kind + '.schema.json'))
                jsonschema.Draft7Validator.check_schema(schema)
                validators[kind] = jsonschema.Draft7Validator(schema)
            for error in validators[kind].iter_errors(yaml.load(open(path), Core)):
                print(path, list(error.absolute_path), error.message[:200])
        """

    private static var isAvailable: Bool {
        get async throws { try await ProcessRun.run("/usr/bin/env", ["python3", "-c", "import yaml, jsonschema"], environment: [:]).succeeded }
    }

    private func problems(_ files: [String]) async throws -> String? {
        guard try await Self.isAvailable else {
            // Debian: python3-jsonschema, python3-yaml.
            print("python3 has no jsonschema; the schema is not validated")
            return nil
        }
        #expect(try await sortie.run("schema", "-o", "schemas").status == .exited(0))
        let run = try await ProcessRun.run(
            "/usr/bin/env", ["python3", "-W", "ignore", "-c", Self.validator, "\(sortie.work)/schemas"] + files, environment: [:])
        #expect(run.succeeded, "\(run)")
        return run.output
    }

    @Test func `all files of the shipped workspaces are valid`() async throws {
        let root = TestSources.repository.appendingPathComponent("Workspaces")
        // The descriptions of services are documents of OpenAPI.
        let files = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            .filter { $0.hasSuffix(".yaml") && !$0.contains("/descriptions/") }.map { root.path + "/" + $0 }
        try #require(files.count > 40)
        if let problems = try await problems(files) { #expect(problems == "") }
    }

    @Test func `a mistake is found`() async throws {
        let files = [
            ("service.yaml", "header: {}\n"), ("a.yaml", "path: /a\nhttp: 3\n"), ("a.yaml", "path: /a\nexpect: {stats: 200}\n"),
            ("a.yaml", "pth: /a\n"), ("runs/r.yaml", "chain:\n  - sent: a/b\n"), ("runs/r.yaml", "chain:\n  - parallel: [{sent: a/b}]\n"),
            ("workspace.yaml", "secrets: {a: {environment: X}}\n"),
            ("a.yaml", "path: /a\ncompression: maybe\n"), ("a.yaml", "path: /a\nretry: 1000\n"),
        ]
        let paths = try files.enumerated().map { number, file in
            try sortie.write("\(number)/\(file.0)", file.1)
            return "\(sortie.work)/\(number)/\(file.0)"
        }
        guard let problems = try await problems(paths) else { return }
        for (path, file) in zip(paths, files) { #expect(problems.contains(path + " "), "\(file)") }
    }

    @Test func `the schema has its version, the keys and their meaning, and an unknown kind is a usage error`() async throws {
        let run = try await sortie.run("schema", "endpoint")
        let schema = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
        #expect((schema["$comment"] as? String)?.hasPrefix("version 1") == true)
        let definitions = try #require(schema["definitions"] as? [String: Any])
        #expect(definitions["endpoint-file"] != nil && definitions["expect"] != nil)
        #expect(run.output.contains("whether compressed responses are requested"))
        #expect(try await sortie.run("schema").status == .exited(0))
        let unknown = try await sortie.run("schema", "endpont")
        #expect(unknown.status == .exited(2) && unknown.errorOutput.contains("did you mean endpoint?"), "\(unknown)")
    }
}
