// Writes the court cards and jokers of @letele/playing-cards (CC0) as SVG files.
// Run in a folder where npm has installed that package, react@18 and react-dom@18:
//   node court_art.mjs FOLDER
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const here = createRequire(join(process.cwd(), "package.json"));
const react = here("react");
const { renderToStaticMarkup } = here("react-dom/server");
const module = join(process.cwd(), "node_modules/@letele/playing-cards/dist/index.esm.js");

// The package is written for a bundler; Node takes it once its imports and exports are gone.
const text = readFileSync(module, "utf8").replace(/^import .*$/gm, "");
const [body, exported] = text.split(/^export /m);
const names = exported.replace(/(\w+) as (\w+)/g, "$2: $1").replace(/;\s*$/, "");
const cards = new Function("React", "_extends", `${body}; return ${names}`)(react, Object.assign);

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const courts = ["S", "H", "D", "C"].flatMap((suit) => ["j", "q", "k"].map((rank) => suit + rank));
for (const name of [...courts, "J1", "J2"]) {
  writeFileSync(join(folder, `${name}.svg`), renderToStaticMarkup(react.createElement(cards[name])));
}
