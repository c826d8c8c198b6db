import SortieHTTP
import Testing
import WorkspaceModel

/// The keys of an endpoint's file with one scalar, as texts.
@Suite struct EndpointKeyTests {
    private let endpoint = Endpoint(target: "shop/list", name: "list", path: "/list")

    @Test(arguments: EndpointKey.all) func `each word of a key has a value, and is offered`(key: EndpointKey) {
        guard case .words(let words, let choices) = key.notation else { return }
        #expect(Set(words) == Set(choices.map(\.value)) && Set(words).count == words.count)
        for word in words {
            var changed = endpoint
            key.set(word, &changed)
            #expect(key.text(changed) == word)
        }
    }

    @Test func `each value of a type has a word`() {
        for (key, count) in [
            (EndpointKey.kind, RequestKind.allCases.count), (.traffic, Traffic.allCases.count), (.serviceType, ServiceType.allCases.count),
            (.http, RequestOptions.Version.allCases.count), (.priority, 3), (.https, 2),
        ] {
            guard case .words(let words, _) = key.notation else {
                Issue.record("\(key.name) has no words")
                continue
            }
            #expect(words.count == count, "\(key.name)")
        }
    }

    @Test(
        arguments: [
            (.redirects, "7", "7"), (.uploadRate, "500kB", "500000"), (.interface, "eth0", "eth0"), (.cookies, "off", "false"),
            (.https, "required", "required"),
            (.retryLimit, "3", "3"), (.priority, "high", "high"),
        ] as [(EndpointKey, String, String)])
    func `a typed value has a canonical text, and is removed`(key: EndpointKey, typed: String, canonical: String) {
        var changed = endpoint
        #expect(key.enter(typed, in: &changed, over: RequestOptions()))
        #expect(key.text(changed) == canonical && key.isOwn(changed))
        key.set(nil, &changed)
        #expect(changed == endpoint && !key.isOwn(changed))
    }

    @Test(
        arguments: [(.cookies, "on"), (.redirects, "20"), (.https, "optional"), (.http, "auto"), (.uploadRate, "none"), (.interface, "any")]
            as [(EndpointKey, String)])
    func `the inherited value is shown, and not stored when it is typed`(key: EndpointKey, typed: String) {
        var changed = endpoint
        #expect(key.shown(endpoint, over: RequestOptions()) == typed)
        #expect(key.enter(typed, in: &changed, over: RequestOptions()))
        #expect(changed == endpoint)
    }

    @Test(
        arguments: [(.cookies, "true"), (.redirects, "101"), (.https, "any"), (.uploadRate, "0"), (.interface, "a b"), (.kind, "")]
            as [(EndpointKey, String)])
    func `an invalid text changes nothing`(key: EndpointKey, typed: String) {
        var changed = endpoint
        #expect(!key.enter(typed, in: &changed, over: RequestOptions()))
        #expect(changed == endpoint)
    }
}
