import Testing

@testable import SortieTerminal

struct LookTests {
    @Test(arguments: Role.allCases)
    func `a selected cell looks different from one that is not`(role: Role) {
        for colour in [true, false] {
            let plain = Theme.attributes(of: Style(role), colour: colour)
            #expect(Theme.attributes(of: Style(role).selected(), colour: colour) != plain)
        }
    }

    @Test(arguments: [
        (Role.borderFocused, Role.border), (.titleFocused, .title), (.tabSelected, .tab), (.error, .text), (.searchMatch, .text),
        (.escaped, .text), (.currentMatch, .searchMatch), (.currentMatch, .text), (.methodDelete, .methodSafe),
    ])
    func `without colours attributes express the meaning`(role: Role, other: Role) {
        #expect(Theme.attributes(of: Style(role), colour: false) != Theme.attributes(of: Style(other), colour: false))
    }
}
