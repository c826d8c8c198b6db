import Support
import Testing

@testable import SortieStorage

/// Tests which files of a folder an import sees.
struct ImportFolderTests {
    @Test func `the files near the folder come first, and those of installed packages not at all`() throws {
        let folder = try TemporaryFolder()
        for file in ["a/b/c/deep.http", "node_modules/x/y.http", "z/near.http", "top.http", ".hidden/h.http"] { try folder.write(file, "") }
        let files = ImportFolder(path: folder.path, .ofProcess)
        #expect(files.paths().paths == ["a/b/c/deep.http", "top.http", "z/near.http"])
        #expect(files.paths(limit: 2).paths == ["top.http", "z/near.http"])
    }
}
