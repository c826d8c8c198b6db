/// The workspaces with which a session begins, and their models.
enum SessionStart {
    static func files(_ number: Int) -> (files: [(name: String, text: String)], model: SessionModel) {
        var model = SessionModel()
        var files: [(String, String)] = []
        func add(_ name: String, _ text: String, _ file: SessionFile, comment: String) {
            files.append((name, "\(comment)\n\(text)"))
            model.write(name, file, comment: comment)
        }
        add(
            "workspace.yaml",
            """
            name: Session
            environment: test
            environments:
              # a comment of an environment
              test: {variables: {host: t.example}}
              live:
                variables:
                  host: "l.example"

            """, .settings(.init(environments: [("test", "t.example"), ("live", "l.example")], initial: "test")), comment: "# the settings")
        add(
            "shop/service.yaml", "name: Shop\nservers:\n  test: [http://shop.test]\n  live: ['http://shop.live']\n",
            .service(.init(name: "Shop", servers: ["test": "http://shop.test", "live": "http://shop.live"])), comment: "# the shop")
        add(
            "shop/list.yaml", "path: http://h.example/list\nquery: {page: 1, size: \"20\"}\nheaders:\n  Accept: text/plain   # as text\n",
            .endpoint(
                .init(
                    name: "list", path: "http://h.example/list", query: [.init(name: "page", value: "1"), .init(name: "size", value: "20")],
                    headers: [.init(name: "Accept", value: "text/plain")])), comment: "# all items")
        add(
            "shop/orders/new.yaml",
            """
            name: 'New order'
            description: creates an order
            method: POST
            path: http://h.example/orders
            query:
              - {name: dry, value: yes, enabled: false}   # only a test
              - name: id
                value: 007
            body:
              json:
                item: 1
                note: "yes"

            """,
            .endpoint(
                .init(
                    name: "New order", summary: "creates an order", method: "POST", path: "http://h.example/orders",
                    query: [.init(name: "dry", value: "yes", isEnabled: false), .init(name: "id", value: "007")],
                    body: .json("{\n  \"item\": 1,\n  \"note\": \"yes\"\n}"))), comment: "# an order")
        if number == 0 {
            add(
                "runs/all.yaml", "chain:\n  - send: shop/list\n  - {send: shop/orders/new}   # then this\n",
                .run(.init(kind: "chain", steps: ["shop/list", "shop/orders/new"])), comment: "# everything")
        }
        return (files, model)
    }
}
