import Foundation
import SortieBase
import Testing

@testable import SortieStorage

/// Tests the user's folder for downloads.
@Suite struct DownloadFolderTests {
    private func path(variable: String? = nil, _ file: String = "") -> String {
        DownloadFolder.path(variable: variable, userDirectories: file, home: "/home/me")
    }

    @Test func `XDG_DOWNLOAD_DIR comes before user-dirs, which comes before Downloads in the home`() {
        let file = "# comment\nXDG_DESKTOP_DIR=\"$HOME/Desktop\"\nXDG_DOWNLOAD_DIR=\"$HOME/Téléchargements\"\n"
        #expect(path() == "/home/me/Downloads")
        #expect(path(file) == "/home/me/Téléchargements")
        #expect(path(variable: "/data/in/", file) == "/data/in")
        #expect(path("XDG_DOWNLOAD_DIR=\"/data\"") == "/data")
    }

    @Test(arguments: ["/home/me", "/home/me/", "/home", "/", "relative", ""])
    func `a folder that contains the home, and a relative one, are not used`(folder: String) {
        #expect(path(variable: folder) == "/home/me/Downloads")
    }

    @Test func `the value HOME in user-dirs means that there is none`() {
        #expect(path("XDG_DOWNLOAD_DIR=\"$HOME/\"") == "/home/me/Downloads")
    }

    @Test func `a folder that cannot be created is named with the reason`() throws {
        let error = #expect(throws: Diagnostic.self) { try DownloadFolder.create("/dev/null/a") }
        #expect(error?.message.contains("/dev/null/a cannot be created") == true, "\(String(describing: error))")
    }
}
