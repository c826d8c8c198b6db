import Testing

@testable import SortieTerminal

struct ThemeTests {
    private static let depths: [ColourDepth] = [.none, .basic, .extended, .rich]

    @Test(arguments: Theme.allCases, Self.depths)
    func `a selected cell looks different from one that is not`(theme: Theme, depth: ColourDepth) {
        for role in Role.allCases {
            let plain = theme.rendition(of: Style(role), depth: depth)
            #expect(theme.rendition(of: Style(role).selected(), depth: depth) != plain, "\(role)")
        }
    }

    @Test(arguments: Theme.allCases)
    func `with 256 colours a selected row has one background and keeps the colours of its text`(theme: Theme) {
        let selected = Role.allCases.map { ($0, theme.rendition(of: Style($0).selected(), depth: .rich)) }
        #expect(Set(selected.map(\.1.background)).count == 1)
        for (role, rendition) in selected where theme.look(of: role).rich != nil {
            #expect(rendition.foreground == theme.look(of: role).rich, "\(role)")
        }
        #expect(selected.allSatisfy { $0.1.foreground != nil }, "the default colour may be the one of the bar")
    }

    @Test func `with 8 colours a selected row is reversed as a whole`() {
        for role in Role.allCases where !Theme.isReversed(role) {
            let rendition = Theme.automatic.rendition(of: Style(role).selected(), depth: .basic)
            #expect(rendition.foreground == nil && rendition.attributes.contains(.reverse), "\(role)")
        }
    }

    @Test(arguments: [
        (Role.borderFocused, Role.border), (.titleFocused, .title), (.tabSelected, .tab), (.error, .text), (.searchMatch, .text),
        (.escaped, .text), (.currentMatch, .searchMatch), (.currentMatch, .text), (.methodDelete, .methodSafe),
    ])
    func `without colours attributes express the meaning`(role: Role, other: Role) {
        for theme in Theme.allCases {
            #expect(theme.rendition(of: Style(role), depth: .none) != theme.rendition(of: Style(other), depth: .none), "\(theme)")
        }
    }

    @Test(arguments: Theme.allCases, Self.depths)
    func `underlined text is underlined with every number of colours`(theme: Theme, depth: ColourDepth) {
        for role in Role.allCases { #expect(theme.rendition(of: Style(role).underlined(), depth: depth).attributes.contains(.underline), "\(role)") }
    }

    @Test func `high contrast has no dim text`() {
        for depth in Self.depths {
            for role in Role.allCases {
                #expect(!Theme.contrast.rendition(of: Style(role).dim(), depth: depth).attributes.contains(.dim), "\(role) \(depth)")
            }
        }
    }

    @Test(arguments: [(0, ColourDepth.none), (7, .none), (8, .basic), (16, .extended), (88, .extended), (256, .rich), (16_777_216, .rich)])
    func `the depth is the largest that a terminal supports`(colours: Int, depth: ColourDepth) {
        #expect(ColourDepth(colours: colours) == depth)
    }
}
