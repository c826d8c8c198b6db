import Foundation
import SortieHTTP
import SortieWorkbench
import Testing
import WorkspaceModel

@testable import SortieApp

/// Tests the events of calls that the workbench shows only in its log.
@Suite struct CallLogTests {
    private let mailbox: Mailbox
    private let decided = CallEvent.decided(Decision(.address, "written in the URL", time: 0))

    init() throws {
        mailbox = try Mailbox()
    }

    private func finished() throws -> CallEvent {
        .finished(Exchange(id: RequestID(high: 0, low: 1), request: Request(url: try HTTPURL(parsing: "http://127.0.0.1/")), startedAt: .distantPast))
    }

    private var posted: [(target: String, events: [CallEvent])] {
        mailbox.take().compactMap { action in
            guard case .callEnded(let target, let events) = action else { return nil }
            return (target, events)
        }
    }

    @Test func `the call of a step is posted when the step ends, because its captured values are known then`() throws {
        let log = CallLog(mailbox)
        var step = StepRecord(name: "login", target: "api/login")
        step.state = .sending
        for event in [RunEvent.step(3, step), .call(3, decided), .call(3, .changed(.sending)), .call(3, try finished())] { log.receive(event) }
        #expect(posted.isEmpty)
        step.state = .done
        log.receive(.step(3, step))
        let (calls, events) = (posted, [decided, try finished()])
        #expect(calls.map(\.target) == ["api/login"] && calls.first?.events == events)
    }

    @Test func `a step without a call posts nothing, and another call is posted at its end`() throws {
        let log = CallLog(mailbox)
        var step = StepRecord(name: "login", target: "api/login")
        step.state = .skipped
        log.receive(.step(0, step))
        #expect(posted.isEmpty)
        let observer = CallLog.observer(of: "api/list", mailbox)
        observer(decided)
        #expect(posted.isEmpty)
        observer(try finished())
        #expect(posted.map(\.target) == ["api/list"])
    }
}
