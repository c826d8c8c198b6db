import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the list of `y`: values and formats to copy, and writing an export to a file.
@Suite struct ExportFeatureTests {
    private func opened(_ size: Size = Size(width: 80, height: 24)) -> AppState {
        let choices = [
            ExportChoice(name: "curl", title: "curl command lines", fileExtension: "sh"),
            ExportChoice(name: "har", title: "HAR", fileExtension: "har"),
        ]
        var state = AppState(workspace: .sample, environment: nil, size: size, exports: choices)
        state.open("shop/orders/list")
        state.change { $0.path = "/changed" }
        // The request line.
        state.requestState.row = -1
        return state
    }

    private struct Asked {
        var id: JobID
        var subject: ExportSubject
        var format: String
        var environment: String?
    }

    private func job(_ effects: [Effect]) throws -> Asked {
        let (id, job) = try #require(effects.started(ExportJob.self).first)
        return Asked(id: id, subject: job.subject, format: job.choice.name, environment: job.environment)
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 40, height: 10)])
    func `y offers the URL first, then the formats`(size: Size) throws {
        var state = opened(size)
        state.press("y")
        #expect(state.screen.contains("Copy the URL") && state.screen.contains("curl"))
        guard case .copy(_, let url)? = state.press("Enter").first else { return #expect(Bool(false), "nothing was copied") }
        #expect(url.contains("/changed"))
    }

    @Test func `a format copies the endpoint with its unsaved edits`() throws {
        var state = opened()
        state.press("y")
        state.type("curl")
        let asked = try job(state.press("Enter"))
        #expect(asked.format == "curl" && asked.environment == "develop")
        #expect(asked.subject == .endpoints("shop/orders/list", [try #require(state.openEndpoint)]))
        let copied = state.end(ExportJob.self, asked.id, .text("curl http://h\n"))
        #expect(copied.contains { if case .copy(_, "curl http://h\n") = $0 { true } else { false } })
    }

    @Test func `a file is asked for and written, and a failure is a message`() throws {
        var state = opened()
        state.press("y")
        state.type("write HAR")
        let asked = try job(state.press("Enter"))
        _ = state.end(ExportJob.self, asked.id, .text("{}\n"))
        #expect(state.screen.contains("list.har"))
        let effects = state.press("Enter")
        guard let save = effects.started(SaveFileJob.self).first?.job, case .body(let bytes) = save.content else {
            return #expect(Bool(false), "\(effects)")
        }
        #expect(save.path == "list.har" && !save.overwrites)
        #expect(bytes.bytes(in: 0..<bytes.count) == Array("{}\n".utf8))
        state.press("y")
        state.type("curl")
        let failing = try job(state.press("Enter"))
        _ = state.end(ExportJob.self, failing.id, .failed("shop/orders/list.yaml:1:1: undefined"))
        #expect(state.toast?.text.contains("undefined") == true)
    }

    @Test func `in Services, a service and a run are exported`() {
        var state = opened()
        state.focus(.services)
        state.services.selected = .run("checkout")
        #expect(state.focusedPane.exportSubject(state) == .run("checkout"))
        state.services.selected = .service("shop")
        guard case .endpoints("shop", let endpoints)? = state.focusedPane.exportSubject(state) else { return #expect(Bool(false)) }
        #expect(endpoints.count == 3 && endpoints.contains { $0.path == "/changed" })
    }
}
