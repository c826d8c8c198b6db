public import Terminal

extension AppState {
    /// Draws the whole screen.
    public func draw() -> Canvas {
        var canvas = Canvas(size: size)
        let layout = layout
        guard !layout.isTooSmall else {
            let least = "\(Layout.minimum.width) × \(Layout.minimum.height)"
            canvas.writeHint(
                ["Sortie needs \(least) cells; make the window larger. Ctrl-Q quits."], in: canvas.bounds, style: .text)
            return canvas
        }
        if !layout.services.isEmpty { drawServices(on: &canvas, in: layout.services) }
        if !layout.request.isEmpty { drawRequest(on: &canvas, in: layout.request) }
        if !layout.response.isEmpty { drawResponse(on: &canvas, in: layout.response, layout) }
        if !layout.bottom.isEmpty { drawBottom(on: &canvas, in: layout.bottom) }
        drawFooter(on: &canvas, in: layout.footer)
        switch popup {
        case .list(let list): drawList(list, on: &canvas)
        case .prompt(let prompt): drawPrompt(prompt, on: &canvas)
        case .files(let picker): drawPicker(picker, on: &canvas)
        case .cookies(let list): drawCookies(list, on: &canvas)
        case .form(let form): drawForm(form, on: &canvas)
        case .dryRun(let dryRun): draw(dryRunText(dryRun), top: dryRun.top, on: &canvas)
        case .transfer(let transfer): draw(transferText(transfer), top: transfer.top, on: &canvas)
        case .diff(let diff): draw(diffText(diff), top: diff.top, on: &canvas)
        case .compare(let compare): drawComparison(compare, on: &canvas)
        case nil: break
        }
        drawNotification(on: &canvas, above: layout.footer)
        return canvas
    }

    func borderStyle(_ pane: Pane) -> Style { pane == focus && popup == nil ? .borderFocused : .border }

    func titleStyle(_ pane: Pane) -> Style { pane == focus && popup == nil ? .titleFocused : .title }

    /// Draws the search field in the last row of a pane, with the previous text as its placeholder.
    func drawSearch(_ place: SearchPlace, on canvas: inout Canvas, in rect: Rect) {
        guard let entry = searchEntry, entry.place == place, rect.height > 0 else { return }
        let point = Point(column: rect.column, row: rect.endRow - 1)
        canvas.fill(Rect(column: rect.column, row: point.row, width: rect.width, height: 1))
        canvas.write("/", at: point, style: .key, width: rect.width)
        entry.field.draw(on: &canvas, at: point.moved(columns: 1), width: rect.width - 1, placeholder: entry.previous ?? "search")
    }
}
