// The texts that a picture of a page shows.

/** The part of the page that the picture in README.md is of. */
export const WINDOW = { width: 1080, height: 675 };

/** What the window shows, a line for each piece of text, with `#` for each number, `B` for each unit of bytes and `s` for those of time. */
export async function textsOf(tab) {
  const pieces = await tab.ask(`(() => {
    const pieces = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      const box = range.getBoundingClientRect();
      const text = walker.currentNode.data.replace(/\\s+/g, " ").trim();
      if (text && box.width > 0 && box.bottom > 0 && box.bottom < innerHeight) {
        pieces.push(text);
      }
    }
    return pieces;
  })()`);
  return pieces.map(masked).join("\n") + "\n";
}

function masked(text) {
  return text
    .replace(/\d[\d,.:]*/g, "#")
    .replace(/# [KMG]iB/g, "# B")
    .replace(/# (h|min)( # (min|s))?\b/g, "# s")
    .replace(/#-#-# #/g, "#");
}
