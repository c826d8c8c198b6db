import Testing
import WorkspaceModel

/// Tests reading the output of `git status --porcelain=v2 --branch -z`.
@Suite struct GitStatusTests {
    private static let hashes = "0000000000000000000000000000000000000000 1111111111111111111111111111111111111111"

    private func status(_ records: String..., prefix: String = "") -> GitStatus {
        GitStatus(porcelain: records.flatMap { Array($0.utf8) + [0] }, prefix: prefix)
    }

    @Test func `changed, added, untracked and conflicted files have their marks`() {
        let status = status(
            "# branch.oid 1111111111111111111111111111111111111111", "# branch.head main",
            "1 .M N... 100644 100644 100644 \(Self.hashes) shop/list.yaml", "1 A. N... 000000 100644 100644 \(Self.hashes) shop/new.yaml",
            "u UU N... 100644 100644 100644 100644 \(Self.hashes) 2222222222222222222222222222222222222222 shop/both.yaml", "? shop/own.yaml")
        #expect(status.branch == "main")
        #expect(status.marks == ["shop/list.yaml": .modified, "shop/new.yaml": .added, "shop/both.yaml": .conflicted, "shop/own.yaml": .untracked])
    }

    @Test func `a renamed file has a mark under its new path, and the record of its old path is skipped`() {
        let status = status("2 R. N... 100644 100644 100644 \(Self.hashes) R100 shop/b.yaml", "? shop/a.yaml", "? shop/c.yaml")
        #expect(status.marks == ["shop/b.yaml": .modified, "shop/c.yaml": .untracked])
    }

    @Test func `paths are relative to the workspace, and files elsewhere are left out`() {
        let status = status("? api/demo/shop/a b.yaml", "? api/other.yaml", "? README", prefix: "api/demo/")
        #expect(status.marks == ["shop/a b.yaml": .untracked])
    }

    @Test func `a detached head has no branch`() {
        #expect(status("# branch.head (detached)").branch == nil)
    }

    @Test func `damaged records are ignored`() {
        #expect(status("1 .M", "2", "u UU N...", "?", "", "x y z", "1 ").marks == [:])
    }
}
