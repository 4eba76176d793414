/** Starts the page: connects to the app, chooses the reader's language, and shows the first screen. */
import { render } from 'preact';
import type { Bridge } from '../bridge/bridge.ts';
import { browserPort, createHttpBridge } from './bridge-http.ts';
import { createIpcBridge } from './bridge-ipc.ts';
import { nearestLanguage, showLanguage } from './i18n/index.ts';
import { setBridge } from './state/bridge.ts';
import { anywherePlace } from '../bridge/anywhere.ts';
import { App } from './views/app/app.tsx';
import { rememberedLanguage, startPage, startSmallPage } from './views/app/page.ts';
import { SmallPage } from './views/app/small-page.tsx';

/**
 * In a window of the app, the preload script has added an object to the window; otherwise the page is in a browser and
 * uses HTTP.
 */
const openBridge = (): Bridge => ('laudio' in window ? createIpcBridge(window) : createHttpBridge(browserPort));

async function start(): Promise<void> {
  setBridge(openBridge());
  await showLanguage(rememberedLanguage() ?? nearestLanguage(navigator.languages));
  const root = document.getElementById('app');
  const isSmall = location.hash === `#${anywherePlace}`;
  if (root !== null) render(isSmall ? <SmallPage /> : <App />, root);
  await (isSmall ? startSmallPage() : startPage());
}

void start();
