import Testing

@Suite struct OrderRoutesTests {
    @Test func `a page contains its items and the total`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/orders?page=3&size=20")
            #expect(response.json("code") == "200")
            #expect(response.json("result.items") == "17 items")
            #expect(response.json("result.items.0.id") == "41")
            #expect(response.json("result.total") == "57")
        }
    }

    @Test func `a page beyond the end is empty`() async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run(base + "/orders?page=4&size=20").json("result.items") == "0 items")
        }
    }

    @Test(arguments: ["page=x", "page=0", "page=-1", "size=0", "size=101", "page=99999999999999999999"])
    func `an invalid number gives a 400 with a message`(query: String) async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/orders?" + query)
            #expect(response.status == 400)
            #expect(response.json("description")?.contains("must be a whole number") == true)
        }
    }

    @Test func `an order equals its list item, with its lines`() async throws {
        try await withServer { base async throws in
            let list = try await Curl.run(base + "/orders?size=1&page=5")
            let order = try await Curl.run(base + "/orders/5")
            #expect(order.json("result.customer") == list.json("result.items.0.customer"))
            #expect(order.json("result.lines") == "3 items")
            #expect(try await Curl.run(base + "/orders/58").status == 404)
        }
    }

    @Test func `the cursor pages through all orders and ends`() async throws {
        try await withServer { base async throws in
            var cursor: String? = ""
            var sizes: [String] = []
            while let next = cursor, sizes.count < 10 {
                let response = try await Curl.run("--get", "--data-urlencode", "cursor=" + next, base + "/feed?size=25")
                sizes.append(response.json("result.items") ?? "none")
                let value = response.json("result.next")
                cursor = value == "<null>" ? nil : value
            }
            #expect(sizes == ["25 items", "25 items", "7 items"])
            #expect(try await Curl.run(base + "/feed?cursor=made-up").status == 400)
        }
    }
}
