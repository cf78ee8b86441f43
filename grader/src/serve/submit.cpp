#include "serve/submit.hpp"

#include <nlohmann/json.hpp>

#if GRADER_SERVES

#include <fmt/format.h>
#include <httplib.h>

#include "base/columns.hpp"
#include "base/regex.hpp"
#include "model/json.hpp"

namespace grader {

nlohmann::json submit(const std::string& link, const Lab& lab, int level,
                      const std::vector<SubmissionFile>& files) {
  static const Regex form(R"(^(https?://[^/?#\s]+)/\?token=([0-9a-f]+)$)");
  const auto parts = form.match(link);
  if (!parts)
    throw Error(ErrorKind::usage, fmt::format("\"{}\" is no link of a class.", printable(link)),
                "--to 'https://…/?token=…', in quotes: your instructor has your link");
  nlohmann::json list = nlohmann::json::array();
  for (const SubmissionFile& file : files)
    list.push_back({{"name", file.name.generic_string()}, {"text", file.text}});
  httplib::Client client((*parts)[1]);
  client.set_bearer_token_auth((*parts)[2]);
  client.set_read_timeout(60);
  const auto answer = client.Post(fmt::format("/api/1/labs/{}/{}/hand-ins", lab.id, level),
                                  json_text({{"files", list}}, -1), "application/json");
  if (!answer)
    throw Error(ErrorKind::environment,
                fmt::format("{} does not answer: {}.", (*parts)[1], to_string(answer.error())),
                "give the same command again later; nothing is sure to be handed in without a receipt");
  const nlohmann::json json = json_or_null(answer->body);
  if (answer->status == 201 && json.is_object()) return json;
  if (answer->status == 403)
    throw Error(ErrorKind::usage, "The server does not know this link.",
                "ask your instructor for your present link");
  if (answer->status == 404)
    throw Error(ErrorKind::usage,
                fmt::format("The class does not take {}, level {}, from you.", lab.id, level),
                "open your link in a browser: it lists the class's labs");
  const auto text = [&](const char* key) {
    return json.is_object() ? printable(json.value(key, "")) : std::string();
  };
  throw Error(answer->status < 500 ? ErrorKind::usage : ErrorKind::environment,
              text("error").empty() ? fmt::format("The server answered with status {}.", answer->status)
                                    : text("error"),
              text("next"));
}

}  // namespace grader

#else

namespace grader {

nlohmann::json submit(const std::string&, const Lab&, int, const std::vector<SubmissionFile>&) {
  throw Error(ErrorKind::usage, "This portable grader can't hand in.", "open your link in a browser");
}

}  // namespace grader

#endif
