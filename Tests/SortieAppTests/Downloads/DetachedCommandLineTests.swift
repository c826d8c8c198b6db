import SortieHTTP
import Testing

@testable import SortieApp

/// Tests the command line that a detached download stores to be resumed with.
@Suite struct DetachedCommandLineTests {
    @Test(arguments: [
        (["-u", "ann:pw"], ["-u", "••••"]), (["-uann:pw"], ["-u••••"]), (["--user=ann:pw"], ["--user=••••"]),
        (["--bearer", "tok"], ["--bearer", "••••"]),
        (["--bearer", "@token.txt"], ["--bearer", "@token.txt"]), (["-H", "Authorization: Bearer x"], ["-H", "Authorization: ••••"]),
        (["--header=X-Note: plain"], ["--header=X-Note: plain"]), (["-q", "access_token=x"], ["-q", "access_token=••••"]),
        (["--var", "password=x"], ["--var", "password=••••"]), (["--var", "size=1MB"], ["--var", "size=1MB"]),
        (["https://ann:pw@example.org/f?access_token=x&n=1"], ["https://ann:••••@example.org/f?access_token=••••&n=1"]),
        (["f", "-o", "known-secret.bin"], ["f", "-o", "••••.bin"]),
    ])
    func `S2.65 the stored command line has no secrets`(words: [String], stored: [String]) {
        var redaction = Redaction(adding: [])
        redaction.hide("known-secret")
        #expect(DownloadDetachment.masked(words, by: redaction) == stored)
    }
}
