import Foundation
import SortieStorage
import Testing

/// Tests the reasons of failed file operations.
struct SystemReasonTests {
    @Test func `a failure of the system is named in words, and not by a number`() {
        let failure = CocoaError(.fileReadUnknown, userInfo: [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(EMFILE))])
        #expect(failure.systemReason == "too many open files")
        #expect(POSIXError(.ENOSPC).systemReason == "no space left on device")
        // Foundation's own failures have an underlying error of another type.
        for (path, reason) in [("/dev/null/a/b", "not a directory"), ("/dev/null", "file exists")] {
            let failure = #expect(throws: (any Error).self) {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
            #expect(failure?.systemReason == reason)
        }
    }

    @Test(arguments: [
        (EROFS, "read-only file system; make the file system writable, or work with a copy of the folder in another place"),
        (EACCES, "permission denied; make the file and its folder writable for you"),
        (ENOSPC, "no space left on device; free some space and try again"),
        (EIO, "input/output error"),
    ])
    func `a refusal to write has the words of the system and what the user can do`(code: Int32, text: String) {
        #expect("\(WriteRefusal(code: code))" == text)
    }
}
