import Foundation
import SortieBase
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests the settings file of the user.
@Suite struct SettingsFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func load(_ text: String) throws -> Settings {
        try folder.write("config.yaml", text)
        return SettingsFile.load(folder.path("config.yaml"))
    }

    @Test func `all values of the file apply`() throws {
        let settings = try load(
            """
            theme: dark
            colors: 16
            characters: ascii
            emoji: whole
            mouse: false
            editor: nano -w
            pager: most
            clipboard: osc52
            open: {image/*: feh -F, "*/*": [gvim, -R]}
            downloads: /data/got
            confirm: {quit: false, delete: false, overwrite: false, discard: true}
            history: {days: 30, exchanges: 1000, bodies: 500MB}
            layout: {services: 40, request: 30, bottom: 8}
            keymap: vi
            themes: {mine: {base: nord, focus: "#88c0d0"}}
            keys:
              Quit: [Ctrl-X, F10]
              Transfers/Pause: p

            """)
        #expect(settings.problems == [])
        #expect(settings.theme == "dark" && settings.colours == .extended && !settings.usesMouse && !settings.confirmsQuit)
        #expect(settings.editor == "nano -w" && settings.pager == "most" && settings.downloads == "/data/got")
        #expect(settings.servicesWidth == 40 && settings.requestShare == 30 && settings.bottomHeight == 8)
        #expect(settings.keymap == .vi && settings.characters == .ascii && settings.emoji == .whole)
        #expect(!settings.confirmsDeleting && !settings.confirmsOverwriting && settings.confirmsDiscarding)
        #expect(settings.historyDays == 30 && settings.historyExchanges == 1000 && settings.historyBytes == 500_000_000)
        #expect(settings.keys.map(\.command) == ["Quit", "Transfers/Pause"] && settings.keys.map(\.keys) == [["Ctrl-X", "F10"], ["p"]])
        #expect(settings.clipboard == .osc52)
        #expect(settings.themes.map(\.name) == ["mine"] && settings.themes.first?.colours == ["base": "nord", "focus": "#88c0d0"])
        #expect(settings.openCommand(for: "Image/PNG") == ["feh", "-F"] && settings.openCommand(for: "text/html") == ["gvim", "-R"])
        #expect(settings.places["layout.request"]?.line == 13)
    }

    @Test(arguments: [
        ("themes: [dark]", "themes must be a mapping"),
        ("colors: 12", "1:9: colors must be one of"), ("mouse: maybe", "1:8: mouse must be true or false"),
        ("layout: {services: 3}", "services must be a whole number from 14 to 200"),
        ("downloads: here", "downloads must begin with / or ~/, not “here”"), ("them: dark", "unknown key “them”; did you mean “theme”?"),
        ("keys: [a]", "keys must be a mapping"), ("characters: utf8", "characters must be one of automatic, unicode, ascii"),
        ("emoji: all", "1:8: emoji must be one of automatic, whole, first"),
        ("history: {days: 0}", "days must be a whole number from 1 to 36500"), ("history: {bodies: much}", "bodies must be a size such as 500MB"),
        ("confirm: {delete: 3}", "delete must be true or false"), ("confirm: yes", "confirm must be a mapping"), ("editor: ''", "editor is empty"),
        ("clipboard: xclip", "1:12: clipboard must be one of auto, osc52, tool, off, not “xclip”"),
        ("open: {png: feh}", "1:8: “png” is not a media type; write image/png"), ("open: {image/png: []}", "the command of image/png is empty"),
    ])
    func `an invalid line is reported, and the rest applies`(line: String, message: String) throws {
        let settings = try load(line + "\nkeymap: emacs\n")
        #expect(settings.problems.count == 1)
        #expect(settings.problems.first.map { "\($0)" }?.contains(message) == true, "\(settings.problems)")
        #expect(settings.keymap == .emacs)
        var rest = settings
        (rest.problems, rest.places, rest.path, rest.keymap) = ([], [:], "", .standard)
        #expect(rest == Settings())
    }

    @Test func `a file that is not YAML is reported with its place, and the defaults apply`() throws {
        let settings = try load("theme: [dark\n")
        #expect(settings.problems.count == 1 && settings.theme == "automatic")
        #expect(settings.problems.first?.location.file == folder.path("config.yaml"))
    }

    @Test func `a missing file has the defaults`() {
        let settings = SettingsFile.load(folder.path("none.yaml"))
        #expect(settings.problems == [] && settings.places == [:] && settings.path == folder.path("none.yaml"))
    }

    @Test func `a new file explains every key and sets none`() throws {
        let path = folder.path("new/config.yaml")
        try SettingsFile.create(path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let settings = SettingsFile.load(path)
        #expect(settings.problems == [] && settings.places == [:])
        for key in WorkspaceKeys.settings.names { #expect(SettingsFile.template.contains("# \(key):"), "\(key)") }
        // Without the marks the examples are valid.
        let example = SettingsFile.template.split(separator: "\n").dropFirst(2).map { $0.dropFirst(2) }.joined(separator: "\n")
        #expect(try load(example).problems == [])
    }

    @Test func `an existing file is not replaced`() throws {
        try folder.write("config.yaml", "theme: light\n")
        try SettingsFile.create(folder.path("config.yaml"))
        #expect(SettingsFile.load(folder.path("config.yaml")).theme == "light")
    }

    /// The file after a change, in a folder for settings of its own.
    private func changed(_ text: String?, _ keys: [String], to value: SettingValue?) throws -> String {
        let folders = UserFolders(environment: ["HOME": folder.path("home"), "XDG_CONFIG_HOME": folder.path("config")], current: folder.path(""))
        if let text { try folder.write("config/sortie/config.yaml", text) }
        let settings = try SettingsFile.change(keys, to: value, folders)
        #expect(settings == SettingsFile.load(folders))
        return String(decoding: try folder.read("config/sortie/config.yaml"), as: UTF8.self)
    }

    @Test(
        arguments: [
            ("theme: dark # mine\nmouse: true\n", ["theme"], .text("nord"), "theme: nord # mine\nmouse: true\n"),
            ("theme: dark\nmouse: true\n", ["theme"], nil, "mouse: true\n"), ("theme: dark\n", ["theme"], nil, ""),
            ("# nothing\n", ["confirm", "quit"], .text("false"), "# nothing\nconfirm:\n  quit: false\n"),
            ("confirm: {delete: false}\n", ["confirm", "quit"], .text("false"), "confirm: {delete: false, quit: false}\n"),
            ("mouse: true\nlayout:\n  services: 30\n", ["layout", "services"], nil, "mouse: true\n"),
            ("mouse: true\n", ["keys", "Transfers/Pause"], .list(["p", "F9"]), "mouse: true\nkeys:\n  Transfers/Pause: [p, F9]\n"),
            ("keys: {Help: F2}\n", ["keys", "Help"], .list([]), "keys: {Help: []}\n"), ("mouse: true\n", ["theme"], nil, "mouse: true\n"),
            ("mouse: true\n", ["open", "image/*"], .text("feh -F"), "mouse: true\nopen:\n  image/*: feh -F\n"),
        ] as [(String, [String], SettingValue?, String)])
    func `a change of a value changes only its line`(text: String, keys: [String], value: SettingValue?, result: String) throws {
        #expect(try changed(text, keys, to: value) == result)
    }

    @Test func `a change without a file creates the one with explanations`() throws {
        #expect(try changed(nil, ["theme"], to: .text("dark")) == SettingsFile.template + "theme: dark\n")
    }

    @Test(arguments: [
        (["layout", "services"], "3", "services must be a whole number"), (["downloads"], "here", "downloads must begin with /"),
        (["history", "bodies"], "much", "bodies must be a size"),
    ])
    func `an invalid value is refused with what is wrong, and the file stays as it is`(keys: [String], value: String, message: String) throws {
        let error = #expect(throws: Diagnostic.self) { try changed("mouse: true\n", keys, to: .text(value)) }
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        #expect(String(decoding: try folder.read("config/sortie/config.yaml"), as: UTF8.self) == "mouse: true\n")
    }

    @Test(arguments: [
        ("theme: dark\npager: 'less\nmouse: true\n# end\n", 2), ("theme: dark\nopen: {image/png: feh\nmouse: true\n# end\n", 2),
        ("theme dark\nmouse: true\n# one\n# two\n", 1), ("theme: dark\nmouse\n# end\n", 2),
    ]) func `an error of the syntax is placed where what is open begins, not at the end of the file`(text: String, line: Int) throws {
        let settings = try load(text)
        #expect(settings.problems.map(\.location.line) == [line], "\(settings.problems)")
    }
}
