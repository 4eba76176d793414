/** A browser other than Chromium that tests drive, however that is done. */

export interface Cookie {
  readonly name: string;
  readonly value: string;
}

export interface DrivenBrowser {
  /** Opens a page with these cookies, in place of the one that is open. */
  open(url: string, cookies: readonly Cookie[]): Promise<void>;
  reload(): Promise<void>;
  /** Presses keys together, by their DOM names. */
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Clicks in the middle of the first element that the selector finds. */
  click(selector: string): Promise<void>;
  /** The value of a JavaScript expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  resize(width: number, height: number): Promise<void>;
  picture(): Promise<Buffer>;
  /** What the pages reported as errors. */
  errors(): Promise<readonly string[]>;
  /** Ends the browser as a crash does. */
  kill(): Promise<void>;
}

/** Ms until a page has kept somebody waiting for too long. */
const patienceMs = 60_000;

/** Waits until an expression gives something that is true, and gives that. */
export async function untilTrue<T>(browser: DrivenBrowser, expression: string): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const found = await browser.evaluate<T>(expression);
    if (found) return found;
    if (Date.now() > end)
      throw new Error(`Not so: ${expression}. The page: ${await browser.evaluate<string>('document.body.innerText')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until the text of a place fits. */
export const untilSeen = (browser: DrivenBrowser, selector: string, pattern: RegExp): Promise<boolean> =>
  untilTrue(browser, `${String(pattern)}.test(document.querySelector(${JSON.stringify(selector)})?.innerText ?? '')`);
