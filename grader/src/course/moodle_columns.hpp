/// @file
/// The names of the columns in Moodle's lists, in English, German, French, Spanish, Italian, Dutch and
/// Portuguese.
#pragma once
#include <initializer_list>

namespace grader::moodle_columns {

using Names = std::initializer_list<const char*>;

inline constexpr Names username = {
    "Username",           "Anmeldename",     "Nom d'utilisateur", "Nombre de usuario",
    "Nome de utilizador", "Nome de usuário", "Gebruikersnaam",    "Identificação de usuário"};
inline constexpr Names id_number = {"ID number", "ID-Nummer", "Numéro d'identification", "Número de ID",
                                    "Número de identificação"};
inline constexpr Names email = {"Email address",       "E-Mail-Adresse",  "Adresse de courriel",
                                "Dirección de correo", "Dirección Email", "Correo electrónico",
                                "Indirizzo email",     "E-mailadres",     "Endereço de e-mail",
                                "Endereço de email"};
inline constexpr Names full_name = {"Full name",       "Vollständiger Name", "Nom complet",
                                    "Nombre completo", "Nome completo",      "Volledige naam"};
inline constexpr Names first_name = {"First name", "Vorname", "Prénom",  "Nombre",
                                     "Nombre(s)",  "Nome",    "Voornaam"};
inline constexpr Names last_name = {"Last name",   "Surname", "Nachname",   "Nom de famille", "Nom",
                                    "Apellido(s)", "Cognome", "Achternaam", "Sobrenome",      "Apelido"};
inline constexpr Names group = {"Groups", "Gruppe", "Gruppen", "Groupe", "Groupes", "Grupo",
                                "Grupos", "Gruppo", "Gruppi",  "Groep",  "Groepen"};
/// The first column of the grading worksheet.
inline constexpr Names identifier = {"Identifier", "Identifiant", "Identificador", "Identificativo"};
inline constexpr Names modified = {
    "Last modified (submission)",    "Zuletzt geändert (Abgabe)",     "Dernière modification (travail remis)",
    "Última modificación (entrega)", "Ultima modifica (consegna)",    "Laatst gewijzigd (inzending)",
    "Última modificação (envio)",    "Última atualização (submissão)"};

}  // namespace grader::moodle_columns
