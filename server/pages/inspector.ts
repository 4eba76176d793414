/** A page with the most recent calls, for the operator, who proves it with the code from the server's terminal. */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { buildCurlCommand, shownPath } from '../../src/client/call-exports.ts';
import type { InspectedCall, InspectedMessages } from '../../src/contract/inspector.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { createEventReader } from '../../src/client/events/event-reader.ts';
import { comment, eventStreamHeaders, eventText } from '../../src/client/events/server-sent-events.ts';
import type { Inspector } from '../qa/inspector/inspector.ts';
import { html } from '../http/page/html.ts';
import type { Html } from '../http/page/html.ts';
import { inlineStyle } from '../http/page/inline-style.ts';
import type { CodeProblem, OperatorSession, OperatorSessions } from './operator-sessions.ts';
import { words } from '../http/page/page-words.ts';
import { isAllowed } from './operator-rights.ts';
import { style } from '../http/page/style.ts';

const path = '/inspector';

const inspectorStyle = `
header{border-bottom:1px solid var(--line);background:var(--surface)}
header span+a{margin-left:auto}
body{grid-template-columns:minmax(0,1fr)}
main{max-width:1200px;margin:0 auto;padding:20px 20px 60px;align-self:start}
main.narrow{max-width:432px;margin:auto}
.bar{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:baseline;margin-top:8px}
.bar form{margin:0}
.scroll{overflow-x:auto;margin-top:16px;border:1px solid var(--line);border-radius:12px;background:var(--surface)}
table{border-collapse:collapse;width:100%;font-size:13px}
th{text-align:left;font-weight:530;color:var(--ink-2);padding:8px 12px;border-bottom:1px solid var(--line);white-space:nowrap}
td{padding:6px 12px;border-bottom:1px solid var(--line);vertical-align:baseline}
tr:last-child td{border-bottom:0}
td a{display:inline-block;min-width:24px;min-height:24px}
.path{overflow-wrap:anywhere;min-width:22ch}
.faint{color:var(--ink-2)}
td.faint{white-space:nowrap}
.number{text-align:right}
.bad{color:var(--bad);font-weight:600}
.warn{color:var(--warn);font-weight:600}
:root{--bad:#a32020}@media(prefers-color-scheme:dark){:root{--bad:#f08a80}}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 20px;margin-top:14px;font-size:13px}
dt{color:var(--ink-2)}dd{margin:0;overflow-wrap:anywhere}
h2{font-size:15px;font-weight:640;margin-top:26px}
pre{margin-top:8px;padding:12px;border-radius:9px;border:1px solid var(--line);background:var(--surface);overflow:auto;
font:12.5px/1.5 ui-monospace,Menlo,Consolas,monospace}
.empty{padding:28px;text-align:center;color:var(--ink-2)}
[role=alert]{color:var(--bad);margin-top:8px;font-size:13px}
@media(max-width:760px){main{padding:14px 12px 40px}.spare{display:none}}
`;

/** Refreshes the table when calls arrive, and copies the curl command. The page works without it, but does not refresh. */
const script = `
const rows=document.querySelector('[data-live]');
if(rows){
let due=false,drawn=Promise.resolve();
const draw=async()=>{due=false;const page=await (await fetch(location.href)).text();
const next=new DOMParser().parseFromString(page,'text/html').querySelector('[data-live]');
if(next&&!rows.contains(document.activeElement))rows.replaceChildren(...next.childNodes)};
const calls=new EventSource('${path}/events');
calls.addEventListener('request',()=>{if(due)return;due=true;drawn=drawn.then(()=>new Promise(go=>setTimeout(go,150))).then(draw).catch(()=>{due=false})});
const state=document.querySelector('[data-state]');
calls.onopen=()=>{state.textContent='Calls show as they come.'};
calls.onerror=()=>{state.textContent='The server does not answer; trying again.'};
}
for(const button of document.querySelectorAll('[data-copy]'))button.addEventListener('click',async()=>{
await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
button.textContent='Copied'});
`;

const look = inlineStyle(style + inspectorStyle);
const scriptSource = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src ${look.source}; script-src ${scriptSource}; connect-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

function describeProblem(problem: CodeProblem): string {
  if (problem === 'closed')
    return 'The setup code is only for the first operator. Log in with your account; on the server itself the laudio commands go on working.';
  if (typeof problem === 'object') return `Too many attempts. Wait ${problem.waitSeconds} s, then try again.`;
  return problem === 'wrong'
    ? 'That is not the code that the terminal of the server shows.'
    : 'The form did not come from this page, so it was not taken.';
}

