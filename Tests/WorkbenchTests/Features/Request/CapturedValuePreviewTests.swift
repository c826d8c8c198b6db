import SortieHTTP
import SortieTerminal
import Support
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests how Request displays values that other endpoints capture.
@Suite struct CapturedValuePreviewTests {
    private func opened(capturing: Bool) -> AppState {
        var workspace = Workspace.sample
        var login = Endpoint(target: "shop/sign-in", name: "Sign in", method: .post, path: "/sign-in")
        if capturing { login.captures = [Capture(name: "id", path: "$.id")] }
        workspace.services[0].endpoints.append(login)
        workspace.services[0].endpoints[2].path = "/orders/{{sign-in.id}}"
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 160, height: 50))
        state.open("shop/orders/list")
        return state
    }

    @Test func `a value that an endpoint captures is displayed by its name and is not undefined`() {
        let screen = opened(capturing: true).screen
        #expect(screen.contains("/orders/{{sign-in.id}}") && !screen.contains("defines {{"), "\(screen)")
    }

    @Test func `a name that no endpoint captures is undefined`() {
        #expect(opened(capturing: false).screen.contains("defines {{sign-in.id"))
    }
}
