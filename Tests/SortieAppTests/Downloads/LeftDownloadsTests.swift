import Testing
import WorkspaceModel

@testable import SortieApp

/// Tests the command that continues a download of a closed workbench.
@Suite struct LeftDownloadsTests {
    private func transfer(to destination: String) -> QueuedTransfer {
        QueuedTransfer(Endpoint(target: "files/big", name: "Big", path: "/big?token={{token}}"), environment: "dev", destination: destination)
    }

    @Test func `S2.65 the command names the endpoint and its place, and has no values`() {
        #expect(
            LeftDownloads.arguments(for: transfer(to: "/d/"), in: "/w", keepsHistory: true) == [
                "download", "files/big", "--detach", "--left", "-w", "/w", "-e", "dev", "-o", "/d/", "--on-exists", "keep-both",
            ])
        #expect(
            LeftDownloads.arguments(for: transfer(to: "/d/{{response.name}}"), in: "/w", keepsHistory: false) == [
                "download", "files/big", "--detach", "--left", "-w", "/w", "-e", "dev", "--on-exists", "keep-both", "--no-history",
            ])
    }
}
