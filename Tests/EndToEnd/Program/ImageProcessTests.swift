import Support
import Testing

/// Tests the process that decodes images.
@Suite struct ImageProcessTests {
    @Test func `the process is limited before it reads an image`() async throws {
        let sortie = try Sortie()
        let run = try await sortie.shell(
            """
            mkfifo image
            "$SORTIE" decode-image --width 4 --height 4 < image & pid=$!
            exec 3> image
            until grep -q 'Max open files  *0 ' /proc/$pid/limits; do kill -0 $pid || exit 9; done
            cat /proc/$pid/limits
            exec 3>&-
            wait $pid
            """)
        #expect(run.status == .exited(3))
        #expect(run.errorOutput.contains("The header of the image is damaged."))
        let limits = run.output.split(separator: "\n")
        for (name, value) in [
            ("Max cpu time", "5"), ("Max core file size", "0"), ("Max address space", "536870912"), ("Max open files", "0"),
        ] {
            #expect(limits.contains { $0.hasPrefix(name) && $0.dropFirst(name.count).split(separator: " ").first == value[...] }, "\(name)")
        }
    }

    @Test func `the command is not in the help, and refuses sizes of no pane`() async throws {
        let sortie = try Sortie()
        let help = try await sortie.run("--help")
        #expect(help.succeeded && !help.output.contains("decode-image"))
        for size in ["0", "4097", "-1"] {
            #expect(try await sortie.runProcess("decode-image", "--width", size, "--height", "4").status == .exited(2))
        }
    }
}
