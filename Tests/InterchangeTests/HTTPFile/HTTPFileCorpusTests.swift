import Foundation
import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Imports every `.http` file of the corpus and compares the result with a simple reading.
@Suite(.enabled(if: Corpora.url("http-files") != nil, "the corpora are not here"))
struct HTTPFileCorpusTests {
    private struct Simple: Equatable {
        var method: String
        var queryNames: [String]
        var headerNames: [String]
    }

    private static let methods = "GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS"

    /// The requests as far as single lines show: a line with a method, the query on its lines, and the fields up to an empty line.
    private func reading(_ text: String) throws -> [Simple] {
        let requestLine = try Regex("^(\(Self.methods))\\s+(\\S.*)$")
        var result: [Simple] = []
        var isInFields = false
        var url = ""
        func finish() {
            guard !url.isEmpty else { return }
            let pattern = #/(\s+HTTP/[0-9.]+)+$/#
            let plain = url.replacing(pattern, with: "").split(separator: "#", omittingEmptySubsequences: false).first ?? ""
            let query = plain.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
            result[result.count - 1].queryNames = query.split(separator: "&").map { String($0.prefix { $0 != "=" }) }
            url = ""
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if let match = trimmed.firstMatch(of: requestLine), let word = match[1].substring,
                let rest = match[2].substring
            {
                finish()
                result.append(Simple(method: String(word), queryNames: [], headerNames: []))
                (url, isInFields) = (String(rest), true)
            } else if trimmed.wholeMatch(of: #/https?://\S+/#) != nil, !isInFields {
                finish()
                result.append(Simple(method: "GET", queryNames: [], headerNames: []))
                (url, isInFields) = (trimmed, true)
            } else if trimmed.isEmpty || trimmed.hasPrefix("###") {
                isInFields = false
                finish()
            } else if isInFields, trimmed.hasPrefix("?") || trimmed.hasPrefix("&") || trimmed.hasPrefix("#fragment") {
                url += trimmed
            } else if isInFields, let field = trimmed.firstMatch(of: #/^([A-Za-z-]+):/#) {
                result[result.count - 1].headerNames.append(field.1.lowercased())
            }
        }
        finish()
        return result
    }

    @Test func `every file gives the requests of a simple reading, in order`() throws {
        let folder = try #require(Corpora.url("http-files"))
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".http") }.sorted()
        #expect(names.count > 60)
        for name in names {
            let url = folder.appendingPathComponent(name)
            let bytes = Array(try Data(contentsOf: url))
            let text = String(decoding: bytes, as: UTF8.self)
            let expected = try reading(text)
            let source = Self.source(url, bytes)
            do throws(Diagnostic) {
                let workspace = try HTTPFileImport.workspace(from: source)
                #expect(HTTPFileImport.recognizes(source), "\(name)")
                var endpoints: [(line: Int, endpoint: Endpoint)] = []
                for var service in workspace.services {
                    service.items.mapEndpoints { item in
                        let entry = workspace.report.entries.first { $0.outcome == .imported && $0.id == item.id }
                        endpoints.append((entry?.place?.line ?? 0, item.endpoint))
                    }
                }
                let found = endpoints.sorted { $0.line < $1.line }.map { simple($0.endpoint) }
                #expect(found == expected.map(withoutSpecial), "\(name)")
                if text.contains("<> ") { #expect(workspace.report.count(.omitted) > 0, "\(name)") }
            } catch {
                #expect(expected.isEmpty, "\(name): \(error)")
                #expect(error.location.line > 0 && !error.message.isEmpty, "\(name)")
            }
        }
    }

    private static func source(_ url: URL, _ bytes: [UInt8]) -> ImportSource {
        let folder = url.deletingLastPathComponent()
        return ImportSource(
            name: url.lastPathComponent, bytes: bytes,
            files: { path in FileManager.default.contents(atPath: folder.appendingPathComponent(path).path).map { Array($0) } })
    }

    @Test func `a field is added to any request, and all other lines stay`() throws {
        let folder = try #require(Corpora.url("http-files"))
        var (written, all) = (0, 0)
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter({ $0.hasSuffix(".http") }).sorted() {
            let url = folder.appendingPathComponent(name)
            let bytes = Array(try Data(contentsOf: url))
            guard let text = String(validating: bytes, as: UTF8.self) else { continue }
            func requests(_ text: String) throws(Diagnostic) -> [(line: Int, endpoint: Endpoint)] {
                let workspace = try HTTPFileImport.workspace(from: Self.source(url, Array(text.utf8)))
                let lines = Dictionary(workspace.report.entries.compactMap { entry in entry.id.map { ($0, entry.place?.line ?? 0) } }) { first, _ in
                    first
                }
                return workspace.services.flatMap(\.items.endpoints).map { (lines[$0.id] ?? 0, $0.endpoint) }.sorted { $0.line < $1.line }
            }
            let before: [(line: Int, endpoint: Endpoint)]
            // Some files have no request.
            do throws(Diagnostic) { before = try requests(text) } catch { continue }
            for (index, request) in before.enumerated() {
                all += 1
                var edited = request.endpoint
                edited.headers.append(Parameter("X-Added", "1"))
                guard let result = HTTPFileImport.text(text, changing: request.line, from: request.endpoint, to: edited) else { continue }
                let lines = result.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                let left = lines.filter { $0.drop { $0 == " " || $0 == "\t" } != "X-Added: 1" }
                #expect(left == text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline), "\(name):\(request.line)")
                do throws(Diagnostic) {
                    let after = try requests(result)
                    if after.count == before.count, after[index].endpoint == edited { written += 1 }
                } catch { Issue.record("\(name):\(request.line): \(error)") }
            }
        }
        // Others are refused, because what is read is not what was edited.
        #expect(all > 60 && written * 10 > all * 8, "\(written) of \(all)")
    }

    @Test func `what is exported is the same after importing it again`() throws {
        let folder = try #require(Corpora.url("http-files"))
        var count = 0
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter({ $0.hasSuffix(".http") }).sorted() {
            let url = folder.appendingPathComponent(name)
            let first: String
            do {
                first = try HTTPFileRoundTrip.exported(Self.source(url, Array(try Data(contentsOf: url))))
            } catch is Diagnostic {
                // Values of scripts are not known, and some files have no request.
                continue
            }
            let second = try HTTPFileRoundTrip.exported(ImportSource(name: url.lastPathComponent, bytes: Array(first.utf8)))
            #expect(second == first, "\(name)")
            count += 1
        }
        #expect(count > 20)
    }

    /// Fields that become something else than rows are compared in the unit tests.
    private func withoutSpecial(_ simple: Simple) -> Simple {
        var simple = simple
        simple.headerNames.removeAll { ["content-type", "authorization", "host"].contains($0) }
        return simple
    }

    private func simple(_ endpoint: Endpoint) -> Simple {
        let typed = URLText(of: endpoint)
        return withoutSpecial(
            Simple(method: endpoint.method.rawValue, queryNames: typed.rows.map(\.name), headerNames: endpoint.headers.map { $0.name.lowercased() }))
    }
}
