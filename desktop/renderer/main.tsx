/** Starts the page: connects to the app, chooses the reader's language, and shows the first screen. */
import { render } from 'preact';
import type { Bridge } from '../bridge/bridge.ts';
import { nearestLanguage, showLanguage } from './i18n/index.ts';
import { setBridge } from './state/bridge.ts';
import { App } from './views/app/app.tsx';
import { rememberedLanguage, startPage } from './views/app/page.ts';

/** Electron's preload script puts a door on the window; without it the page is in a browser and talks HTTP. */
async function openBridge(): Promise<Bridge> {
  if ('laudio' in window) return (await import('./bridge-ipc.ts')).createIpcBridge(window);
  const { browserPort, createHttpBridge } = await import('./bridge-http.ts');
  return createHttpBridge(browserPort);
}

/** Nothing is awaited at the top: the scripts that it waits for import the one in which this is bundled. */
async function start(): Promise<void> {
  const [bridge] = await Promise.all([
    openBridge(),
    showLanguage(rememberedLanguage() ?? nearestLanguage(navigator.languages)),
  ]);
  setBridge(bridge);
  const root = document.getElementById('app');
  if (root !== null) render(<App />, root);
  await startPage();
}

void start();
