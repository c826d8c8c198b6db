import Testing

@testable import Terminal

struct LookTests {
    @Test(arguments: Role.allCases)
    func `a selected cell looks different from one that is not`(role: Role) {
        for colour in [true, false] {
            let plain = Look.attributes(of: Style(role), colour: colour)
            #expect(Look.attributes(of: Style(role).selected(), colour: colour) != plain)
        }
    }

    @Test(arguments: [
        (Role.borderFocused, Role.border), (.titleFocused, .title), (.tabSelected, .tab), (.error, .text), (.searchMatch, .text),
        (.escaped, .text), (.currentMatch, .searchMatch), (.currentMatch, .text), (.methodDelete, .methodSafe),
    ])
    func `without colours attributes express the meaning`(role: Role, other: Role) {
        #expect(Look.attributes(of: Style(role), colour: false) != Look.attributes(of: Style(other), colour: false))
    }
}
