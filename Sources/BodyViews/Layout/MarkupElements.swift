/// The open elements at a place in XML or HTML, with their positions among their siblings.
struct MarkupElements: Sendable {
    /// An element.
    struct Element: Sendable, Hashable {
        var name: Range<Int>
        /// The position among the siblings, from 1.
        var position: Int
        /// Whether the position counts the siblings with the same name, or all.
        var isOfName: Bool
        /// The number of elements directly in it so far.
        var children = 0

        /// The offset of the start tag.
        var start: Int { name.lowerBound - 1 }
    }

    /// The number of elements with a name in one of the open elements.
    private struct Count {
        /// The number of elements around them.
        var depth: Int
        var name: Range<Int>
        var count: Int
    }

    /// The greatest number of names that are counted in an element; checkpoints contain the counts.
    private static let mostNames = 16

    private(set) var open: [Element] = []
    /// The element that began last; it is not in ``open`` where it has ended already.
    private(set) var last: Element?
    /// The counts of the open elements, those of the innermost one last.
    private var counts: [Count] = []
    private var tops = 0

    /// Counts an element that begins.
    mutating func begin(_ name: Range<Int>, _ bytes: UnsafeRawBufferPointer, ignoringCase: Bool) {
        let depth = open.count
        tops += depth == 0 ? 1 : 0
        if depth > 0 { open[depth - 1].children += 1 }
        var index = counts.count - 1
        var names = 0
        while index >= 0, counts[index].depth == depth {
            if MarkupScanner.isSame(counts[index].name, name, bytes, ignoringCase: ignoringCase) {
                counts[index].count += 1
                last = Element(name: name, position: counts[index].count, isOfName: true)
                return
            }
            names += 1
            index -= 1
        }
        guard names < Self.mostNames else {
            last = Element(name: name, position: depth == 0 ? tops : open[depth - 1].children, isOfName: false)
            return
        }
        counts.append(Count(depth: depth, name: name, count: 1))
        last = Element(name: name, position: 1, isOfName: true)
    }

    /// Opens the element that began last.
    mutating func push(_ element: Element?) { if let element { open.append(element) } }

    /// Closes the elements from an index in ``open``.
    mutating func close(from index: Int) {
        open.removeSubrange(index...)
        while let last = counts.last, last.depth > open.count { counts.removeLast() }
    }
}

/// Why the layout of XML ends.
struct MarkupFault: Error {
    var message: String
    var offset: Int

    init(_ message: String, _ offset: Int) {
        (self.message, self.offset) = (message, offset)
    }
}

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
