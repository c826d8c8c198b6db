/// A context in which a binding applies.
///
/// The focus determines a stack of contexts; the first one with a binding for the key is used. Features declare the contexts of their
/// panes and popups.
struct Context: Hashable, Sendable {
    /// The title in the help.
    let title: String

    init(_ title: String) {
        self.title = title
    }

    /// Any pane, while no text is being typed.
    static let panes = Context("Every pane")
    /// A search or filter text is being typed.
    static let entry = Context("Search")
    /// A single-line text is being edited.
    static let field = Context("Editing text")
    /// A list in a popup.
    static let popup = Context("Popup")
    /// A list in a popup without a filter field.
    static let menu = Context("List")
    /// Any popup, while no text is being typed in it.
    static let popups = Context("Every popup")
    /// A form in a popup.
    static let form = Context("Form")
    /// A choice in a form.
    static let choice = Context("Choosing a word")
    /// A text in a popup.
    static let reading = Context("Reading")
    /// A popup with a text prompt.
    static let prompt = Context("Question")
    /// Everywhere outside popups, also while text is being typed.
    static let everywhere = Context("Everywhere")
    /// Everywhere, also in popups.
    static let always = Context("Always")

    /// The contexts of a popup and those that apply in every popup.
    static func ofPopup(_ contexts: [Context]) -> [Context] {
        contexts + (contexts.contains(.field) ? [] : [.popups]) + [.always]
    }

    /// The contexts while a search or a filter is being typed.
    static let typingSearch = [Context.entry, .field]
}
