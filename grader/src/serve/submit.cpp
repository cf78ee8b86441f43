#include "serve/submit.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/columns.hpp"

namespace grader {

std::string receipt_text(const nlohmann::json& receipt) {
  const auto its = [](const nlohmann::json& json, const char* key) { return printable(json.value(key, "")); };
  std::string text = fmt::format("{}: handed in at {}, attempt {}.\n", its(receipt, "lab"),
                                 its(receipt, "received_at"), receipt.value("attempt", 0));
  if (receipt.value("replaces_waiting", false))
    text += "It replaces your older hand-in, which had not begun.\n";
  if (const double share = receipt.value("share", 1.0); share < 1)
    text += fmt::format("It is late: {:.4g} % of its points count.\n", 100 * share);
  for (const auto& name : receipt.value("missing", nlohmann::json::array()))
    text +=
        fmt::format("Not handed in: {}. Its blanks count as empty.\n", printable(name.get<std::string>()));
  if (receipt.contains("place")) text += fmt::format("Place {} in the queue.\n", receipt.value("place", 0));
  for (const auto& file : receipt.value("files", nlohmann::json::array()))
    text += fmt::format("{}  {}\n", its(file, "sha256"), its(file, "name"));
  return text + fmt::format("SHA-256 of these lines: {}\n", its(receipt, "sha256"));
}

}  // namespace grader

#if GRADER_SERVES

#include <httplib.h>

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
