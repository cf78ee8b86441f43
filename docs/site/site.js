// Switches on the theme's features, and shows the prompts of consoles, which are not copied with the commands.
DoxygenAwesomeDarkModeToggle.init()
DoxygenAwesomeFragmentCopyButton.init()

document.addEventListener("DOMContentLoaded", () => {
  for (const line of document.querySelectorAll("div.fragment div.line")) {
    const text = line.firstChild
    if (!text || text.nodeType !== Node.TEXT_NODE || !text.data.startsWith("$ ")) continue
    const prompt = document.createElement("span")
    prompt.className = "prompt lineno"  // the copy button leaves line numbers out
    prompt.textContent = "$ "
    text.data = text.data.slice(2)
    line.insertBefore(prompt, text)
  }
})

// Opens the chapters of the sidebar, because readers look for their pages. Doxygen builds the tree when the page has
// loaded, and opens a chapter after a click on its arrow.
window.addEventListener("load", () => {
  const open = () => {
    const chapters = document.querySelectorAll("#nav-tree-contents > ul > li > ul.children_ul > li > .item > a")
    if (chapters.length === 0) return window.setTimeout(open, 50)
    for (const chapter of chapters) {
      if (chapter.textContent.trim() === "►") chapter.click()
    }
  }
  open()
})
