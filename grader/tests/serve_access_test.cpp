// Tests the workbench for readers who use the keyboard, a screen reader, large text or a narrow window. Each
// state of the page is searched for mistakes according to axe and WCAG 2.2 AA, in light and dark mode and at
// several widths.
#include <gmock/gmock.h>

#include <set>

#include "serve_page.hpp"

namespace grader::testing {
namespace {

using ::testing::IsEmpty;

// Returns a sentence for each mistake that the document shows.
const char* const audit = R"((()=>{
const found=[];
const describe=e=>e.tagName.toLowerCase()+(e.id?'#'+e.id:'')+(e.className&&typeof e.className==='string'?'.'+e.className:'')+' "'+(e.textContent??'').trim().slice(0,30)+'"';
const seen=e=>e.checkVisibility({visibilityProperty:true,opacityProperty:true})&&e.getClientRects().length>0;
const offscreen=e=>{const r=e.getBoundingClientRect();return r.right<0||r.bottom<0};
const all=[...document.querySelectorAll('body *')].filter(seen);
const focusable=e=>e.matches('a[href],button:not(:disabled),input,select,textarea,summary,iframe,[tabindex]:not([tabindex="-1"])');

// Contrast of each piece of text, of borders of controls. CodeMirror's boxes scroll with its cursor.
const numbers=c=>c.match(/[\d.]+/g).map(Number);
const light=c=>{const [r,g,b]=numbers(c).map(v=>{v/=255;return v<=.03928?v/12.92:((v+.055)/1.055)**2.4});return .2126*r+.7152*g+.0722*b};
const ground=e=>{for(;e;e=e.parentElement){const c=getComputedStyle(e).backgroundColor;if(numbers(c)[3]!==0)return c}return getComputedStyle(document.documentElement).backgroundColor};
const contrast=(x,y)=>{const a=light(x),b=light(y);return (Math.max(a,b)+.05)/(Math.min(a,b)+.05)};
for(const e of all){
  if(e.closest('svg,math,.CodeMirror-measure')||e.disabled||offscreen(e))continue;
  const style=getComputedStyle(e);
  if([...e.childNodes].some(n=>n.nodeType===3&&n.data.trim())){
    const size=parseFloat(style.fontSize),large=size>=24||(size>=18.66&&style.fontWeight>=700);
    const has=contrast(style.color,ground(e));
    if(has<(large?3:4.5))found.push('contrast '+has.toFixed(2)+' of '+describe(e));
  }
  if(e.matches('button,select,input')&&contrast(style.borderTopColor,ground(e.parentElement))<3)found.push('faint border of '+describe(e));
  if(e.matches('button,select,input,summary')){
    const r=e.getBoundingClientRect();
    if(r.width<24||r.height<24)found.push('small target, '+Math.round(r.width)+'x'+Math.round(r.height)+': '+describe(e));
  }
  if(e.matches('[tabindex]')&&e.tabIndex>0)found.push('tabindex above 0: '+describe(e));
  const scrolls=(over,full,own)=>/auto|scroll/.test(over)&&full>own+1;
  if((scrolls(style.overflowY,e.scrollHeight,e.clientHeight)||scrolls(style.overflowX,e.scrollWidth,e.clientWidth))&&
     !focusable(e)&&!e.closest('.CodeMirror')&&![...e.querySelectorAll('*')].some(focusable))found.push('scrolls by mouse alone: '+describe(e));
  if(e.matches('button,a,label')&&e.querySelector('button,a,input:not(label *),select:not(label *)'))found.push('a control inside a control: '+describe(e));
  for(const name of ['aria-controls','aria-labelledby','aria-describedby','for'])
    if(e.hasAttribute(name)&&!document.getElementById(e.getAttribute(name)))found.push(name+' leads nowhere: '+describe(e));
}
// Structure.
const ids=[...document.querySelectorAll('[id]')].map(e=>e.id),twice=ids.filter((id,i)=>ids.indexOf(id)!==i);
if(twice.length)found.push('ids used twice: '+twice);
for(const [name,count] of [['main',1],['body>header',1]])
  if([...document.querySelectorAll(name)].filter(seen).length!==count)found.push('not one '+name);
if(!document.documentElement.lang||!document.title)found.push('no language or title');
let level=0;
for(const e of all.filter(e=>/^H[1-6]$/.test(e.tagName))){
  const now=Number(e.tagName[1]);
  if(now>level+1)found.push('heading of level '+now+' after level '+level+': '+describe(e));
  level=now;
}
const labels=all.filter(e=>e.matches('section,nav,aside')).map(e=>e.getAttribute('aria-label'));
if(labels.some(l=>!l)||new Set(labels).size!==labels.length)found.push('regions without names of their own: '+labels);
for(const e of all)
  if(!e.closest('main,body>header,.skip')&&!e.matches('main,header,script')&&[...e.childNodes].some(n=>n.nodeType===3&&n.data.trim()))
    found.push('outside of landmarks: '+describe(e));
if(document.documentElement.scrollWidth>innerWidth)found.push('scrolls sideways: '+document.documentElement.scrollWidth);
return [...new Set(found)]})())";

