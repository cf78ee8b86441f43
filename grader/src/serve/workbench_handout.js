// The handout's pane. It shows a page of the kit, and links to other pages open in the same pane.
import {by, el} from "/app/api.js";

const slug = text => text.toLowerCase().replace(/[^a-z0-9 _-]/g, "").replaceAll(" ", "-");

/** Shows a page, such as "/kit/labs/…/README.md", at its top or at a heading. */
export async function showPage(address) {
  const pane = by("handout");
  const url = new URL(address, location.origin);
  const response = await fetch(url.pathname);
  if (!response.ok) {
    pane.replaceChildren(el("p", {}, "The page can't be shown here: " + url.pathname));
    return;
  }
  // Only the kit's pages come from this address. DOMParser runs no script, and this page's policy forbids
  // inline scripts, too.
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const seen = new Map();
  for (const heading of page.querySelectorAll("h1,h2,h3,h4")) {
    const name = slug(heading.textContent), before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    heading.id = "page-" + name + (before ? "-" + before : "");
  }
  for (const image of page.querySelectorAll("img[src]")) image.setAttribute("src", new URL(image.getAttribute("src"), url).pathname);
  for (const code of page.querySelectorAll("pre,table")) code.tabIndex = 0;  // so that keys scroll them
  for (const link of page.querySelectorAll("a[href]")) adapt(link, url);
  pane.replaceChildren(...page.body.childNodes);
  const heading = url.hash && by("page-" + url.hash.slice(1));
  if (heading) heading.scrollIntoView();
  else pane.scrollTop = 0;
}

function adapt(link, from) {
  const to = new URL(link.getAttribute("href"), from);
  if (to.origin !== location.origin) {
    link.target = "_blank";
    link.rel = "noreferrer";
    return;
  }
  link.href = "#" + location.hash.slice(1);
  link.addEventListener("click", event => {
    event.preventDefault();
    if (to.pathname === from.pathname && to.hash) by("page-" + to.hash.slice(1))?.scrollIntoView();
    else showPage(to.pathname + to.hash);
  });
}