export interface InspectorDeps {
  readonly inspector: Inspector;
  readonly clock: Clock;
  /** Browser sessions of the operator. */
  readonly sessions: OperatorSessions;
  /** The name of the login provider; `undefined`: there is only the setup code. */
  readonly providerName: string | undefined;
}

export function registerInspector(app: FastifyInstance, page: InspectorDeps): void {
  const { inspector, clock, sessions, providerName } = page;

  const isInside = async (request: FastifyRequest): Promise<boolean> => (await sessions.find(request)) !== undefined;
  const show = (reply: FastifyReply, content: Html, status = 200): FastifyReply =>
    reply.code(status).headers(headers).send(content.html);
  const showLogin = (reply: FastifyReply, problem?: string): FastifyReply =>
    show(
      reply,
      renderPage('Inspector', renderLogin(problem, providerName), 'narrow'),
      problem === undefined ? 200 : 403,
    );

  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 8192 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );

    pages.get(path, async (request, reply) => {
      if (!(await isInside(request))) return showLogin(reply);
      const { refused } = request.query as { refused?: string };
      const isRefused = refused !== undefined;
      const calls = inspector.list({ limit: 200, ...(isRefused && { outcome: 'refused' }) });
      return show(reply, renderPage('Inspector', renderList(calls, isRefused)));
    });

    pages.post(path, async (request, reply) => {
      const { code: typed } = (request.body ?? {}) as { code?: string };
      const entered = await sessions.enter(request, typed);
      if ('problem' in entered) return showLogin(reply, describeProblem(entered.problem));
      return reply.header('Set-Cookie', entered.cookie).redirect(path, 303);
    });

    pages.get(`${path}/events`, async (request, reply) => {
      if (!(await isInside(request))) return reply.code(403).send();
      const leave = inspector.follow(({ number }) =>
        reader.offer(Buffer.from(eventText({ name: 'request', data: number }))),
      );
      const reader = createEventReader(clock, leave);
      reply.raw.once('close', reader.end);
      reader.offer(Buffer.from(comment));
      return reply.headers({ ...eventStreamHeaders, Connection: 'close' }).send(reader.stream);
    });

    pages.get<{ Params: { number: string } }>(`${path}/:number(^\\d{1,15}$)`, async (request, reply) => {
      const session = await sessions.find(request);
      if (!session) return showLogin(reply);
      const call = inspector.get(Number(request.params.number));
      const content = call ? renderDetail(call, request.base, session) : gone;
      return show(reply, renderPage(`Call ${request.params.number}`, content), call ? 200 : 404);
    });

    pages.post<{ Params: { number: string } }>(`${path}/:number(^\\d{1,15}$)/replay`, async (request, reply) => {
      const session = await sessions.find(request);
      if (!session) return showLogin(reply);
      if (!isAllowed(session.role, request)) return show(reply, renderPage('Inspector', looksOnly), 403);
      const { csrf } = (request.body ?? {}) as { csrf?: string };
      if (!sessions.isFormOf(request, session, csrf ?? null)) return show(reply, renderPage('Inspector', forged), 403);
      const made = await inspector.replay(Number(request.params.number));
      if (made === undefined) return show(reply, renderPage('Inspector', gone), 404);
      return reply.redirect(`${path}/${made}`, 303);
    });
  });
}

