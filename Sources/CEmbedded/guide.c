#include "embedded.h"

// The compiler embeds the articles, so the program needs no files at run time, and the build follows changes of the articles. Nothing is done at the start.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char FirstWorkspace[] = {
#embed "../sortie/Documentation.docc/FirstWorkspace.md"
};
static const unsigned char Recipes[] = {
#embed "../sortie/Documentation.docc/Recipes.md"
};
static const unsigned char Workspaces[] = {
#embed "../sortie/Documentation.docc/Workspaces.md"
};
static const unsigned char WorkspaceKeys[] = {
#embed "../sortie/Documentation.docc/WorkspaceKeys.md"
};
static const unsigned char Requests[] = {
#embed "../sortie/Documentation.docc/Requests.md"
};
static const unsigned char Bodies[] = {
#embed "../sortie/Documentation.docc/Bodies.md"
};
static const unsigned char Authentication[] = {
#embed "../sortie/Documentation.docc/Authentication.md"
};
static const unsigned char Sending[] = {
#embed "../sortie/Documentation.docc/Sending.md"
};
static const unsigned char Graphql[] = {
#embed "../sortie/Documentation.docc/Graphql.md"
};
static const unsigned char Websocket[] = {
#embed "../sortie/Documentation.docc/Websocket.md"
};
static const unsigned char GRPC[] = {
#embed "../sortie/Documentation.docc/GRPC.md"
};
static const unsigned char Responses[] = {
#embed "../sortie/Documentation.docc/Responses.md"
};
static const unsigned char Transfers[] = {
#embed "../sortie/Documentation.docc/Transfers.md"
};
static const unsigned char Runs[] = {
#embed "../sortie/Documentation.docc/Runs.md"
};
static const unsigned char Contracts[] = {
#embed "../sortie/Documentation.docc/Contracts.md"
};
static const unsigned char History[] = {
#embed "../sortie/Documentation.docc/History.md"
};
static const unsigned char Import[] = {
#embed "../sortie/Documentation.docc/Import.md"
};
static const unsigned char ComingFrom[] = {
#embed "../sortie/Documentation.docc/ComingFrom.md"
};
static const unsigned char Addresses[] = {
#embed "../sortie/Documentation.docc/Addresses.md"
};
static const unsigned char Cookies[] = {
#embed "../sortie/Documentation.docc/Cookies.md"
};
static const unsigned char Plugins[] = {
#embed "../sortie/Documentation.docc/Plugins.md"
};
static const unsigned char Scripting[] = {
#embed "../sortie/Documentation.docc/Scripting.md"
};
static const unsigned char Bench[] = {
#embed "../sortie/Documentation.docc/Bench.md"
};
static const unsigned char Mock[] = {
#embed "../sortie/Documentation.docc/Mock.md"
};
static const unsigned char JSON[] = {
#embed "../sortie/Documentation.docc/JSON.md"
};
static const unsigned char Files[] = {
#embed "../sortie/Documentation.docc/Files.md"
};
static const unsigned char Keys[] = {
#embed "../sortie/Documentation.docc/Keys.md"
};
static const unsigned char Settings[] = {
#embed "../sortie/Documentation.docc/Settings.md"
};
static const unsigned char Library[] = {
#embed "../sortie/Documentation.docc/Library.md"
};
static const unsigned char Security[] = {
#embed "../sortie/Documentation.docc/Security.md"
};
static const unsigned char SecurityRules[] = {
#embed "../sortie/Documentation.docc/SecurityRules.md"
};
static const unsigned char Installation[] = {
#embed "../sortie/Documentation.docc/Installation.md"
};
static const unsigned char Dependencies[] = {
#embed "../sortie/Documentation.docc/Dependencies.md"
};

#define ARTICLE(name) {#name, name, sizeof(name)}

static const struct embedded_file articles[] = {
    ARTICLE(FirstWorkspace),
    ARTICLE(Recipes),
    ARTICLE(Workspaces),
    ARTICLE(WorkspaceKeys),
    ARTICLE(Requests),
    ARTICLE(Bodies),
    ARTICLE(Authentication),
    ARTICLE(Sending),
    ARTICLE(Graphql),
    ARTICLE(Websocket),
    ARTICLE(GRPC),
    ARTICLE(Responses),
    ARTICLE(Transfers),
    ARTICLE(Runs),
    ARTICLE(Contracts),
    ARTICLE(History),
    ARTICLE(Import),
    ARTICLE(ComingFrom),
    ARTICLE(Addresses),
    ARTICLE(Cookies),
    ARTICLE(Plugins),
    ARTICLE(Scripting),
    ARTICLE(Bench),
    ARTICLE(Mock),
    ARTICLE(JSON),
    ARTICLE(Files),
    ARTICLE(Keys),
    ARTICLE(Settings),
    ARTICLE(Library),
    ARTICLE(Security),
    ARTICLE(SecurityRules),
    ARTICLE(Installation),
    ARTICLE(Dependencies),
};

const struct embedded_file *guide_article_at(size_t index) {
    return index < sizeof(articles) / sizeof(articles[0]) ? &articles[index] : NULL;
}
