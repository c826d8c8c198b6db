/// The texts of the files of new workspaces, with comments for someone who has never seen such a file.
enum NewWorkspaceText {
    /// The files of `sortie init`, `workspace.yaml` last, because its presence makes the folder a workspace.
    static func files(name: String) -> [(file: String, text: String)] {
        [
            (
                "api/service.yaml",
                """
                # A folder with a service.yaml is a service: servers, and what its endpoints have in common.
                name: API
                servers:                                # for each environment of workspace.yaml
                  develop: ["http://{{host}}"]
                  release: ["https://{{host}}"]
                headers: {Accept: application/json}     # sent with every request of this service

                """
            ),
            (
                "api/orders.yaml",
                """
                # Every other YAML file in the folder of a service is an endpoint. Its path is its name: sortie send api/orders
                name: List orders
                method: GET
                path: /orders                           # below the server of the service; a complete URL works as well
                query:
                  page: 1
                  size: 20
                headers:
                  X-Request-Id: "{{$uuid}}"             # {{…}} is replaced on sending; names with $ are built in
                expect: {status: 200}                   # checked after every response

                """
            ),
            (
                "workspace.yaml",
                """
                # A workspace: the folder with this file. `sortie` opens it, `sortie guide workspaces` explains all files and keys.
                name: \(YAMLText.scalar(.string(name), inFlow: false))
                environment: develop                    # the one to start with; Ctrl-E switches

                environments:
                  develop:
                    variables:
                      host: 127.0.0.1:8080              # {{host}} in service.yaml; `sortie serve` is a server to try it with
                  release:
                    variables:
                      host: api.example.com

                # Secrets do not belong into files. Their values come from this machine, the environment or a command:
                # secrets:
                #   token: {secret: api-token}          # stored by: sortie secret set api-token; then write {{token}}
                #   other: {env: API_TOKEN}             # the variable API_TOKEN of the environment

                """
            ),
        ]
    }
}
