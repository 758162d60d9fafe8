// SPDX-License-Identifier: Apache-2.0
// The first script of every page: it loads the sentences of one language, and then the page that its element names.
import { loadText } from "./text.js";

const page = document.querySelector("script[data-start]")?.getAttribute("data-start") ?? "";
loadText(page).then(() => import(`../${page}.js`));
