import Foundation
import Glibc
import SortieBase
import SortieStorage
import Support
import Testing

@testable import SortieApp

/// Tests the files that the user names, without a process.
@Suite struct OutputPathTests {
    private let program = ProgramContext.withoutStreams()

    @Test func `the time limit ends the wait for the reader of a pipe that a download is written to`() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let download = try StreamedDownload(to: pipe, in: program)
        let failure = #expect(throws: CommandFailure.self) {
            try download.write(folder.write("body", "text"), in: program, until: .now)
        }
        #expect(failure?.exitCode == 4 && failure?.message.contains("no program reads the pipe") == true)
    }

    @Test(arguments: ["missing/", "file/"]) func `a name with a slash at its end is not that of a file`(name: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("file", "earlier")
        let failure = #expect(throws: CommandFailure.self) {
            try OutputFile.write("new", to: folder.path + "/" + name, program.folders, OutputWaits())
        }
        #expect(failure?.message.contains("is not a folder") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
        #expect(try String(contentsOfFile: folder.path + "/file", encoding: .utf8) == "earlier")
    }

    @Test func `the password of a URL in place of a file is masked in the message`() {
        let failure = CommandFailure(WorkspaceError(.unreadable, file: "ftp://user:secret-word@h/x", "it cannot be read"))
        #expect(failure.message.contains("ftp://user:••••@h/x") && !failure.message.contains("secret-word"), "\(failure.message)")
    }

    @Test(arguments: ["--bearer", "-u"]) func `an empty credential is refused`(option: String) {
        let failure = #expect(throws: CommandFailure.self) {
            try SecretArgument.source("", option: option, LocationOptions(isForced: false), in: program)
        }
        #expect(failure?.exitCode == 2 && failure?.message.contains("\(option) is empty") == true)
    }
}
