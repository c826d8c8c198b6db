import SortieBase
import Testing

@testable import SortieApp
@testable import SortieWorkbench

@Suite struct MailboxTests {
    @Test func `of the reports of a job that wait one after the other, only the latest is kept`() throws {
        let mailbox = try Mailbox()
        for (job, offset) in [(1, 10), (1, 20), (2, 5), (1, 30)] {
            mailbox.post(.worked(WorkResult(of: SearchJob.self, JobID(job), .continueFrom(offset))))
        }
        let jobs = mailbox.take().map { action in if case .worked(let result) = action { result.id } else { JobID(0) } }
        #expect(jobs == [JobID(1), JobID(2), JobID(1)])
    }
}
