/**
 * `node .build/icons.ts`: draws desktop/icons from its mark, by a Chromium on this machine. electron-builder makes the
 * formats of Windows and macOS of icon.png.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChromium } from '../test/support/chromium.ts';

const directory = fileURLToPath(new URL('../desktop/icons', import.meta.url));

/** Each picture: the drawing it is made of, and its size in pixels. `@2x` is what Electron looks for on fine screens. */
const pictures = [
  { name: 'icon', drawing: 'icon', size: 1024 },
  ...['tray', 'tray-recording', 'trayTemplate'].flatMap((name) => [
    { name, drawing: name, size: 16 },
    { name: `${name}@2x`, drawing: name, size: 32 },
  ]),
];

const browser = await startChromium();
try {
  for (const { name, drawing, size } of pictures) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const svg = await readFile(join(directory, `${drawing}.svg`), 'utf8');
    await page.setContent(
      `<style>html, body { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px }</style>${svg}`,
    );
    await page.screenshot({ path: join(directory, `${name}.png`), omitBackground: true });
    await page.close();
  }
} finally {
  await browser.close();
}