const renderPage = (title: string, content: Html, width = ''): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <title>${title} · Laudio</title>
        ${look.element}
      </head>
      <body>
        <header>
          <span class="mark">Laudio</span><span>Inspector</span><a href="/portal">Portal</a
          ><a href="/docs">API reference</a>
        </header>
        <main class="${width}">${content}</main>
        <footer></footer>
        ${{ html: `<script>${script}</script>` }}
      </body>
    </html>`;

const renderLogin = (problem: string | undefined, provider: string | undefined): Html =>
  html`<div class="card">
    <h1>Inspector</h1>
    <p class="lead">The calls that reached this server, without their content.</p>
    ${
      provider !== undefined &&
      html`<div class="actions">
        <a class="button primary" href="/portal/provider?to=${path}">${words.en.login.provider(provider)}</a>
      </div>`
    }
    <form method="post" action="${path}">
      <label for="code">Code</label>
      <input
        id="code"
        name="code"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        required
        autofocus
        aria-describedby="where"
      />
      ${problem !== undefined && html`<p role="alert">${problem}</p>`}
      <p class="small" id="where">
        The terminal in which Laudio was started shows it, and so does <code>laudio server status</code>.
      </p>
      <div class="actions"><button class="primary">Look</button></div>
    </form>
  </div>`;

const looksOnly = html`<h1>Nothing was done</h1>
  <p class="lead">An auditor sees the calls and repeats none. <a href="${path}">All calls</a></p>`;

const forged = html`<h1>Nothing was done</h1>
  <p class="lead">The form did not come from this page. <a href="${path}">All calls</a></p>`;

const gone = html`<h1>Not there any more</h1>
  <p class="lead">The server no longer has that call, or cannot repeat it. <a href="${path}">All calls</a></p>`;

const toneOf = ({ status }: InspectedCall): string =>
  status === null || status >= 500 ? 'bad' : status >= 400 ? 'warn' : '';

const timeOf = ({ at }: InspectedCall): string => at.slice(11, 23);

const renderList = (calls: readonly InspectedCall[], isRefused: boolean): Html =>
  html`<h1>Calls</h1>
    <div class="bar">
      ${
        isRefused
          ? html`<a href="${path}">All calls</a><strong>Refused only</strong>`
          : html`<strong>All calls</strong><a href="${path}?refused">Refused only</a>`
      }
      <span class="faint" data-state role="status">The newest first.</span>
    </div>
    <div class="scroll" data-live>
      ${
        calls.length === 0
          ? html`<p class="empty">No such call has reached the server yet. Try <code>laudio worklist list</code>.</p>`
          : html`<table>
              <thead>
                <tr>
                  <th scope="col" class="number">No.</th>
                  <th scope="col" class="spare">Time (UTC)</th>
                  <th scope="col">Call</th>
                  <th scope="col">Status</th>
                  <th scope="col">Decision</th>
                  <th scope="col" class="spare number">ms</th>
                  <th scope="col" class="spare">Client</th>
                  <th scope="col" class="spare">Scope</th>
                </tr>
              </thead>
              <tbody>
                ${calls.map(renderRow)}
              </tbody>
            </table>`
      }
    </div>`;

const renderRow = (call: InspectedCall): Html =>
  html`<tr>
    <td class="number"><a href="${path}/${call.number}" aria-label="Call ${call.number}">${call.number}</a></td>
    <td class="spare faint">${timeOf(call)}</td>
    <td class="path"><code>${call.method} ${shownPath(call)}</code></td>
    <td class="${toneOf(call)}">${call.status ?? 'none'}</td>
    <td class="${call.decision === 'allowed' && call.fault === null ? 'faint' : ''}">${decisionText(call)}</td>
    <td class="spare number">${call.duration_ms}</td>
    <td class="spare faint">${call.client_id ?? ''}</td>
    <td class="spare faint">${call.scope ?? ''}</td>
  </tr>`;

const decisionText = ({ decision, fault }: InspectedCall): string =>
  fault === null ? decision : `${decision} (fault: ${fault})`;

const renderDetail = (call: InspectedMessages, base: string, { csrf }: OperatorSession): Html =>
  html`<p class="bar"><a href="${path}">All calls</a></p>
    <h1><code>${call.method} ${shownPath(call)}</code></h1>
    <dl>
      ${renderFact('Number', String(call.number))}${renderFact('At', call.at)}${renderFact('Answer', String(call.status ?? 'none'))}
      ${renderFact('Decision', decisionText(call))}${renderFact('Client', call.client_id ?? 'none')}${renderFact('Scope', call.scope ?? 'none')}
      ${renderFact('Took', `${call.duration_ms} ms`)}${renderFact('Request id', call.request_id)}
    </dl>
    ${renderMessage('Request', call.request)} ${renderMessage('Answer', call.answer)}
    ${
      !call.request &&
      html`<p class="note quiet">
        <span></span>Its messages were not stored: the server keeps only the most recent ones of test clients.
      </p>`
    }
    <h2>As curl</h2>
    <pre id="curl" tabindex="0">${buildCurlCommand(call, base)}</pre>
    <div class="bar">
      <button data-copy="curl">Copy</button>
      ${call.replayable && html`<form method="post" action="${path}/${call.number}/replay"><input type="hidden" name="csrf" value="${csrf}" /><button>Replay as it was</button></form>`}
    </div>`;

const renderFact = (title: string, value: string): Html =>
  html`<dt>${title}</dt>
    <dd>${value}</dd>`;

function renderMessage(title: string, message: InspectedMessages['request']): Html {
  if (!message) return html``;
  const lines = Object.entries(message.headers).map(([name, value]) => `${name}: ${value}`);
  const body = message.body === null ? [] : ['', JSON.stringify(message.body, null, 2)];
  return html`<h2>${title}</h2>
    <pre tabindex="0">${[...lines, ...body].join('\n')}</pre>`;
}
