#include "embedded.h"

// The files of Workspaces/Demo, embedded when the program is built. `make references` writes this list, and DemoFilesTests compares it.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "../../Workspaces/Demo/account/me.yaml"
};
static const unsigned char file1[] = {
#embed "../../Workspaces/Demo/account/oauth2-browser.yaml"
};
static const unsigned char file2[] = {
#embed "../../Workspaces/Demo/account/oauth2-device.yaml"
};
static const unsigned char file3[] = {
#embed "../../Workspaces/Demo/account/oauth2.yaml"
};
static const unsigned char file4[] = {
#embed "../../Workspaces/Demo/account/orders.yaml"
};
static const unsigned char file5[] = {
#embed "../../Workspaces/Demo/account/service.yaml"
};
static const unsigned char file6[] = {
#embed "../../Workspaces/Demo/account/sign-out.yaml"
};
static const unsigned char file7[] = {
#embed "../../Workspaces/Demo/account/signed-for-aws.yaml"
};
static const unsigned char file8[] = {
#embed "../../Workspaces/Demo/account/verbatim.yaml"
};
static const unsigned char file9[] = {
#embed "../../Workspaces/Demo/account/with-api-key-in-query.yaml"
};
static const unsigned char file10[] = {
#embed "../../Workspaces/Demo/account/with-api-key.yaml"
};
static const unsigned char file11[] = {
#embed "../../Workspaces/Demo/account/with-jwt.yaml"
};
static const unsigned char file12[] = {
#embed "../../Workspaces/Demo/account/with-ntlm.yaml"
};
static const unsigned char file13[] = {
#embed "../../Workspaces/Demo/account/without-token.yaml"
};
static const unsigned char file14[] = {
#embed "../../Workspaces/Demo/behaviour/binary.yaml"
};
static const unsigned char file15[] = {
#embed "../../Workspaces/Demo/behaviour/cache/change.yaml"
};
static const unsigned char file16[] = {
#embed "../../Workspaces/Demo/behaviour/cache/disk.yaml"
};
static const unsigned char file17[] = {
#embed "../../Workspaces/Demo/behaviour/cache/offline.yaml"
};
static const unsigned char file18[] = {
#embed "../../Workspaces/Demo/behaviour/cache/query.yaml"
};
static const unsigned char file19[] = {
#embed "../../Workspaces/Demo/behaviour/cache/revalidated.yaml"
};
static const unsigned char file20[] = {
#embed "../../Workspaces/Demo/behaviour/cache/tagged.yaml"
};
static const unsigned char file21[] = {
#embed "../../Workspaces/Demo/behaviour/cached.yaml"
};
static const unsigned char file22[] = {
#embed "../../Workspaces/Demo/behaviour/chat.yaml"
};
static const unsigned char file23[] = {
#embed "../../Workspaces/Demo/behaviour/cookies-delete.yaml"
};
static const unsigned char file24[] = {
#embed "../../Workspaces/Demo/behaviour/cookies-kinds.yaml"
};
static const unsigned char file25[] = {
#embed "../../Workspaces/Demo/behaviour/cookies-set.yaml"
};
static const unsigned char file26[] = {
#embed "../../Workspaces/Demo/behaviour/cookies.yaml"
};
static const unsigned char file27[] = {
#embed "../../Workspaces/Demo/behaviour/csv.yaml"
};
static const unsigned char file28[] = {
#embed "../../Workspaces/Demo/behaviour/cut.yaml"
};
static const unsigned char file29[] = {
#embed "../../Workspaces/Demo/behaviour/delay.yaml"
};
static const unsigned char file30[] = {
#embed "../../Workspaces/Demo/behaviour/drip-chunked.yaml"
};
static const unsigned char file31[] = {
#embed "../../Workspaces/Demo/behaviour/drip.yaml"
};
static const unsigned char file32[] = {
#embed "../../Workspaces/Demo/behaviour/drop.yaml"
};
static const unsigned char file33[] = {
#embed "../../Workspaces/Demo/behaviour/empty.yaml"
};
static const unsigned char file34[] = {
#embed "../../Workspaces/Demo/behaviour/escape.yaml"
};
static const unsigned char file35[] = {
#embed "../../Workspaces/Demo/behaviour/events.yaml"
};
static const unsigned char file36[] = {
#embed "../../Workspaces/Demo/behaviour/flaky-once.yaml"
};
static const unsigned char file37[] = {
#embed "../../Workspaces/Demo/behaviour/flaky-post.yaml"
};
static const unsigned char file38[] = {
#embed "../../Workspaces/Demo/behaviour/flaky.yaml"
};
static const unsigned char file39[] = {
#embed "../../Workspaces/Demo/behaviour/friendly-error.yaml"
};
static const unsigned char file40[] = {
#embed "../../Workspaces/Demo/behaviour/graphql.yaml"
};
static const unsigned char file41[] = {
#embed "../../Workspaces/Demo/behaviour/gzip.yaml"
};
static const unsigned char file42[] = {
#embed "../../Workspaces/Demo/behaviour/html.yaml"
};
static const unsigned char file43[] = {
#embed "../../Workspaces/Demo/behaviour/image.yaml"
};
static const unsigned char file44[] = {
#embed "../../Workspaces/Demo/behaviour/invalid-json.yaml"
};
static const unsigned char file45[] = {
#embed "../../Workspaces/Demo/behaviour/invalid-utf8.yaml"
};
static const unsigned char file46[] = {
#embed "../../Workspaces/Demo/behaviour/large-headers.yaml"
};
static const unsigned char file47[] = {
#embed "../../Workspaces/Demo/behaviour/large-json.yaml"
};
static const unsigned char file48[] = {
#embed "../../Workspaces/Demo/behaviour/log.yaml"
};
static const unsigned char file49[] = {
#embed "../../Workspaces/Demo/behaviour/no-content.yaml"
};
static const unsigned char file50[] = {
#embed "../../Workspaces/Demo/behaviour/not-found.yaml"
};
static const unsigned char file51[] = {
#embed "../../Workspaces/Demo/behaviour/not-xml.yaml"
};
static const unsigned char file52[] = {
#embed "../../Workspaces/Demo/behaviour/plist.yaml"
};
static const unsigned char file53[] = {
#embed "../../Workspaces/Demo/behaviour/redirect-loop.yaml"
};
static const unsigned char file54[] = {
#embed "../../Workspaces/Demo/behaviour/redirect-post.yaml"
};
static const unsigned char file55[] = {
#embed "../../Workspaces/Demo/behaviour/redirects.yaml"
};
static const unsigned char file56[] = {
#embed "../../Workspaces/Demo/behaviour/service.yaml"
};
static const unsigned char file57[] = {
#embed "../../Workspaces/Demo/behaviour/status-list.yaml"
};
static const unsigned char file58[] = {
#embed "../../Workspaces/Demo/behaviour/status.yaml"
};
static const unsigned char file59[] = {
#embed "../../Workspaces/Demo/behaviour/text-gb18030.yaml"
};
static const unsigned char file60[] = {
#embed "../../Workspaces/Demo/behaviour/text.yaml"
};
static const unsigned char file61[] = {
#embed "../../Workspaces/Demo/behaviour/xml-tree.yaml"
};
static const unsigned char file62[] = {
#embed "../../Workspaces/Demo/behaviour/xml.yaml"
};
static const unsigned char file63[] = {
#embed "../../Workspaces/Demo/contract/feed.yaml"
};
static const unsigned char file64[] = {
#embed "../../Workspaces/Demo/contract/order.yaml"
};
static const unsigned char file65[] = {
#embed "../../Workspaces/Demo/contract/orders.yaml"
};
static const unsigned char file66[] = {
#embed "../../Workspaces/Demo/contract/service.yaml"
};
static const unsigned char file67[] = {
#embed "../../Workspaces/Demo/descriptions/api.yaml"
};
static const unsigned char file68[] = {
#embed "../../Workspaces/Demo/descriptions/next.json"
};
static const unsigned char file69[] = {
#embed "../../Workspaces/Demo/echo/avatar.svg"
};
static const unsigned char file70[] = {
#embed "../../Workspaces/Demo/echo/business.yaml"
};
static const unsigned char file71[] = {
#embed "../../Workspaces/Demo/echo/checked.yaml"
};
static const unsigned char file72[] = {
#embed "../../Workspaces/Demo/echo/cross-origin.yaml"
};
static const unsigned char file73[] = {
#embed "../../Workspaces/Demo/echo/delete.yaml"
};
static const unsigned char file74[] = {
#embed "../../Workspaces/Demo/echo/every-option.yaml"
};
static const unsigned char file75[] = {
#embed "../../Workspaces/Demo/echo/extended.yaml"
};
static const unsigned char file76[] = {
#embed "../../Workspaces/Demo/echo/form.yaml"
};
static const unsigned char file77[] = {
#embed "../../Workspaces/Demo/echo/gbk.yaml"
};
static const unsigned char file78[] = {
#embed "../../Workspaces/Demo/echo/get.yaml"
};
static const unsigned char file79[] = {
#embed "../../Workspaces/Demo/echo/head.yaml"
};
static const unsigned char file80[] = {
#embed "../../Workspaces/Demo/echo/headers.yaml"
};
static const unsigned char file81[] = {
#embed "../../Workspaces/Demo/echo/hook.sh"
};
static const unsigned char file82[] = {
#embed "../../Workspaces/Demo/echo/hook.yaml"
};
static const unsigned char file83[] = {
#embed "../../Workspaces/Demo/echo/https.yaml"
};
static const unsigned char file84[] = {
#embed "../../Workspaces/Demo/echo/json-parameter.yaml"
};
static const unsigned char file85[] = {
#embed "../../Workspaces/Demo/echo/json.yaml"
};
static const unsigned char file86[] = {
#embed "../../Workspaces/Demo/echo/multipart.yaml"
};
static const unsigned char file87[] = {
#embed "../../Workspaces/Demo/echo/nested.yaml"
};
static const unsigned char file88[] = {
#embed "../../Workspaces/Demo/echo/options.yaml"
};
static const unsigned char file89[] = {
#embed "../../Workspaces/Demo/echo/patch.yaml"
};
static const unsigned char file90[] = {
#embed "../../Workspaces/Demo/echo/plist.yaml"
};
static const unsigned char file91[] = {
#embed "../../Workspaces/Demo/echo/post.yaml"
};
static const unsigned char file92[] = {
#embed "../../Workspaces/Demo/echo/put.yaml"
};
static const unsigned char file93[] = {
#embed "../../Workspaces/Demo/echo/service.yaml"
};
static const unsigned char file94[] = {
#embed "../../Workspaces/Demo/echo/styles.yaml"
};
static const unsigned char file95[] = {
#embed "../../Workspaces/Demo/echo/traffic-class.yaml"
};
static const unsigned char file96[] = {
#embed "../../Workspaces/Demo/echo/types-by-name.yaml"
};
static const unsigned char file97[] = {
#embed "../../Workspaces/Demo/echo/user-agent.yaml"
};
static const unsigned char file98[] = {
#embed "../../Workspaces/Demo/echo/with-encryption.yaml"
};
static const unsigned char file99[] = {
#embed "../../Workspaces/Demo/echo/with-sign.yaml"
};
static const unsigned char file100[] = {
#embed "../../Workspaces/Demo/echo/your-input.yaml"
};
static const unsigned char file101[] = {
#embed "../../Workspaces/Demo/files/big.yaml"
};
static const unsigned char file102[] = {
#embed "../../Workspaces/Demo/files/change.yaml"
};
static const unsigned char file103[] = {
#embed "../../Workspaces/Demo/files/changing.yaml"
};
static const unsigned char file104[] = {
#embed "../../Workspaces/Demo/files/limited.yaml"
};
static const unsigned char file105[] = {
#embed "../../Workspaces/Demo/files/named.yaml"
};
static const unsigned char file106[] = {
#embed "../../Workspaces/Demo/files/part.yaml"
};
static const unsigned char file107[] = {
#embed "../../Workspaces/Demo/files/response-name.yaml"
};
static const unsigned char file108[] = {
#embed "../../Workspaces/Demo/files/sample.txt"
};
static const unsigned char file109[] = {
#embed "../../Workspaces/Demo/files/service.yaml"
};
static const unsigned char file110[] = {
#embed "../../Workspaces/Demo/files/slow.yaml"
};
static const unsigned char file111[] = {
#embed "../../Workspaces/Demo/files/upload-parts.yaml"
};
static const unsigned char file112[] = {
#embed "../../Workspaces/Demo/files/upload.yaml"
};
static const unsigned char file113[] = {
#embed "../../Workspaces/Demo/files/verified.yaml"
};
static const unsigned char file114[] = {
#embed "../../Workspaces/Demo/gateway/form.yaml"
};
static const unsigned char file115[] = {
#embed "../../Workspaces/Demo/gateway/golden.yaml"
};
static const unsigned char file116[] = {
#embed "../../Workspaces/Demo/gateway/json.yaml"
};
static const unsigned char file117[] = {
#embed "../../Workspaces/Demo/gateway/logged.yaml"
};
static const unsigned char file118[] = {
#embed "../../Workspaces/Demo/gateway/service.yaml"
};
static const unsigned char file119[] = {
#embed "../../Workspaces/Demo/gateway/tampered.yaml"
};
static const unsigned char file120[] = {
#embed "../../Workspaces/Demo/gateway/unsigned.yaml"
};
static const unsigned char file121[] = {
#embed "../../Workspaces/Demo/gateway/with-hmac.yaml"
};
static const unsigned char file122[] = {
#embed "../../Workspaces/Demo/ring/failing.yaml"
};
static const unsigned char file123[] = {
#embed "../../Workspaces/Demo/ring/service.yaml"
};
static const unsigned char file124[] = {
#embed "../../Workspaces/Demo/ring/switch.yaml"
};
static const unsigned char file125[] = {
#embed "../../Workspaces/Demo/ring/which.yaml"
};
static const unsigned char file126[] = {
#embed "../../Workspaces/Demo/runs/checkout.yaml"
};
static const unsigned char file127[] = {
#embed "../../Workspaces/Demo/runs/expectations.yaml"
};
static const unsigned char file128[] = {
#embed "../../Workspaces/Demo/runs/loops.yaml"
};
static const unsigned char file129[] = {
#embed "../../Workspaces/Demo/runs/orders.csv"
};
static const unsigned char file130[] = {
#embed "../../Workspaces/Demo/runs/orders.yaml"
};
static const unsigned char file131[] = {
#embed "../../Workspaces/Demo/runs/overview.yaml"
};
static const unsigned char file132[] = {
#embed "../../Workspaces/Demo/runs/restart.yaml"
};
static const unsigned char file133[] = {
#embed "../../Workspaces/Demo/runs/tour.yaml"
};
static const unsigned char file134[] = {
#embed "../../Workspaces/Demo/shop/basic.yaml"
};
static const unsigned char file135[] = {
#embed "../../Workspaces/Demo/shop/digest.yaml"
};
static const unsigned char file136[] = {
#embed "../../Workspaces/Demo/shop/login-form.yaml"
};
static const unsigned char file137[] = {
#embed "../../Workspaces/Demo/shop/login.yaml"
};
static const unsigned char file138[] = {
#embed "../../Workspaces/Demo/shop/me.yaml"
};
static const unsigned char file139[] = {
#embed "../../Workspaces/Demo/shop/orders/checked.yaml"
};
static const unsigned char file140[] = {
#embed "../../Workspaces/Demo/shop/orders/detail.yaml"
};
static const unsigned char file141[] = {
#embed "../../Workspaces/Demo/shop/orders/feed.yaml"
};
static const unsigned char file142[] = {
#embed "../../Workspaces/Demo/shop/orders/list.yaml"
};
static const unsigned char file143[] = {
#embed "../../Workspaces/Demo/shop/orders/none.yaml"
};
static const unsigned char file144[] = {
#embed "../../Workspaces/Demo/shop/orders/orders.schema.json"
};
static const unsigned char file145[] = {
#embed "../../Workspaces/Demo/shop/orders/recorded.snapshot"
};
static const unsigned char file146[] = {
#embed "../../Workspaces/Demo/shop/orders/recorded.yaml"
};
static const unsigned char file147[] = {
#embed "../../Workspaces/Demo/shop/orders/summary.yaml"
};
static const unsigned char file148[] = {
#embed "../../Workspaces/Demo/shop/orders/verified.yaml"
};
static const unsigned char file149[] = {
#embed "../../Workspaces/Demo/shop/private-orders.yaml"
};
static const unsigned char file150[] = {
#embed "../../Workspaces/Demo/shop/service.yaml"
};
static const unsigned char file151[] = {
#embed "../../Workspaces/Demo/tunnel/echo.yaml"
};
static const unsigned char file152[] = {
#embed "../../Workspaces/Demo/tunnel/service.yaml"
};
static const unsigned char file153[] = {
#embed "../../Workspaces/Demo/vault/echo.yaml"
};
static const unsigned char file154[] = {
#embed "../../Workspaces/Demo/vault/refusal.yaml"
};
static const unsigned char file155[] = {
#embed "../../Workspaces/Demo/vault/search.yaml"
};
static const unsigned char file156[] = {
#embed "../../Workspaces/Demo/vault/service.yaml"
};
static const unsigned char file157[] = {
#embed "../../Workspaces/Demo/verified/certs/server.pem"
};
static const unsigned char file158[] = {
#embed "../../Workspaces/Demo/verified/echo.yaml"
};
static const unsigned char file159[] = {
#embed "../../Workspaces/Demo/verified/service.yaml"
};
static const unsigned char file160[] = {
#embed "../../Workspaces/Demo/warehouse/get.yaml"
};
static const unsigned char file161[] = {
#embed "../../Workspaces/Demo/warehouse/missing.yaml"
};
static const unsigned char file162[] = {
#embed "../../Workspaces/Demo/warehouse/service.yaml"
};
static const unsigned char file163[] = {
#embed "../../Workspaces/Demo/warehouse/sum.yaml"
};
static const unsigned char file164[] = {
#embed "../../Workspaces/Demo/warehouse/watch.yaml"
};
static const unsigned char file165[] = {
#embed "../../Workspaces/Demo/workspace.yaml"
};

