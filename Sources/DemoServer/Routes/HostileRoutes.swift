import Foundation

/// Routes with hostile responses, to test that clients handle them safely.
enum HostileRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            .get("/escape", "Terminal escape sequences in the body and in the header X-Escape: they must be shown, never executed.") { _ in
                .text(Samples.escapes, headers: [("X-Escape", Samples.escapeHeader)])
            },
            .get("/invalid-json", "Declares JSON and ends in the middle of it.") { _ in
                .text("{\"code\": 200, \"result\": [1, 2, {\"a\": \"b\", ]\n", type: "application/json")
            },
            .get("/invalid-utf8", "Declares UTF-8 and contains other bytes.") { _ in
                let bytes =
                    Data("good ".utf8) + [0xC3, 0x28, 0xFF, 0xFE, 0xE2, 0x82] + Data(" bad, truncated: ".utf8) + [0xF0, 0x9F]
                return Reply(headers: [("Content-Type", "text/plain; charset=utf-8")], body: .data(bytes))
            },
        ]
    }
}
