internal import SortieHTTP
internal import WorkspaceModel

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
        return ShellQuote.comment(text).replacing("\\", with: "/").replacing("\"", with: "'")
    }
}
