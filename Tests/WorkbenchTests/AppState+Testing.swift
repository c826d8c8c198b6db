import FoundationEssentials
import SortieHTTP
import SortieTerminal
import WorkspaceModel

@testable import SortieWorkbench

extension AppState {
    /// A small workspace: one service with a few endpoints.
    static func sample(size: Size = Size(width: 80, height: 24)) -> AppState {
        AppState(workspace: .sample, environment: nil, size: size)
    }

    /// Presses keys by their labels and returns all effects.
    @discardableResult
    mutating func press(_ labels: String...) -> [Effect] {
        labels.flatMap { label -> [Effect] in
            guard let key = Key(label: label) else { preconditionFailure("there is no key \(label)") }
            return update(.input(.key(key)))
        }
    }

    /// Types a text character by character.
    @discardableResult
    mutating func type(_ text: String) -> [Effect] {
        text.flatMap { update(.input(.key(.character($0)))) }
    }

    /// Opens an endpoint of the sample, with the focus on Request.
    mutating func open(_ target: String) {
        ServicesFeature.select(.endpoint(EndpointID(target)), &self)
        focus(.request)
        updateDemand()
    }

    /// Sends the open endpoint and returns the call's identity.
    mutating func sendOpen() -> CallID {
        for case .send(let id, _, _) in press("^R") { return id }
        preconditionFailure("nothing was sent")
    }

    /// Starts the open download and returns its identity, started or queued.
    mutating func downloadOpen() -> CallID {
        press("^R")
        guard let id = openCall?.id, calls[id]?.transfer != nil else { preconditionFailure("nothing was queued") }
        return id
    }

    /// Ends a call with a response.
    @discardableResult
    mutating func answer(
        _ id: CallID, _ body: String = #"{"ok": true}"#, status: Int = 200, contentType: String = "application/json"
    ) -> [Effect] {
        update(.call(id, .finished(.sample(body, status: status, contentType: contentType))))
    }

    /// The displayed text, also after a change that was not an action.
    var screen: String {
        var state = self
        state.updateDemand()
        return state.draw().text
    }
}

extension Exchange {
    static func sample(
        _ body: String = "", status: Int = 200, contentType: String = "application/json", error: NetworkError? = nil
    ) -> Exchange {
        var exchange = Exchange(
            id: RequestID(high: 1, low: 1),
            request: Request(url: HTTPURL(scheme: .http, host: "127.0.0.1", port: 8080, path: "/orders")),
            startedAt: Date(timeIntervalSince1970: 0))
        var attempt = Attempt(url: exchange.request.url, method: .get, startedAt: exchange.startedAt)
        attempt.timing.connect = 0.010
        attempt.timing.requestStart = 0.011
        attempt.timing.firstByte = 0.030
        attempt.timing.total = 0.034
        exchange.duration = 0.034
        exchange.error = error
        if error == nil {
            exchange.response = Response(
                status: status, reason: status == 200 ? "OK" : "", headers: [HeaderField("Content-Type", contentType)],
                body: BodyBytes(Array(body.utf8)), wireBytes: Int64(body.utf8.count), remoteAddress: "127.0.0.1:8080")
        }
        attempt.response = exchange.response?.head
        exchange.attempts = [attempt]
        return exchange
    }
}

extension Workspace {
    static var sample: Workspace {
        var workspace = Workspace(name: "Demo", folder: "/demo")
        workspace.environments = [
            .init(name: "develop", variables: ["host": "127.0.0.1:8080"]),
            .init(name: "release", variables: ["host": "shop.example"]),
        ]
        var shop = Service(folder: "shop", name: "Shop")
        shop.servers = ["develop": ["http://{{host}}"], "release": ["https://a.{{host}}", "https://b.{{host}}"]]
        shop.headers = [Parameter("Accept", "application/json")]
        var list = Endpoint(target: "shop/orders/list", name: "List orders", path: "/orders")
        list.query = [Parameter("page", "1"), Parameter("size", "20", isEnabled: false)]
        list.location = SourceLocation(file: "shop/orders/list.yaml")
        var create = Endpoint(target: "shop/orders/create", name: "Create order", method: .post, path: "/orders")
        create.body = .json("{\n  \"item\": 1\n}")
        var big = Endpoint(target: "shop/big", name: "big.iso", path: "/big")
        big.kind = .download
        shop.endpoints = [big, create, list]
        workspace.services = [shop]
        workspace.runs = [RunDefinition(name: "checkout", kind: .chain, steps: [])]
        return workspace
    }
}

extension [Effect] {
    /// The jobs of a type whose work is to be done.
    func started<Started: WorkJob>(_ type: Started.Type) -> [(id: JobID, job: Started)] {
        compactMap { $0.started(type) }
    }
}

extension Effect {
    /// The job of a type whose work is to be done.
    func started<Started: WorkJob>(_ type: Started.Type) -> (id: JobID, job: Started)? {
        guard case .work(let started) = self, let job = started.job as? Started else { return nil }
        return (started.id, job)
    }
}

extension AppState {
    /// Delivers a result of the work of a job.
    @discardableResult
    mutating func end<Ended: WorkJob>(_ type: Ended.Type, _ id: JobID, _ outcome: Ended.Outcome) -> [Effect] {
        update(.worked(WorkResult(of: type, id, outcome)))
    }
}
