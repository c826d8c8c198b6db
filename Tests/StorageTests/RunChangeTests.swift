import SortieBase
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests changes of the steps of a run's file: what is not changed keeps its bytes.
@Suite struct RunChangeTests {
    private static let chain = """
        # the usual way
        description: buys something
        chain:
          # first, log in
          - send: shop/login   # as a customer
            capture: {token: $.token}

          - send: shop/list
            with:
              size: 10   # few

          # both at once
          - parallel:
              - send: shop/detail
              # the stock may be late
              - {send: shop/stock, expect: {under: 2s}}
            concurrency: 2

          - send: shop/pay
        stopOnFailure: false
        # the end

        """

    private func workspace(_ run: String = chain) throws -> TemporaryWorkspace {
        var files = ["runs/buy.yaml": run]
        for name in ["login", "list", "detail", "stock", "pay", "new"] { files["shop/\(name).yaml"] = "path: http://127.0.0.1/\(name)\n" }
        return try TemporaryWorkspace(files)
    }

    /// Changes the run; the file is read again without a new problem, with the steps that were meant.
    private func change(_ workspace: TemporaryWorkspace, _ work: (inout RunDefinition) throws -> Void) throws -> String {
        try withExtendedLifetime(workspace) {
            let old = try #require(try workspace.load().runs.first)
            var new = old
            try work(&new)
            _ = try WorkspaceFolder(path: workspace.path).perform(.changeRun(from: old, to: new))
            let read = try #require(try workspace.load().runs.first)
            #expect(read.steps.map(\.name) == new.steps.map(\.name) && read.steps.map(\.group) == new.steps.map(\.group))
            return try workspace.read("runs/buy.yaml")
        }
    }

    @Test func `a run that is not changed keeps its bytes`() throws {
        #expect(try change(workspace()) { _ in } == Self.chain)
    }

