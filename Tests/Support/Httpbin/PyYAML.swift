internal import Foundation

/// PyYAML from PyPI, an independent parser of YAML.
///
/// `.ci/setup test` installs it below `.build`.
public enum PyYAML {
    /// Whether this machine has PyYAML.
    public static var isAvailable: Bool { python != nil }

    /// Reads files of workspaces in one process, and compares them with records.
    ///
    /// Texts are compared as they are written, because a value such as `007` is a text; JSON bodies are compared with their types.
    ///
    /// - Returns: The records that differ, by index, with the difference.
    public static func problems(of records: [[String: Any]]) async throws -> [(index: Int, problem: String)] {
        guard let python else { throw CocoaError(.fileNoSuchFile) }
        let input = try JSONSerialization.data(withJSONObject: records)
        let run = try await ProcessRun.run(python, ["-c", program], input: String(decoding: input, as: UTF8.self))
        guard run.succeeded else { throw Haralyzer.Refusal(words: run.errorOutput) }
        return try JSONDecoder().decode([Problem].self, from: Data(run.outputBytes)).map { ($0.index, $0.problem) }
    }

    private struct Problem: Decodable {
        let index: Int
        let problem: String
    }

    private static let python = OthersPython.path(with: "yaml")

    private static let program = #"""
        import json, os, posixpath, sys, yaml

        def rows(value):
            if value is None: return []
            if isinstance(value, dict): return [[name, text, True] for name, text in value.items()]
            return [[row["name"], row.get("value", ""), row.get("enabled", "true") == "true"] for row in value]

        def keys(value):
            if isinstance(value, dict): return {str(key): keys(inner) for key, inner in value.items()}
            return [keys(inner) for inner in value] if isinstance(value, list) else value

        def body(text, typed, folder):
            if not text: return []
            if "json" in text:
                value = typed["json"]
                return ["json", json.loads(value) if isinstance(value, str) and "\n" in text["json"] or isinstance(value, str) and value[:1] in "[{" else keys(value)]
            if "file" in text: return ["file", posixpath.normpath(posixpath.join(folder, text["file"]))]
            return ["text", text["text"]]

        def read(record):
            source = open(record["path"], encoding="utf-8", newline="").read()
            file, kind = record["file"], record["expected"]["kind"]
            if kind == "body": return {"kind": kind, "text": source}
            if record["comment"] and record["comment"] not in source: raise ValueError("the comment is missing: " + source)
            text, typed = yaml.load(source, yaml.BaseLoader) or {}, yaml.safe_load(source) or {}
            if kind == "settings":
                found = text.get("environments") or {}
                environments = [[name, (inner.get("variables") or {}).get("host")] for name, inner in found.items()]
                return {"kind": kind, "environments": environments, "initial": text.get("environment")}
            if kind == "service":
                return {"kind": kind, "name": text.get("name"), "servers": {name: ring[0] for name, ring in (text.get("servers") or {}).items()}}
            if kind == "run":
                name = "chain" if "chain" in text else "batch"
                return {"kind": kind, "type": name, "steps": [step["send"] for step in text[name]]}
            stem = posixpath.basename(file)[:-len(".yaml")]
            return {
                "kind": kind, "name": text.get("name", stem), "description": text.get("description"), "method": text.get("method", "GET"),
                "path": text["path"], "query": rows(text.get("query")), "headers": rows(text.get("headers")),
                "body": body(text.get("body"), typed.get("body"), posixpath.dirname(file)),
            }

        problems = []
        for index, record in enumerate(json.load(sys.stdin)):
            expected = record["expected"]
            if expected.get("body", [""])[:1] == ["json"]: expected["body"][1] = json.loads(expected["body"][1])
            try: found = read(record)
            except Exception as error: problems.append({"index": index, "problem": f"{type(error).__name__}: {error}"}); continue
            if found != expected:
                parts = [f"{key}: {found.get(key)!r}, not {expected[key]!r}" for key in expected if found.get(key) != expected[key]]
                problems.append({"index": index, "problem": "; ".join(parts) + "\n" + open(record["path"], encoding="utf-8").read()})
        print(json.dumps(problems))
        """#
}
