/** Blocks of code, coloured while the site is built. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { html } from '../../server/http/page/html.ts';
import type { Html } from '../../server/http/page/html.ts';

const languages = { bash, json, nginx, typescript, yaml } as const;
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Names behind fences that mean one of these. */
const aliases: Readonly<Record<string, keyof typeof languages>> = {
  sh: 'bash',
  console: 'bash',
  js: 'typescript',
  ts: 'typescript',
  yml: 'yaml',
  caddy: 'nginx',
  logrotate: 'nginx',
};

/** `kind` is the word behind the fence: a language, or `output` for what a command prints. */
export function codeBlock(text: string, kind: string): Html {
  const language = aliases[kind] ?? kind;
  const inner = hljs.getLanguage(language)
    ? { html: hljs.highlight(text, { language, ignoreIllegals: true }).value }
    : html`${text}`;
  return html`<div class="code${kind === 'output' ? ' output' : ''}">
    <pre tabindex="0"><code>${inner}</code></pre>
  </div>`;
}