    @Test func `a moved step takes its comments with it, and blank lines stay between the turns`() throws {
        let text = try change(workspace()) { _ = $0.moveStep(0, down: true) }
        #expect(
            text == """
                # the usual way
                description: buys something
                chain:
                  - send: shop/list
                    with:
                      size: 10   # few

                  # first, log in
                  - send: shop/login   # as a customer
                    capture: {token: $.token}

                  # both at once
                  - parallel:
                      - send: shop/detail
                      # the stock may be late
                      - {send: shop/stock, expect: {under: 2s}}
                    concurrency: 2

                  - send: shop/pay
                stopOnFailure: false
                # the end

                """)
    }

    @Test func `moving a step there and back restores the bytes`() throws {
        let workspace = try workspace()
        _ = try change(workspace) { _ = $0.moveStep(4, down: false) }
        #expect(try change(workspace) { _ = $0.moveStep(2, down: true) } == Self.chain)
    }

    @Test func `a step leaves a group with its comment and its column, and the group keeps its limit`() throws {
        let workspace = try workspace()
        _ = try change(workspace) { _ = try $0.toggleParallel(4) }
        let text = try change(workspace) { _ = try $0.toggleParallel(3) }
        #expect(
            text.contains(
                """
                  # both at once
                  - parallel:
                      - send: shop/detail
                      - send: shop/pay
                    concurrency: 2

                  # the stock may be late
                  - {send: shop/stock, expect: {under: 2s}}

                """))
    }

    @Test func `a group that ends leaves its comment above its first step`() throws {
        let text = try change(workspace()) { _ = try $0.toggleParallel(3) }
        #expect(
            text.contains(
                """
                  # both at once
                  - send: shop/detail

                  # the stock may be late
                  - {send: shop/stock, expect: {under: 2s}}

                  - send: shop/pay
                """))
    }

    @Test func `steps become a new group`() throws {
        let text = try change(workspace()) { _ = try $0.toggleParallel(1) }
        #expect(
            text.contains(
                """
                chain:
                  - parallel:
                      # first, log in
                      - send: shop/login   # as a customer
                        capture: {token: $.token}
                      - send: shop/list
                        with:
                          size: 10   # few

                """))
    }

    @Test func `a step is removed with its comment, and added as a person would write it`() throws {
        let text = try change(workspace()) { run in
            run.removeStep(0)
            run.addStep(sending: "shop/new", after: nil)
        }
        #expect(text.contains("chain:\n  - send: shop/list\n") && !text.contains("log in"))
        #expect(text.contains("\n\n  - send: shop/pay\n\n  - send: shop/new\nstopOnFailure: false\n"))
    }

    @Test func `conditions, repetitions, captures and variables are added to the lines of their step`() throws {
        let text = try change(workspace()) { run in
            run.steps[1].conditions = [Parameter("login.role", "admin")]
            run.steps[1].variables["page"] = "{{login.page}}"
            run.steps[1].loop = .forEach(variable: "item", .list(["1", "2"]))
            run.steps[3].captures = [Capture(name: "count", path: "$.count")]
            run.steps[4].loop = .repeats(while: [Parameter("pay.state", "open")], every: .seconds(2), limit: 5)
        }
        #expect(
            text.contains(
                """
                  - send: shop/list
                    with:
                      page: "{{login.page}}"
                      size: 10   # few
                    if: {login.role: admin}
                    forEach: [1, 2]

                """))
        #expect(text.contains("- {send: shop/stock, expect: {under: 2s}, capture: {count: $.count}}\n"))
        #expect(text.contains("  - send: shop/pay\n    while: {pay.state: open}\n    every: 2s\n    limit: 5\nstopOnFailure: false\n"))
        let removed = try workspace(text)
        #expect(
            try change(removed) { run in
                run.steps[1].conditions = []
                run.steps[1].loop = nil
                run.steps[1].variables["page"] = nil
                run.steps[3].captures = []
                run.steps[4].loop = nil
            } == Self.chain)
    }

    @Test func `steps in brackets stay on their line`() throws {
        let run = "chain: [{send: shop/login}, {parallel: [{send: shop/list}, {send: shop/pay}], concurrency: 2}]   # short\n"
        #expect(
            try change(workspace(run)) { _ = $0.moveStep(0, down: true) }
                == "chain: [{parallel: [{send: shop/list}, {send: shop/pay}], concurrency: 2}, {send: shop/login}]   # short\n")
        #expect(
            try change(workspace(run)) { _ = try $0.toggleParallel(1) }
                == "chain: [{send: shop/login}, {send: shop/list}, {send: shop/pay}]   # short\n")
        let inside = "chain:\n  - parallel: [{send: shop/list}, {send: shop/pay}]\n  - send: shop/login\n"
        #expect(
            try change(workspace(inside)) { _ = try $0.toggleParallel(2) }
                == "chain:\n  - parallel:\n      - {send: shop/list}\n      - {send: shop/pay}\n      - send: shop/login\n")
    }

    @Test func `line breaks of Windows and a missing one at the end stay`() throws {
        let text = "chain:\r\n  - send: shop/login\r\n  - send: shop/list"
        #expect(try change(workspace(text)) { _ = $0.moveStep(0, down: true) } == "chain:\r\n  - send: shop/list\r\n  - send: shop/login")
    }

    @Test func `the first steps of an empty run are added`() throws {
        let text = try change(workspace("chain: []\n")) { $0.addStep(sending: "shop/new", after: nil) }
        #expect(text == "chain: [{send: shop/new}]\n")
    }

    @Test func `a run that another program changed is not changed`() throws {
        let workspace = try workspace()
        let old = try #require(try workspace.load().runs.first)
        var new = old
        new.removeStep(0)
        try workspace.write(Self.chain.replacing("size: 10", with: "size: 20"), to: "runs/buy.yaml")
        #expect { try WorkspaceFolder(path: workspace.path).perform(.changeRun(from: old, to: new)) } throws: {
            ($0 as? WorkspaceError)?.code == .changedOnDisk
        }
        #expect(try workspace.read("runs/buy.yaml").contains("shop/login"))
    }

    @Test func `the last step of a run stays`() throws {
        let workspace = try workspace("chain:\n  - send: shop/login\n")
        let old = try #require(try workspace.load().runs.first)
        var new = old
        new.removeStep(0)
        #expect { try WorkspaceFolder(path: workspace.path).perform(.changeRun(from: old, to: new)) } throws: {
            "\($0)".contains("delete the run instead")
        }
    }

    @Test func `the steps of a new run are lines of their own`() throws {
        let workspace = try workspace()
        let run = RunDefinition(name: "fresh", kind: .chain, sending: ["shop/login", "shop/list", "shop/login"])
        _ = try withExtendedLifetime(workspace) { try WorkspaceFolder(path: workspace.path).perform(.createRun(run, saving: [])) }
        #expect(
            try workspace.read("runs/fresh.yaml") == "chain:\n  - send: shop/login\n  - send: shop/list\n  - send: shop/login\n    as: login-2\n")
    }
}
