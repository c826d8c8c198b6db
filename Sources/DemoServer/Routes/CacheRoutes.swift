/// Routes whose responses show whether the cache was used.
enum CacheRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            .get("/cache/{name}", "A resource with an ETag, its version, and the number of full responses; a matching If-None-Match gets a 304.") {
                call in
                let name = call.parameters["name"] ?? ""
                let current = await demo.cached.current(name)
                let headers = [("ETag", "\"\(name)-\(current.version)\""), ("Cache-Control", call.query["control"] ?? "max-age=60")]
                if call.header("If-None-Match") == headers[0].1 { return Reply(304, headers: headers) }
                return reply(name, await demo.cached.serve(name), headers)
            },
            Route(["POST"], "/cache/{name}", "A query by POST: the version and the number of responses.") { call in
                let name = call.parameters["name"] ?? ""
                return reply(name, await demo.cached.serve(name), [])
            },
            Route(["PUT"], "/cache/{name}", "Creates a new version of the resource, which invalidates cached responses of its URL.") { call in
                let name = call.parameters["name"] ?? ""
                return reply(name, await demo.cached.change(name), [])
            },
        ]
    }

    private static func reply(_ name: String, _ resource: CachedResources.Resource, _ headers: [(String, String)]) -> Reply {
        .json(["name": .string(name), "version": .integer(resource.version), "served": .integer(resource.served)], headers: headers)
    }
}
