import Dispatch
import SortieStorage
import Support
import Synchronization
import Testing

@Suite struct ScratchWorkspaceTests {
    @Test func `programs that start at the same time open the same new workspace`() throws {
        for round in 0..<20 {
            let folder = try TemporaryFolder()
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                do { _ = try ScratchWorkspace.open(at: folder.path("scratch"), .ofProcess) } catch { failures.withLock { $0.append("\(error)") } }
            }
            #expect(failures.withLock { $0 } == [], "round \(round)")
        }
    }
}
