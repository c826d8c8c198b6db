/// The elements of HTML that are laid out in their own way, by name in lowercase (HTML, §13.1.2).
enum MarkupNames {
    /// Elements without an end tag.
    static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    ]

    /// Elements whose content is text up to their end tag.
    static let raw: Set<String> = ["script", "style", "textarea", "title", "xmp"]

    /// Start tags that end a paragraph.
    private static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "details", "div", "dl", "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5",
        "h6", "header", "hr", "main", "menu", "nav", "ol", "p", "pre", "section", "table", "ul",
    ]

    /// Whether a start tag ends the open element, whose end tag may be left out.
    static func closes(_ name: String, open: String) -> Bool {
        switch open {
        case "p": blocks.contains(name)
        case "li": name == "li"
        case "dt", "dd": name == "dt" || name == "dd"
        case "option": name == "option" || name == "optgroup"
        case "td", "th": ["td", "th", "tr", "tbody", "tfoot"].contains(name)
        case "tr": ["tr", "tbody", "tfoot"].contains(name)
        case "thead", "tbody": name == "tbody" || name == "tfoot"
        case "head": name == "body"
        default: false
        }
    }
}
