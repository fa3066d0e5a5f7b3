// The upper part of a page that `offcut report -o` or `offcut run` wrote, as a picture.
//
// node take-picture.mjs PAGE.html PICTURE.png [HEIGHT]

import { resolve } from "node:path";
import { startBrowser } from "./chromium.mjs";

const [page, picture, height = "675"] = process.argv.slice(2);
const browser = await startBrowser();
const tab = await browser.tab({ width: 1080, height: Number(height) });
await tab.open("file://" + resolve(page));
await tab.picture(resolve(picture));
await browser.close();
