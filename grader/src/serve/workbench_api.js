// The API (docs/serve.md): requests, events, and small helpers for the document.

export class ApiError extends Error {
  constructor(status, data) {
    super([data.error, data.next && "Next: " + data.next].filter(Boolean).join(" "));
    this.status = status;
    this.data = data;
  }
}

/** The answer to a request as JSON. If the server refuses, throws an ApiError with the server's sentence. */
export async function call(method, path, {body, base} = {}) {
  let response;
  try {
    response = await fetch(path, {method, body, headers: base ? {"If-Match": `"${base}"`} : {}});
  } catch {
    throw new ApiError(0, {error: "The workbench does not answer.", next: "grader serve"});
  }
  const text = await response.text();
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    data = {error: text.trim()};
  }
  if (!response.ok) throw new ApiError(response.status, data);
  return data;
}

export const levelPath = (lab, level) => `/api/1/labs/${lab}/${level}`;

/** Calls on.file and on.job for each event, and on.lost(true or false) when the connection is lost or restored. */
export function follow(lab, level, on) {
  const source = new EventSource(levelPath(lab, level) + "/events");
  source.addEventListener("file", event => on.file(JSON.parse(event.data)));
  source.addEventListener("job", event => on.job(JSON.parse(event.data)));
  source.onopen = () => on.lost(false);
  source.onerror = () => on.lost(true);
  return () => source.close();
}

/** An element with attributes, listeners (onclick) and children. Texts become text nodes, never markup. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

export const by = id => document.getElementById(id);
