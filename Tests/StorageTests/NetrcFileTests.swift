import Foundation
import Support
import Testing

@testable import SortieStorage

/// Tests credential files in the format of `ftp(1)` and curl.
@Suite struct NetrcFileTests {
    private func login(_ text: String, _ host: String = "example.com") throws -> String? {
        try NetrcFile(parsing: text).login(for: host).map { "\($0.user):\($0.password)" }
    }

    @Test(arguments: [
        ("machine example.com login me password secret", "me:secret"),
        ("machine example.com\n\tlogin me\n\tpassword secret\n", "me:secret"),
        ("machine example.com password secret login me", "me:secret"),
        ("MACHINE Example.COM Login me PASSWORD secret", "me:secret"),
        ("# a comment\nmachine example.com # another\nlogin me password #secret", "me:#secret"),
        ("machine other login a password b machine example.com login me password secret", "me:secret"),
        ("machine example.com login first password 1\nmachine example.com login second password 2", "first:1"),
        ("machine other login a password b\ndefault login any password body", "any:body"),
        ("default login any password body\nmachine example.com login me password secret", "me:secret"),
        ("machine example.com login \"a b\" password \"x \\\"y\\\" \\\\ z\\t\\n\"", "a b:x \"y\" \\ z\t\n"),
        ("machine example.com login me account acme password secret", "me:secret"),
        ("macdef init\nmachine example.com login no password no\n\nmachine example.com login me password secret", "me:secret"),
        ("macdef init\r\nquit\r\n\r\nmachine example.com login me password secret\r\n", "me:secret"),
        ("\u{feff}machine example.com login me password secret\r\n", "me:secret"),
        ("machine example.com login me", "me:"),
        ("machine example.com login machine password default", "machine:default"),
    ]) func `the credentials of a host are found`(_ text: String, _ expected: String) throws {
        #expect(try login(text) == expected)
    }

    @Test(arguments: [
        "", "# nothing\n", "machine other login a password b", "machine example.com.evil login a password b", "macdef x\nmachine example.com",
    ])
    func `a host without an entry has no credentials`(_ text: String) throws {
        #expect(try login(text) == nil)
    }

    @Test(arguments: [
        ("login me", 1), ("machine example.com\nlogin", 2), ("machine a\nlogin b\npassword hunter two", 3), ("machine a login \"b", 1),
        ("machine", 1), ("machine 127.0.0.1 login\n", 1), ("machine a\nlogin\n\n", 2), ("login\nme\n", 1),
    ]) func `a file in another format is an error with the line and without its text`(_ text: String, _ line: Int) throws {
        let fault = #expect(throws: NetrcFile.Fault.self) { try NetrcFile(parsing: text) }
        #expect(fault?.line == line && fault?.message.contains("hunter") == false && fault?.message.contains("two") == false)
    }

    @Test func `a file that others can read is reported`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("netrc", "machine a login b password c")
        chmod(path, 0o600)
        #expect(try !NetrcFile(path: path).isReadableByOthers)
        chmod(path, 0o640)
        #expect(try NetrcFile(path: path).isReadableByOthers)
        #expect(throws: WorkspaceError.self) { try NetrcFile(path: folder.path("none")) }
    }

    @Test func `a pipe, as a shell passes it for <(…), is read up to its end`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("machine a login b password c".utf8))
        try pipe.fileHandleForWriting.close()
        let file = try NetrcFile(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
        #expect(file.login(for: "a")?.password == "c" && !file.isReadableByOthers)
    }
}
