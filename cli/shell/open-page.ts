/** Opens an address in the browser, and names it for whoever has none here. */
import { pause } from '../../src/domain/pause.ts';
import type { Context } from '../context.ts';

/** Milliseconds for a browser to report that it failed to start; one that still runs after that is open. */
const startLimit = 3000;

export async function openPage({ io, clock }: Context, url: string): Promise<void> {
  const { openInBrowser } = await import('../../src/node/login/oauth-login.ts');
  io.noticeAtOnce();
  io.notice(`Opening the browser. If it doesn’t open, go to ${url}`);
  const opened = openInBrowser(url).catch(() =>
    io.notice('The browser could not be opened: go to the address above.', 'warn'),
  );
  // The clock keeps the process alive in the meantime; the browser's process does not.
  await Promise.race([opened, pause(clock, startLimit)]);
}
