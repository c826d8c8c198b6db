import Foundation
import SortieBase
import Support
import Testing

@testable import Interchange

/// Imports the commands of curlconverter's tests: each becomes an endpoint, or a warning says what is missing.
@Suite(.enabled(if: Corpora.url("curlconverter/test/fixtures/curl_commands") != nil, "the corpora are not here"))
struct CurlconverterCorpusTests {
    @Test func `every command is imported, and what it reads from elsewhere is reported`() throws {
        let folder = try #require(Corpora.url("curlconverter/test/fixtures/curl_commands"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sh") }.sorted()
        #expect(!names.isEmpty)
        for name in names {
            let bytes = Array(try Data(contentsOf: folder.appendingPathComponent(name)))
            let source = ImportSource(name: name, bytes: bytes)
            #expect(CurlImport.recognizes(source), "\(name)")
            do throws(Diagnostic) {
                let workspace = try CurlImport.workspace(from: source)
                #expect(workspace.report.count(.imported) > 0, "\(name)")
                let text = String(decoding: bytes, as: UTF8.self)
                // Standard input of a file that does not exist, proxies of other kinds, and output options are not silent.
                for word in ["< $'", "socks://", "--trace-ascii", " -i "] where text.contains(word) {
                    #expect(workspace.report.count(.omitted) > 0, "\(name): \(word)")
                }
            } catch {
                #expect(error.location.line > 0 && !error.message.isEmpty, "\(name)")
            }
        }
    }
}
