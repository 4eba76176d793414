/** The page in the browser after a login's redirect. */
import { escapeHtml } from '../../domain/escape-html.ts';

export interface LoginPage {
  readonly status: 200 | 400;
  readonly html: string;
}

const page = (status: LoginPage['status'], title: string, message: string): LoginPage => ({
  status,
  html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Laudio</title>
<style>
  :root { color-scheme: light dark; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.0625rem/1.5 system-ui, sans-serif;
    background: light-dark(#f5f6f7, #15181b); color: light-dark(#1d2329, #e6e9ec); }
  main { max-width: 26rem; padding: 2rem; }
  h1 { font-size: 1.375rem; font-weight: 600; margin: 0 0 .5rem; }
  p { margin: 0; overflow-wrap: anywhere; }
</style>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(message)}</p>
</main>
</html>
`,
});

export const loggedInPage = (): LoginPage =>
  page(200, 'You are logged in', 'You can close this page and go back to Laudio.');

/** `reason` may hold another server's words. */
export const loginFailedPage = (reason: string): LoginPage =>
  page(400, 'The login did not succeed', `${reason} You can close this page and try again.`);

/** For requests to the listener that do not belong to its login. */
export const otherLoginPage = (): LoginPage =>
  page(400, 'This is no answer to the login', 'It belongs to another login, or to none. The login goes on.');
