import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests how the Params tab shows where parameters are sent, and what they must be.
@Suite struct ParameterRulesTests {
    private func opened(_ change: (inout Endpoint) -> Void) -> AppState {
        var workspace = Workspace.sample
        change(&workspace.services[0].endpoints[2])
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 200, height: 50))
        state.open("shop/orders/list")
        return state
    }

    @Test func `S1.41 the problem of a value is displayed beside it, also while it is typed`() {
        var state = opened {
            $0.query = [Parameter("page", "1")]
            $0.parameters = ParameterStyle()
            $0.parameters?.rules = [ParameterRule("page", type: .integer, atLeast: 1, atMost: 9)]
        }
        #expect(!state.screen.contains("must be"))
        state.press("Enter")
        state.type("x")
        #expect(state.screen.contains("must be a whole number"))
        state.press("Backspace")
        #expect(!state.screen.contains("must be"))
        state.type("0")
        #expect(state.screen.contains("must be at most 9"))
        state.press("Enter")
        #expect(state.screen.contains("must be at most 9"))
    }

    @Test func `S1.41 a required parameter without a row is displayed as missing`() {
        var state = opened {
            $0.query = []
            $0.parameters = ParameterStyle()
            $0.parameters?.rules = [ParameterRule("token", isRequired: true)]
        }
        #expect(state.screen.contains("is missing"), "\(state.screen)")
        state = opened {
            $0.query = [Parameter("token", "t")]
            $0.parameters = ParameterStyle()
            $0.parameters?.rules = [ParameterRule("token", isRequired: true)]
        }
        #expect(!state.screen.contains("is missing"))
    }

    @Test func `S0.29 the Params tab says that a form contains the parameters`() {
        func sentIn(_ method: HTTPMethod) -> Bool {
            let state = opened {
                $0.method = method
                $0.query = [Parameter("page", "1")]
                $0.parameters = ParameterStyle()
                $0.parameters?.place = .byMethod
            }
            return state.screen.contains("a form, because of \(method)")
        }
        #expect(sentIn(.post))
        #expect(!sentIn(.get))
    }
}
