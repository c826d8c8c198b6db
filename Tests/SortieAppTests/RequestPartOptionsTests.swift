import ArgumentParser
import Foundation
import SortieHTTP
import SortieNetworking
import Support
import Testing
import WorkspaceModel

@testable import SortieApp

/// Tests options that would change or lose data of a request without a message.
@Suite struct RequestPartOptionsTests {
    private let program = ProgramContext.withoutStreams()

    private func body(_ arguments: String...) throws -> BodyTemplate {
        var endpoint = Endpoint(target: "", name: "", path: "http://h/")
        try RequestPartOptions.parse(arguments)
            .apply(to: &endpoint, hiding: LiveRedaction(showsSecrets: false), LocationOptions(isForced: false), in: program)
        return endpoint.body
    }

    @Test func `several texts of -d are joined, and several other bodies are refused`() throws {
        #expect(try body("-d", "x=1", "-d", "y=2") == .text("x=1&y=2", contentType: "application/x-www-form-urlencoded"))
        #expect(throws: CommandFailure.self) { try body("-d", "x", "-d", "@y") }
        #expect(throws: CommandFailure.self) { try body("--json-body", "1", "--json-body", "2") }
    }

    @Test func `a file with an empty name is refused, because it would be a plain field`() throws {
        for text in ["a=@bin;filename=", "a=<bin;filename=\"\""] { #expect(throws: CommandFailure.self) { try MultipartOption(text) } }
        #expect(try MultipartOption("a=b;filename=").fileName == "")
    }

    @Test func `an argument that is not UTF-8 is refused`() throws {
        let arguments = [[0x2d, 0x64], [0xc3, 0xbc], [0x6e, 0xfc]].map { (bytes: [UInt8]) in bytes.map { CChar(bitPattern: $0) } + [0] }
            .map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        try Program.requireText(arguments.prefix(2))
        let failure = #expect(throws: CommandFailure.self) { try Program.requireText(arguments) }
        #expect(failure?.exitCode == 2 && failure?.message.contains("argument 3") == true)
    }

    @Test func `a file as standard input is read before it is sent, so that the history has its bytes`() throws {
        let folder = try TemporaryFolder()
        let handle = try #require(FileHandle(forReadingAtPath: folder.write("a", "hello")))
        let request = Request(method: .post, url: try HTTPURL(parsing: "http://h/"), body: .file(path: Request.standardInput, contentType: nil))
        let input = InputBody(request, from: ProgramInput(descriptor: handle.fileDescriptor)) { _ in true }
        #expect(input.request.body == .text("hello", contentType: nil))
    }
}
