internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The parts of a request as expressions of Python, for httpx and for the client of Locust, which have the same kinds of arguments.
struct PythonRequest {
    /// The body.
    enum Body {
        case none
        /// An expression of bytes.
        case content(String)
        /// An expression of the path of a file.
        case file(String)
        /// Expressions of tuples for `files=`, and whether one opens a file.
        case files([String], opens: Bool)

        /// The argument of a call, nil without a body, and whether it opens files.
        ///
        /// - Parameter name: The name of the parameter for bytes.
        func argument(_ name: String) -> (text: String?, opens: Bool) {
            switch self {
            case .none: (nil, false)
            case .content(let text): ("\(name)=\(text)", false)
            case .file(let path): ("\(name)=stack.enter_context(open(\(path), \"rb\"))", true)
            case .files(let parts, let opens): ("files=[\(parts.joined(separator: ", "))]", opens)
            }
        }
    }

    let item: ExportSource.Item
    /// Name and value of every header field; names are literals, values are strings or bytes.
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body = Body.none
    /// What the code does not express.
    private(set) var notes: [String] = []

    var request: Request { item.request }
    private var placeholders: ExportPlaceholder { item.placeholders }

    init(_ item: ExportSource.Item, in workspace: Workspace) {
        self.item = item
        addBody()
        addHeaders()
        notes += ExportNotes.common(of: item, in: workspace, writing: PythonStep.keys) + CodeNotes.options(of: item)
        if request.options.timeouts.$total != nil, request.options.timeouts.total != nil { notes.append("the total time is not limited") }
        let segments = request.url.path.split(separator: "/")
        if segments.contains(where: { $0 == "." || $0 == ".." }) { notes.append("the client removes . and .. from the path") }
        if case .multipart(let parts) = request.body, parts.contains(where: { ($0.name + ($0.fileName ?? "")).contains("\\") }) {
            notes.append("the client writes a backslash in the name of a part twice")
        }
    }

    /// The target of the request, or its complete URL where its origin is not the given one.
    func url(without origin: String? = nil) -> String {
        let start = request.url.origin == origin ? "" : request.url.origin
        let target = PythonText.expression(request.url.requestTarget, placeholders, as: .url)
        guard !start.isEmpty else { return target }
        let base = PythonText.expression(start, placeholders)
        // One literal where neither has a value.
        if base.hasSuffix("\""), target.hasPrefix("\""), !base.contains(" + ") { return String(base.dropLast()) + String(target.dropFirst()) }
        return "\(base) + \(target)"
    }

    private func isRemoved(_ name: String) -> Bool { request.options.removedFields.contains(name) }

    /// The fields that the clients add and the request must not have.
    var unwanted: [String] {
        var names = ["accept", "accept-encoding", "connection", "user-agent"].filter(isRemoved)
        if !request.options.decompresses, !names.contains("accept-encoding"), !request.headers.contains("Accept-Encoding") {
            names.append("accept-encoding")
        }
        return names
    }

    private mutating func addHeaders() {
        for field in request.headers.fields { headers.append((PythonText.string(field.name), value(field.value))) }
        if !request.headers.contains("Content-Type"), !isRemoved("content-type"), let type = request.body.contentType {
            headers.append(("\"Content-Type\"", value(type)))
        }
        if case .bearer(let token) = item.auth, !request.headers.contains("Authorization") {
            headers.append(("\"Authorization\"", value("Bearer " + token)))
        }
    }

    /// A value of ASCII text is a string; others are bytes, because the clients encode strings differently.
    private func value(_ text: String) -> String {
        let pieces = placeholders.pieces(of: text)
        if pieces.isEmpty { return "\"\"" }
        return text.utf8.allSatisfy { $0 < 0x80 } && pieces.count == 1 && pieces[0] == .text(text)
            ? PythonText.string(text) : PythonText.encoded(text, placeholders)
    }

