import SortieStorage
import Testing
import WorkspaceModel

/// Tests `~` in a typed path.
@Suite struct HomeFolderTests {
    @Test func `a tilde as the first component is replaced by the home folder`() {
        let home = HomeFolder.path
        #expect(HomeFolder.expanding("~") == home)
        #expect(HomeFolder.expanding("~/a/b") == home + "/a/b")
        for path in ["a~", "~a", "./~", "/~/a", ""] { #expect(HomeFolder.expanding(path) == path) }
    }

    @Test func `a path in a workspace file may begin with the home folder`() throws {
        let endpoint = try TemporaryWorkspace.endpoint("path: /\nbody: {file: ~/x.json}\n")
        #expect(endpoint?.body == .file(path: HomeFolder.path + "/x.json", contentType: nil))
    }
}
