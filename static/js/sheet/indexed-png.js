// A PNG with a palette. Browsers write every pixel in full colour, which makes a drawing with a
// handful of colours four times as heavy as it need be.

const MOST_COLOURS = 256;
const COARSE = 0xf8f8f8; // the soft edges of letters: five bits of each colour are plenty

// What is drawn on `canvas`, without transparency; the browser's own PNG where it cannot compress.
globalThis.indexedPng = async (canvas) => {
  if (!globalThis.CompressionStream) return new Promise((done) => canvas.toBlob(done, "image/png"));
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  const pixels = new Uint32Array(width * height);
  const counts = new Map();
  for (let i = 0; i < pixels.length; i++) {
    pixels[i] = (data[4 * i] << 16) | (data[4 * i + 1] << 8) | data[4 * i + 2];
    counts.set(pixels[i], (counts.get(pixels[i]) ?? 0) + 1);
  }
  const { palette, places } = paletteOf(counts);
  const rows = new Uint8Array((width + 1) * height); // each begins with its filter: none
  for (let i = 0; i < pixels.length; i++) rows[i + Math.floor(i / width) + 1] = places.get(pixels[i]);
  const head = new DataView(new ArrayBuffer(13));
  head.setUint32(0, width);
  head.setUint32(4, height);
  head.setUint16(8, 0x0803); // eight bits a pixel, by palette
  const zipped = new Blob([rows]).stream().pipeThrough(new CompressionStream("deflate"));
  const body = new Uint8Array(await new Response(zipped).arrayBuffer());
  const parts = [chunk("IHDR", new Uint8Array(head.buffer)), chunk("PLTE", palette), chunk("IDAT", body)];
  const signature = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Blob([signature, ...parts, chunk("IEND", new Uint8Array())], { type: "image/png" });
};

// The most frequent colours as they are; every other one gets the place of the nearest of them.
function paletteOf(counts) {
  const frequent = [...counts].sort((one, other) => other[1] - one[1]).map(([colour]) => colour);
  const chosen = [];
  const places = new Map();
  const coarse = new Set();
  for (const colour of frequent) {
    if (chosen.length === MOST_COLOURS) break;
    if (coarse.has(colour & COARSE)) continue;
    coarse.add(colour & COARSE);
    places.set(colour, chosen.length);
    chosen.push(colour);
  }
  for (const colour of frequent) if (!places.has(colour)) places.set(colour, nearest(colour, chosen));
  const palette = new Uint8Array(chosen.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return { palette, places };
}

function nearest(colour, chosen) {
  let best = 0;
  let least = Infinity;
  for (let place = 0; place < chosen.length; place++) {
    const other = chosen[place];
    const red = (colour >> 16) - (other >> 16);
    const green = ((colour >> 8) & 255) - ((other >> 8) & 255);
    const blue = (colour & 255) - (other & 255);
    const far = red * red + green * green + blue * blue;
    if (far < least) [best, least] = [place, far];
  }
  return best;
}

function chunk(name, body) {
  const made = new Uint8Array(body.length + 12);
  const view = new DataView(made.buffer);
  view.setUint32(0, body.length);
  made.set(new TextEncoder().encode(name), 4);
  made.set(body, 8);
  view.setUint32(body.length + 8, crc(made.subarray(4, body.length + 8)));
  return made;
}

function crc(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