    private mutating func addBody() {
        switch request.body {
        case .none: break
        case .bytes(let bytes, let type):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                body = .content(PythonText.bytes(bytes))
                return
            }
            body = .content(PythonText.encoded(text, placeholders, as: CodeNotation(of: request, type)))
        case .file(let path, _): body = .file(PythonText.expression(path, placeholders))
        case .multipart(let parts):
            var opens = false
            let tuples = parts.map { part in
                let name = PythonText.expression(part.name, placeholders)
                let fileName = part.fileName.map { PythonText.expression($0, placeholders) } ?? "None"
                let content: String
                switch part.content {
                case .bytes(let bytes):
                    content =
                        String(validating: bytes, as: UTF8.self).map { PythonText.encoded($0, placeholders) } ?? PythonText.bytes(bytes)
                case .file(let path):
                    opens = true
                    content = "stack.enter_context(open(\(PythonText.expression(path, placeholders)), \"rb\"))"
                }
                let type = part.sentType.map { ", \(PythonText.expression($0, placeholders))" } ?? ""
                return "(\(name), (\(fileName), \(content)\(type)))"
            }
            body = .files(tuples, opens: opens)
        }
    }

    /// The proxy as an expression of a URL; nil without one.
    var proxy: String? {
        guard let proxy = request.options.proxy else { return nil }
        let place = PythonText.string("\(proxy.host):\(proxy.port)")
        guard let login = proxy.credentials else { return PythonText.string("\(proxy.scheme.rawValue)://\(proxy.host):\(proxy.port)") }
        let user = "quote(\(PythonText.expression(login.user, placeholders)), safe=\"\")"
        let password = "quote(\(PythonText.expression(login.password, placeholders)), safe=\"\")"
        return "\"\(proxy.scheme.rawValue)://\" + \(user) + \":\" + \(password) + \"@\" + \(place)"
    }

    /// A duration in seconds as a literal.
    static func seconds(_ duration: Duration) -> String {
        String(Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)
    }
}

/// The head of an exported Python module.
enum PythonImports {
    /// The imports that a text needs.
    static func text(for body: String, client: String) -> String {
        let known: [(String, [String])] = [
            ("import contextlib", ["contextlib."]), ("import csv", ["csv."]), ("import json", ["json."]), ("import os", ["os."]),
            ("import random", ["random."]), ("import re", ["re.search"]), ("import ssl", ["ssl."]), ("import time", ["time.time", "time.perf"]),
            ("import uuid", ["uuid."]), ("from http.cookiejar import CookieJar, DefaultCookiePolicy", ["cookies"]),
            ("from urllib.parse import quote, quote_plus", ["quote(", "quote_plus("]), ("from xml.sax.saxutils import escape", ["escape("]),
        ]
        let needed = known.filter { line in line.1.contains { body.contains($0) } }.map(\.0)
        return (needed + [needed.isEmpty ? "import \(client)" : "\nimport \(client)"]).joined(separator: "\n") + "\n"
    }

    /// Method and target for the documentation of a function.
    static func documentation(_ item: ExportSource.Item) -> String {
        let text = "\(item.request.method.rawValue) \(item.endpoint.target)"
        return ShellQuote.comment(text).replacing(scalars: "\\", with: "/").replacing(scalars: "\"", with: "'")
    }
}

/// The rows of data and the variables of a run as Python.
enum PythonRows {
    /// `VARIABLES`, and `ROWS` where the run has data.
    ///
    /// Columns and variables with the name of a credential come from the environment.
    static func text(of source: ExportSource) -> String {
        var text = "# Variables; an environment variable replaces the value.\nVARIABLES = {"
        let variables = source.variables.sorted { $0.key < $1.key }.map { name, value in
            let variable = PythonText.string("SORTIE_" + SecretName.environment(name))
            let isHidden = CredentialNames.contains(name) || source.hiddenVariables.contains(name)
            let value = isHidden ? "os.environ[\(variable)]" : "os.environ.get(\(variable), \(PythonText.string(value)))"
            return "    \(PythonText.string(name)): \(value),\n"
        }
        text += variables.isEmpty ? "}\n" : "\n" + variables.joined() + "}\n"
        guard let rows = source.run?.rows else { return text }
        text += "# A row for each repetition. SORTIE_DATA names a CSV file with other rows.\nROWS = [\n"
        for row in rows {
            let members = row.sorted { $0.key < $1.key }.map { name, value in
                let isSecret = CredentialNames.contains(name)
                let text =
                    isSecret
                    ? "os.environ.get(\(PythonText.string("SORTIE_" + SecretName.environment(name))), \"\")" : PythonText.string(value)
                return "\(PythonText.string(name)): \(text)"
            }
            text += "    {\(members.joined(separator: ", "))},\n"
        }
        return text + """
            ]
            if "SORTIE_DATA" in os.environ:
                with open(os.environ["SORTIE_DATA"], newline="", encoding="utf-8-sig") as rows:
                    ROWS = list(csv.DictReader(rows))

            """
    }

    /// The columns whose values are not written.
    static func hiddenColumns(of source: ExportSource) -> [String] {
        Set((source.run?.rows ?? []).flatMap(\.keys)).filter(CredentialNames.contains).sorted()
    }
}
