import SortieStorage
import Testing
import WorkspaceModel

/// Tests the folders of the user, and `~` in a typed path.
@Suite struct UserFoldersTests {
    @Test func `a tilde as the first component is replaced by the home folder`() {
        let folders = UserFolders(environment: ["HOME": "/home/me"], current: "/work")
        #expect(folders.expanding("~") == "/home/me")
        #expect(folders.expanding("~/a/b") == "/home/me/a/b")
        for path in ["a~", "~a", "./~", "/~/a", ""] { #expect(folders.expanding(path) == path) }
    }

    @Test func `a relative path begins in the working directory, and its .. is left to the system`() {
        let folders = UserFolders(environment: ["HOME": "/home/me"], current: "/work")
        #expect(folders.absolute("link/../a") == "/work/link/../a")
        #expect(folders.absolute("/a") == "/a" && folders.absolute("~/a") == "/home/me/a")
    }

    @Test func `a variable that is not absolute is ignored`() {
        let variables = ["HOME": "/home/me/", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "c", "XDG_DATA_HOME": ""]
        let folders = UserFolders(environment: variables, current: "/work")
        #expect(folders.home == "/home/me" && folders.state == "/s")
        #expect(folders.cache == "/home/me/.cache" && folders.data == "/home/me/.local/share" && folders.configuration == "/home/me/.config")
    }

    @Test func `a path in a workspace file may begin with the home folder`() throws {
        let endpoint = try TemporaryWorkspace.endpoint("path: /\nbody: {file: ~/x.json}\n")
        #expect(endpoint?.body == .file(path: UserFolders.ofProcess.home + "/x.json", contentType: nil))
    }
}