static const struct embedded_file files[] = {
    {"account/me.yaml", file0, sizeof(file0)},
    {"account/oauth2-browser.yaml", file1, sizeof(file1)},
    {"account/oauth2-device.yaml", file2, sizeof(file2)},
    {"account/oauth2.yaml", file3, sizeof(file3)},
    {"account/orders.yaml", file4, sizeof(file4)},
    {"account/service.yaml", file5, sizeof(file5)},
    {"account/sign-out.yaml", file6, sizeof(file6)},
    {"account/signed-for-aws.yaml", file7, sizeof(file7)},
    {"account/verbatim.yaml", file8, sizeof(file8)},
    {"account/with-api-key-in-query.yaml", file9, sizeof(file9)},
    {"account/with-api-key.yaml", file10, sizeof(file10)},
    {"account/with-jwt.yaml", file11, sizeof(file11)},
    {"account/with-ntlm.yaml", file12, sizeof(file12)},
    {"account/without-token.yaml", file13, sizeof(file13)},
    {"behaviour/binary.yaml", file14, sizeof(file14)},
    {"behaviour/cache/change.yaml", file15, sizeof(file15)},
    {"behaviour/cache/disk.yaml", file16, sizeof(file16)},
    {"behaviour/cache/offline.yaml", file17, sizeof(file17)},
    {"behaviour/cache/query.yaml", file18, sizeof(file18)},
    {"behaviour/cache/revalidated.yaml", file19, sizeof(file19)},
    {"behaviour/cache/tagged.yaml", file20, sizeof(file20)},
    {"behaviour/cached.yaml", file21, sizeof(file21)},
    {"behaviour/chat.yaml", file22, sizeof(file22)},
    {"behaviour/cookies-delete.yaml", file23, sizeof(file23)},
    {"behaviour/cookies-kinds.yaml", file24, sizeof(file24)},
    {"behaviour/cookies-set.yaml", file25, sizeof(file25)},
    {"behaviour/cookies.yaml", file26, sizeof(file26)},
    {"behaviour/csv.yaml", file27, sizeof(file27)},
    {"behaviour/cut.yaml", file28, sizeof(file28)},
    {"behaviour/delay.yaml", file29, sizeof(file29)},
    {"behaviour/drip-chunked.yaml", file30, sizeof(file30)},
    {"behaviour/drip.yaml", file31, sizeof(file31)},
    {"behaviour/drop.yaml", file32, sizeof(file32)},
    {"behaviour/empty.yaml", file33, sizeof(file33)},
    {"behaviour/escape.yaml", file34, sizeof(file34)},
    {"behaviour/events.yaml", file35, sizeof(file35)},
    {"behaviour/flaky-once.yaml", file36, sizeof(file36)},
    {"behaviour/flaky-post.yaml", file37, sizeof(file37)},
    {"behaviour/flaky.yaml", file38, sizeof(file38)},
    {"behaviour/friendly-error.yaml", file39, sizeof(file39)},
    {"behaviour/graphql.yaml", file40, sizeof(file40)},
    {"behaviour/gzip.yaml", file41, sizeof(file41)},
    {"behaviour/html.yaml", file42, sizeof(file42)},
    {"behaviour/image.yaml", file43, sizeof(file43)},
    {"behaviour/invalid-json.yaml", file44, sizeof(file44)},
    {"behaviour/invalid-utf8.yaml", file45, sizeof(file45)},
    {"behaviour/large-headers.yaml", file46, sizeof(file46)},
    {"behaviour/large-json.yaml", file47, sizeof(file47)},
    {"behaviour/log.yaml", file48, sizeof(file48)},
    {"behaviour/no-content.yaml", file49, sizeof(file49)},
    {"behaviour/not-found.yaml", file50, sizeof(file50)},
    {"behaviour/not-xml.yaml", file51, sizeof(file51)},
    {"behaviour/plist.yaml", file52, sizeof(file52)},
    {"behaviour/redirect-loop.yaml", file53, sizeof(file53)},
    {"behaviour/redirect-post.yaml", file54, sizeof(file54)},
    {"behaviour/redirects.yaml", file55, sizeof(file55)},
    {"behaviour/service.yaml", file56, sizeof(file56)},
    {"behaviour/status-list.yaml", file57, sizeof(file57)},
    {"behaviour/status.yaml", file58, sizeof(file58)},
    {"behaviour/text-gb18030.yaml", file59, sizeof(file59)},
    {"behaviour/text.yaml", file60, sizeof(file60)},
    {"behaviour/xml-tree.yaml", file61, sizeof(file61)},
    {"behaviour/xml.yaml", file62, sizeof(file62)},
    {"contract/feed.yaml", file63, sizeof(file63)},
    {"contract/order.yaml", file64, sizeof(file64)},
    {"contract/orders.yaml", file65, sizeof(file65)},
    {"contract/service.yaml", file66, sizeof(file66)},
    {"descriptions/api.yaml", file67, sizeof(file67)},
    {"descriptions/next.json", file68, sizeof(file68)},
    {"echo/avatar.svg", file69, sizeof(file69)},
    {"echo/business.yaml", file70, sizeof(file70)},
    {"echo/checked.yaml", file71, sizeof(file71)},
    {"echo/cross-origin.yaml", file72, sizeof(file72)},
    {"echo/delete.yaml", file73, sizeof(file73)},
    {"echo/every-option.yaml", file74, sizeof(file74)},
    {"echo/extended.yaml", file75, sizeof(file75)},
    {"echo/form.yaml", file76, sizeof(file76)},
    {"echo/gbk.yaml", file77, sizeof(file77)},
    {"echo/get.yaml", file78, sizeof(file78)},
    {"echo/head.yaml", file79, sizeof(file79)},
    {"echo/headers.yaml", file80, sizeof(file80)},
    {"echo/hook.sh", file81, sizeof(file81)},
    {"echo/hook.yaml", file82, sizeof(file82)},
    {"echo/https.yaml", file83, sizeof(file83)},
    {"echo/json-parameter.yaml", file84, sizeof(file84)},
    {"echo/json.yaml", file85, sizeof(file85)},
    {"echo/multipart.yaml", file86, sizeof(file86)},
    {"echo/nested.yaml", file87, sizeof(file87)},
    {"echo/options.yaml", file88, sizeof(file88)},
    {"echo/patch.yaml", file89, sizeof(file89)},
    {"echo/plist.yaml", file90, sizeof(file90)},
    {"echo/post.yaml", file91, sizeof(file91)},
    {"echo/put.yaml", file92, sizeof(file92)},
    {"echo/service.yaml", file93, sizeof(file93)},
    {"echo/styles.yaml", file94, sizeof(file94)},
    {"echo/traffic-class.yaml", file95, sizeof(file95)},
    {"echo/types-by-name.yaml", file96, sizeof(file96)},
    {"echo/user-agent.yaml", file97, sizeof(file97)},
    {"echo/with-encryption.yaml", file98, sizeof(file98)},
    {"echo/with-sign.yaml", file99, sizeof(file99)},
    {"echo/your-input.yaml", file100, sizeof(file100)},
    {"files/big.yaml", file101, sizeof(file101)},
    {"files/change.yaml", file102, sizeof(file102)},
    {"files/changing.yaml", file103, sizeof(file103)},
    {"files/limited.yaml", file104, sizeof(file104)},
    {"files/named.yaml", file105, sizeof(file105)},
    {"files/part.yaml", file106, sizeof(file106)},
    {"files/response-name.yaml", file107, sizeof(file107)},
    {"files/sample.txt", file108, sizeof(file108)},
    {"files/service.yaml", file109, sizeof(file109)},
    {"files/slow.yaml", file110, sizeof(file110)},
    {"files/upload-parts.yaml", file111, sizeof(file111)},
    {"files/upload.yaml", file112, sizeof(file112)},
    {"files/verified.yaml", file113, sizeof(file113)},
    {"gateway/form.yaml", file114, sizeof(file114)},
    {"gateway/golden.yaml", file115, sizeof(file115)},
    {"gateway/json.yaml", file116, sizeof(file116)},
    {"gateway/logged.yaml", file117, sizeof(file117)},
    {"gateway/service.yaml", file118, sizeof(file118)},
    {"gateway/tampered.yaml", file119, sizeof(file119)},
    {"gateway/unsigned.yaml", file120, sizeof(file120)},
    {"gateway/with-hmac.yaml", file121, sizeof(file121)},
    {"ring/failing.yaml", file122, sizeof(file122)},
    {"ring/service.yaml", file123, sizeof(file123)},
    {"ring/switch.yaml", file124, sizeof(file124)},
    {"ring/which.yaml", file125, sizeof(file125)},
    {"runs/checkout.yaml", file126, sizeof(file126)},
    {"runs/expectations.yaml", file127, sizeof(file127)},
    {"runs/loops.yaml", file128, sizeof(file128)},
    {"runs/orders.csv", file129, sizeof(file129)},
    {"runs/orders.yaml", file130, sizeof(file130)},
    {"runs/overview.yaml", file131, sizeof(file131)},
    {"runs/restart.yaml", file132, sizeof(file132)},
    {"runs/tour.yaml", file133, sizeof(file133)},
    {"shop/basic.yaml", file134, sizeof(file134)},
    {"shop/digest.yaml", file135, sizeof(file135)},
    {"shop/login-form.yaml", file136, sizeof(file136)},
    {"shop/login.yaml", file137, sizeof(file137)},
    {"shop/me.yaml", file138, sizeof(file138)},
    {"shop/orders/checked.yaml", file139, sizeof(file139)},
    {"shop/orders/detail.yaml", file140, sizeof(file140)},
    {"shop/orders/feed.yaml", file141, sizeof(file141)},
    {"shop/orders/list.yaml", file142, sizeof(file142)},
    {"shop/orders/none.yaml", file143, sizeof(file143)},
    {"shop/orders/orders.schema.json", file144, sizeof(file144)},
    {"shop/orders/recorded.snapshot", file145, sizeof(file145)},
    {"shop/orders/recorded.yaml", file146, sizeof(file146)},
    {"shop/orders/summary.yaml", file147, sizeof(file147)},
    {"shop/orders/verified.yaml", file148, sizeof(file148)},
    {"shop/private-orders.yaml", file149, sizeof(file149)},
    {"shop/service.yaml", file150, sizeof(file150)},
    {"tunnel/echo.yaml", file151, sizeof(file151)},
    {"tunnel/service.yaml", file152, sizeof(file152)},
    {"vault/echo.yaml", file153, sizeof(file153)},
    {"vault/refusal.yaml", file154, sizeof(file154)},
    {"vault/search.yaml", file155, sizeof(file155)},
    {"vault/service.yaml", file156, sizeof(file156)},
    {"verified/certs/server.pem", file157, sizeof(file157)},
    {"verified/echo.yaml", file158, sizeof(file158)},
    {"verified/service.yaml", file159, sizeof(file159)},
    {"warehouse/get.yaml", file160, sizeof(file160)},
    {"warehouse/missing.yaml", file161, sizeof(file161)},
    {"warehouse/service.yaml", file162, sizeof(file162)},
    {"warehouse/sum.yaml", file163, sizeof(file163)},
    {"warehouse/watch.yaml", file164, sizeof(file164)},
    {"workspace.yaml", file165, sizeof(file165)},
};

const struct embedded_file *demo_file_at(size_t index) {
    return index < sizeof(files) / sizeof(files[0]) ? &files[index] : NULL;
}
