// The upper part of a page that `offcut report -o` or `offcut run` wrote, as a picture; and its texts, beside it, as a file.
//
// node take-picture.mjs PAGE.html PICTURE.png

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { startBrowser } from "./chromium.mjs";
import { textsOf, WINDOW } from "./picture-texts.mjs";

const [page, picture] = process.argv.slice(2);
const browser = await startBrowser();
const tab = await browser.tab(WINDOW);
await tab.open("file://" + resolve(page));
await tab.picture(resolve(picture));
writeFileSync(resolve(picture).replace(/\.png$/, ".txt"), await textsOf(tab));
await browser.close();
