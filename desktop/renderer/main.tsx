/** Starts the page: finds the app behind it, the reader's language, and shows what there is. */
import { render } from 'preact';
import type { Bridge } from '../bridge/bridge.ts';
import { nearestLanguage, showLanguage } from './i18n/index.ts';
import { setBridge } from './state/bridge.ts';
import { App } from './views/app/app.tsx';
import { rememberedLanguage, startPage } from './views/app/page.ts';

/** Electron's preload leaves its door on the window; a browser talks HTTP. */
async function openBridge(): Promise<Bridge> {
  if ('laudio' in window) return (await import('./bridge-ipc.ts')).createIpcBridge(window);
  const { browserPort, createHttpBridge } = await import('./bridge-http.ts');
  return createHttpBridge(browserPort);
}

const [bridge] = await Promise.all([
  openBridge(),
  showLanguage(rememberedLanguage() ?? nearestLanguage(navigator.languages)),
]);
setBridge(bridge);
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
void startPage();
