import Testing

@testable import SortieTerminal

struct ThemeTests {
    private static let depths: [ColourDepth] = [.none, .basic, .extended, .rich]

    @Test(arguments: Theme.all, Self.depths)
    func `a selected cell looks different from one that is not`(theme: Theme, depth: ColourDepth) {
        for role in Role.allCases {
            let plain = theme.rendition(of: Style(role), depth: depth)
            #expect(theme.rendition(of: Style(role).selected(), depth: depth) != plain, "\(role)")
        }
    }

    @Test(arguments: Theme.all)
    func `with 256 colours a selected row has one background and keeps the colours of its text`(theme: Theme) {
        let selected = Role.allCases.map { ($0, theme.rendition(of: Style($0).selected(), depth: .rich)) }
        #expect(Set(selected.map(\.1.background)).count == 1)
        for (role, rendition) in selected where theme.colour(of: role) != nil {
            #expect(rendition.foreground == theme.colour(of: role), "\(role)")
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
        for theme in Theme.all {
            #expect(theme.rendition(of: Style(role), depth: .none) != theme.rendition(of: Style(other), depth: .none), "\(theme)")
        }
    }

    @Test(arguments: Theme.all, Self.depths)
    func `underlined text is underlined with every number of colours`(theme: Theme, depth: ColourDepth) {
        for role in Role.allCases { #expect(theme.rendition(of: Style(role).underlined(), depth: depth).attributes.contains(.underline), "\(role)") }
    }

    @Test func `high contrast has no dim text`() throws {
        let contrast = try #require(Theme.all.first { $0.name == "contrast" })
        for depth in Self.depths {
            for role in Role.allCases {
                #expect(!contrast.rendition(of: Style(role).dim(), depth: depth).attributes.contains(.dim), "\(role) \(depth)")
            }
        }
    }

    @Test(arguments: Theme.all)
    func `text, muted text and errors differ from the background and from each other`(theme: Theme) {
        let colours = [Role.text, .muted, .error, .success].map { theme.rendition(of: Style($0), depth: .rich) }
        for rendition in colours { #expect(rendition.foreground == nil || rendition.foreground != rendition.background, "\(theme.name)") }
        #expect(Set(colours.map(\.foreground)).count >= 3, "\(theme.name)")
    }

    @Test(arguments: [("#88c0d0", 110), ("#000000", 16), ("#FFFFFF", 231), ("#808080", 244), ("215", 215), ("default", nil)] as [(String, Int16?)])
    func `a colour is a number or the nearest one of its red, green and blue`(text: String, number: Int16?) {
        #expect(Theme.number(of: text) == .some(number))
    }

    @Test(arguments: ["", "256", "-1", "#12", "#12345g", "blue"]) func `another text is no colour`(text: String) {
        #expect(Theme.number(of: text) == nil)
    }

    @Test(arguments: [(0, ColourDepth.none), (7, .none), (8, .basic), (16, .extended), (88, .extended), (256, .rich), (16_777_216, .rich)])
    func `the depth is the largest that a terminal supports`(colours: Int, depth: ColourDepth) {
        #expect(ColourDepth(colours: colours) == depth)
    }
}
