import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the options of a request, their effective values and the sources of these.
@Suite struct OptionsTabTests {
    private func opened(_ workspace: Workspace = .sample) -> AppState {
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 120, height: 60))
        state.open("shop/orders/list")
        state.press("[")
        return state
    }

    private func select(_ option: OptionRow, in state: inout AppState) {
        state.requestState.row = OptionRow.allCases.firstIndex(of: option) ?? 0
    }

    @Test func `each option is displayed with its value and its source`() {
        var workspace = Workspace.sample
        workspace.timeouts.idle = .seconds(7)
        workspace.services[0].timeouts = Timeouts(connect: .seconds(3), idle: .seconds(7))
        workspace.services[0].endpoints[2].redirects = 0
        let text = opened(workspace).screen
        for row in [
            "Kind               data  ▾  default", "Connect timeout    3s  Shop", "Idle timeout       7s  workspace",
            "Total timeout      1m  default", "Redirects          0  endpoint", "HTTP version       auto  ▾  default",
            "Cookies            on  default", "Interface          any  default",
        ] {
            #expect(text.contains(row), "\(row)")
        }
    }

    @Test func `the text of the selected row is below the rows where the row cuts it`() {
        func screen(row: Int, height: Int) -> String {
            var state = AppState.sample(size: Size(width: 160, height: height))
            state.open("shop/orders/list")
            state.change { $0.query[0].summary = "the number of the page, which begins at one and ends at ten" }
            state.requestState.row = row
            return state.screen
        }
        #expect(screen(row: 0, height: 50).contains("page · 1 · the number of the page"))
        #expect(!screen(row: 1, height: 50).contains("page ·"))
        // Without free rows there is none.
        #expect(!screen(row: 0, height: 10).contains("page ·"))
    }

    @Test func `a number is edited in place, rejected outside its range, and the typed text is kept`() {
        var state = opened()
        select(.key(.redirects), in: &state)
        state.press("Enter", "^U")
        #expect(state.screen.contains("a whole number from 0 to 100; 0 follows none"))
        state.type("101")
        state.press("Enter")
        #expect(RequestFeature.editing(state) != nil)
        #expect(state.toast?.text.contains("“101”") == true)
        state.press("Backspace", "Enter")
        #expect(state.openEndpoint?.redirects == 10)
        #expect(state.screen.contains("10  endpoint"))
    }

    @Test func `Space toggles a switch and selects the next choice`() {
        var state = opened()
        select(.key(.cookies), in: &state)
        state.press("Space")
        #expect(state.openEndpoint?.cookies == false)
        select(.key(.http), in: &state)
        state.press("Space")
        #expect(state.openEndpoint?.version == .http1)
        state.press("Space", "Space")
        #expect(state.openEndpoint?.version == nil)
    }

    @Test func `S2.61 a place or a policy of the cache is chosen, and switches caching on for a minute`() {
        var state = opened()
        select(.cachePlace, in: &state)
        state.press("Space")
        #expect(state.openEndpoint?.cache == CacheSetting(isOnDisk: true))
        #expect(state.screen.contains("Cache on           disk  ▾  endpoint"))
        select(.cachePolicy, in: &state)
        state.press("Space")
        #expect(state.openEndpoint?.cache == CacheSetting(isOnDisk: true, policy: .revalidate))
        state.press("d")
        select(.cache, in: &state)
        state.press("d")
        #expect(state.openEndpoint?.cache == nil)
    }

    @Test func `a choice displays its description`() {
        var state = opened()
        select(.key(.http), in: &state)
        state.press("Enter")
        #expect(state.screen.contains("HTTP/2 if negotiated by TLS"))
        state.press("End", "Enter")
        #expect(state.openEndpoint?.version == .http2)
    }

    @Test func `d resets an option, like an empty field`() {
        var state = opened()
        select(.key(.interface), in: &state)
        state.press("Enter", "^U")
        state.type("eth0")
        state.press("Enter")
        #expect(state.openEndpoint?.interface == "eth0")
        state.press("d")
        #expect(state.openEndpoint?.interface == nil)
        select(.connect, in: &state)
        state.press("Enter", "^U")
        state.type("2s")
        state.press("Enter")
        #expect(state.openEndpoint?.timeouts?.connect == .seconds(2))
        state.press("Enter", "^U", "Enter")
        #expect(state.openEndpoint?.timeouts == nil)
        #expect(state.drafts["shop/orders/list"]?.isEdited == false)
    }

    @Test func `the default total does not apply to a transfer, and a typed one does`() {
        var state = opened()
        select(.key(.kind), in: &state)
        state.press("Space")
        #expect(state.openEndpoint?.kind == .download)
        #expect(state.screen.contains("Total timeout      none  default"))
        select(.total, in: &state)
        state.press("Enter", "^U")
        state.type("60s")
        state.press("Enter")
        #expect(state.openEndpoint?.timeouts == Timeouts(total: .seconds(60)))
        #expect(state.screen.contains("Total timeout      1m  endpoint"))
        state.press("Enter", "^U")
        state.type("none")
        state.press("Enter")
        #expect(state.openEndpoint?.timeouts == nil, "without a limit is what holds anyway")
        select(.connect, in: &state)
        state.press("Enter", "^U")
        state.type("2s")
        state.press("Enter")
        #expect(state.openEndpoint?.timeouts == Timeouts(connect: .seconds(2)))
        #expect(state.screen.contains("Total timeout      none  default"), "another limit sets no total")
    }

    @Test func `S1.42 the plugins of an endpoint are displayed with their source and changed in the Options tab`() {
        var workspace = Workspace.sample
        let place = SourceLocation(file: "service.yaml")
        let sign = PluginSetting.Kind.sign(.init(secret: "{{other}}"))
        workspace.services[0].plugins = [PluginSetting(.token(.init()), location: place), PluginSetting(sign, location: place)]
        var state = opened(workspace)
        select(.plugins, in: &state)
        #expect(state.screen.contains("Plugins            token, sign  Shop"))
        func edit(_ text: String) {
            state.press("Enter", "^U")
            state.type(text)
            state.press("Enter")
        }
        edit("only sign")
        #expect(state.openEndpoint?.pluginUse == .only([sign]), "with the options of the service")
        #expect(state.screen.contains("Plugins            only sign  endpoint"))
        edit("debugLog signals")
        #expect(state.openEndpoint?.pluginUse == .adding([.debugLog(), .signals(.init())]))
        edit("none")
        #expect(state.openEndpoint?.pluginUse == Endpoint.PluginUse.none)
        edit("sing")
        #expect(RequestFeature.editing(state) != nil, "an unknown name is not accepted")
        #expect(state.toast?.text.contains("“sing”") == true)
        state.press("^U")
        state.type("token, sign")
        state.press("Enter")
        #expect(state.openEndpoint?.pluginUse == nil, "the inherited list is not stored")
        #expect(state.drafts["shop/orders/list"]?.isEdited == false)
    }

    @Test func `S2.13 the service type is chosen in the Options tab`() {
        var state = opened()
        select(.key(.serviceType), in: &state)
        #expect(state.screen.contains("Service type       standard  ▾  default"))
        state.press("Space")
        #expect(state.openEndpoint?.serviceType == .voip)
        #expect(state.screen.contains("Service type       voip  ▾  endpoint"))
        state.press("d")
        #expect(state.openEndpoint?.serviceType == .standard)
    }

    @Test func `S2.3 the cache setting of the workspace is displayed, and an endpoint changes or switches it off`() {
        var workspace = Workspace.sample
        workspace.cache = CacheSetting(lifetime: .seconds(300), isOnDisk: true)
        var state = opened(workspace)
        #expect(state.screen.contains("Cache for          5m  workspace") && state.screen.contains("Cache on           disk  ▾  workspace"))
        select(.cachePolicy, in: &state)
        state.press("Space")
        #expect(state.openEndpoint?.cache == CacheSetting(lifetime: .seconds(300), isOnDisk: true, policy: .revalidate))
        state.press("d")
        select(.cache, in: &state)
        state.press("Enter", "^U")
        state.type("none")
        state.press("Enter")
        #expect(state.openEndpoint?.cache?.lifetime == .zero)
    }

    @Test func `S3.5 an option of the extended endpoint has its target as source, until it is changed`() throws {
        var workspace = Workspace.sample
        let index = try #require(workspace.services[0].endpoints.firstIndex { $0.target == "shop/orders/list" })
        var base = workspace.services[0].endpoints[index]
        base.target = "shop/orders/base"
        base.redirects = 3
        workspace.services[0].endpoints[index].redirects = 3
        workspace.services[0].endpoints[index].extends = "shop/orders/base"
        workspace.services[0].endpoints.append(base)
        var state = opened(workspace)
        #expect(state.screen.contains("Redirects          3  shop/orders/base"))
        select(.key(.redirects), in: &state)
        state.press("Enter", "^U")
        state.type("4")
        state.press("Enter")
        #expect(state.screen.contains("Redirects          4  endpoint"))
        state.press("d")
        #expect(state.openEndpoint?.redirects == 3)
        #expect(state.screen.contains("Redirects          3  shop/orders/base"))
    }

    @Test func `S2.14 networks are excluded in the Options tab`() {
        var state = opened()
        select(.networks, in: &state)
        #expect(state.screen.contains("Networks           any  default"))
        state.press("Enter", "^U")
        state.type("without metered, wlan0")
        state.press("Enter")
        #expect(state.openEndpoint?.excludedNetworks == [.metered, .interface("wlan0")])
        #expect(state.screen.contains("Networks           without metered, wlan0  endpoint"))
        state.press("Enter", "^U")
        state.type("any")
        state.press("Enter")
        #expect(state.openEndpoint?.excludedNetworks == [])
    }

    @Test func `S1.4 S2.19 TLS and inheritance are switched in the Options tab`() {
        var workspace = Workspace.sample
        workspace.services[0].requiresTLS = true
        workspace.services[0].headers = [Parameter("X-Service", "1")]
        workspace.services[0].timeouts = Timeouts(total: .seconds(90))
        var state = opened(workspace)
        select(.key(.https), in: &state)
        #expect(state.screen.contains("HTTPS              required  ▾  Shop"))
        state.press("Space")
        #expect(state.openEndpoint?.requiresTLS == false)
        #expect(state.screen.contains("HTTPS              optional  ▾  endpoint"))
        select(.key(.inherit), in: &state)
        state.press("Space")
        #expect(state.openEndpoint?.inherits == false)
        #expect(state.screen.contains("Cookies            off"))
        select(.total, in: &state)
        #expect(state.screen.contains("Total timeout      1m  default"), "the limits of the service do not apply")
        select(.key(.inherit), in: &state)
        state.requestState.tab = .headers
        #expect(!state.screen.contains("X-Service"))
        state.requestState.tab = .options
        state.press("d")
        #expect(state.openEndpoint?.inherits == nil)
    }

    @Test func `the source of the total is displayed`() {
        var workspace = Workspace.sample
        workspace.timeouts.total = .seconds(60)
        #expect(opened(workspace).screen.contains("Total timeout      1m  workspace"))
        workspace.services[0].timeouts = Timeouts(total: .seconds(60))
        #expect(opened(workspace).screen.contains("Total timeout      1m  workspace"))
        workspace.services[0].timeouts = Timeouts(total: .seconds(90))
        #expect(opened(workspace).screen.contains("Total timeout      90s  Shop"))
    }

    @Test(arguments: [
        (OptionRow.connect, "0s"), (.idle, "none"), (.total, "soon"), (.cache, "-1s"), (.key(.redirects), "many"),
        (.key(.interface), "a b"), (.key(.retryLimit), "101"),
    ])
    func `an invalid value is rejected and changes nothing`(option: OptionRow, text: String) {
        var endpoint = Endpoint(target: "shop/x", name: "x", path: "/")
        let before = endpoint
        #expect(!option.set(text, of: &endpoint, defaults: OptionDefaults(of: endpoint, in: .sample)))
        #expect(endpoint == before)
    }

    @Test func `the first tag is typed into an empty field`() {
        var state = opened()
        select(.tags, in: &state)
        state.press("Enter")
        state.type("one")
        state.press("Enter")
        #expect(state.openEndpoint?.tags == ["one"])
        var unchanged = opened()
        select(.tags, in: &unchanged)
        unchanged.press("Enter", "Enter")
        #expect(unchanged.openEndpoint?.tags == [] && unchanged.editedDrafts.isEmpty)
    }
}