class ServeAccess : public ServePage {
 protected:
  /// The mistakes in the document, and the controls and pictures for which a screen reader finds no name.
  std::vector<std::string> mistakes() {
    auto out = browser_->value_of(audit).get<std::vector<std::string>>();
    for (const auto& node : browser_->accessibility()) {
      static const std::set<std::string> named = {"button",  "link",   "textbox",   "combobox", "checkbox",
                                                  "image",   "Iframe", "searchbox", "progress", "radio",
                                                  "listbox", "region", "group"};
      if (node.value("ignored", false) || !node.contains("role")) continue;
      const std::string role = node["role"]["value"];
      if (!named.contains(role)) continue;
      const std::string name = node.contains("name") ? node["name"].value("value", "") : "";
      if (name.empty() && role != "group") out.push_back("a " + role + " without a name");
    }
    return out;
  }
  void expect_no_mistakes(const std::string& state) {
    for (const auto& [width, scheme] :
         {std::pair{320, "light"}, {360, "dark"}, {800, "light"}, {1600, "dark"}, {1600, "light"}}) {
      browser_->media("", scheme);
      browser_->size(width, 900);
      const std::string name = state + "-" + std::to_string(width) + "-" + scheme;
      EXPECT_THAT(mistakes(), IsEmpty()) << name;
      keep_screenshot("access-" + name);
    }
    browser_->media("", "light");
    browser_->size(1600, 900);
  }
  /// What the Tab key reaches, from the page's beginning to its end, in words.
  std::vector<std::string> tab_order() {
    browser_->value_of(
        "(()=>{const first=document.querySelector('.skip');first.focus();window.reached=[first]})()");
    std::vector<std::string> out;
    for (int i = 0; i < 150; ++i) {
      if (browser_->value_of("!!document.activeElement.closest('.CodeMirror')") == true)
        browser_->press("Escape");
      browser_->press("Tab");
      const auto now = browser_->value_of(R"((()=>{
        const e=document.activeElement,last=reached.at(-1);
        if(e===document.body||reached.includes(e))return null;
        reached.push(e);
        const box=(e.closest('.CodeMirror')??e).getBoundingClientRect(),style=getComputedStyle(e.closest('.CodeMirror')??e);
        const problem=[];
        if(last&&!(last.compareDocumentPosition(e)&Node.DOCUMENT_POSITION_FOLLOWING))problem.push('comes before the one that had the focus');
        if(box.width===0||box.bottom<=0||box.top>=innerHeight)problem.push('is not in view');
        if(style.outlineStyle==='none')problem.push('shows no focus');
        return (e.id||e.className||e.tagName)+(e.textContent?' '+e.textContent.trim().slice(0,20):'')+problem.map(p=>' BAD: '+p).join('')})())");
      if (now.is_null()) break;
      out.push_back(now);
    }
    return out;
  }
};

TEST_F(ServeAccess, NoStateOfThePageHasMistakes) {
  const Serving serving{fs::path(KIT_SOURCE_DIR)};
  open(serving, "");
  expect_no_mistakes("labs");
  open(serving, "lab2.1/1");
  expect_no_mistakes("code");
  for (const auto& [key, pane] : {std::pair{"1", "handout"}, {"3", "verdict"}, {"4", "views"}}) {
    browser_->press_with(Browser::alt, key);
    expect_no_mistakes(pane);
  }
  browser_->click("document.querySelector('#keys summary')");
  expect_no_mistakes("keys");
}

TEST_F(ServeAccess, VerdictsAndConflictsHaveNoMistakesEither) {
  const Serving serving;
  open(serving, "lab9.1/1");
  type_answer();
  browser_->value_of(editor + ".replaceRange('int unused = nonsense;\\n',{line:0,ch:0})");
  browser_->press_with(Browser::control, "s");
  ASSERT_TRUE(browser_->wait_for("document.querySelector('.note-error')", 120)) << message();
  browser_->click("document.querySelector('#verdict button:not(.place)')");
  ASSERT_TRUE(browser_->wait_for("document.querySelector('#verdict ol li')"));
  expect_no_mistakes("error");
  browser_->press_with(Browser::alt, "3");
  expect_no_mistakes("error-verdict");
  browser_->press_with(Browser::alt, "2");
  browser_->value_of(editor + ".replaceRange('int mine;\\n',{line:0,ch:0})");
  write_file(serving.work() / "lab9.1/level1/double.cu", "int by_vim;\n");
  ASSERT_TRUE(browser_->wait_for("!document.getElementById('conflict').hidden"));
  expect_no_mistakes("conflict");
}

TEST_F(ServeAccess, TabReachesEachControlInTheOrderOfThePage) {
  const Serving serving{fs::path(KIT_SOURCE_DIR)};
  for (const int width : {360, 1600}) {
    open(serving, "lab2.1/1", width);
    for (const char* pane : {"2", "4", "3", "1"}) {
      browser_->press_with(Browser::alt, pane);
      const auto order = tab_order();
      EXPECT_GT(order.size(), 9U);
      EXPECT_THAT(order, ::testing::Each(::testing::Not(::testing::HasSubstr("BAD"))))
          << width << " pixels, pane " << pane;
      const auto missed = browser_->value_of(
          R"((()=>[...document.querySelectorAll('a[href],button,input,select,textarea,summary')]
        .filter(e=>e.checkVisibility()&&!e.disabled&&e.tabIndex>=0&&!reached.includes(e)).map(e=>e.outerHTML.slice(0,80)))())");
      EXPECT_THAT(missed.get<std::vector<std::string>>(), IsEmpty()) << width << " pixels, pane " << pane;
    }
  }
}

}  // namespace
}  // namespace grader::testing
