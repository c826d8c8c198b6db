/// Routes for the log of received requests, with which tests prove that no request was sent twice.
enum LogRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            .get("/log", "The most recent requests, oldest first: ?path=/upload filters. Requests for /log are not included.") {
                call in
                let entries = await demo.log.recent(path: call.query["path"])
                return .json([
                    "count": .integer(entries.count),
                    "requests": .array(
                        entries.map { entry in
                            [
                                "id": .integer(entry.id), "method": .string(entry.method), "path": .string(entry.path),
                                "query": .string(entry.query), "time": .string(entry.time), "trace": .optional(entry.trace),
                            ]
                        }),
                ])
            },
            Route(["DELETE"], "/log", "Clears the log.") { _ in
                await demo.log.clear()
                return Reply(204)
            },
        ]
    }
}
