/** The pages of the commands, from the table of the program. */
import type { AnyCommand, Option } from '../../cli/command.ts';
import { kebab } from '../../cli/command.ts';
import { isNoun } from '../../cli/entry.ts';
import type { Entry } from '../../cli/entry.ts';
import { globalOptions } from '../../cli/shell/global-options.ts';
import { helpTopics } from '../../cli/shell/help-topics.ts';
import { program } from '../../cli/program.ts';
import { html } from '../../server/http/page/html.ts';
import type { Html } from '../../server/http/page/html.ts';
import { settings } from '../../src/node/settings.ts';
import type { Heading } from './pages.ts';
import { codeBlock } from './highlight.ts';
import { headingHtml, nameOfAnchor, relativeUrl, urlOfCommand } from './site.ts';
import type { SitePage } from './site.ts';

export interface Listed {
  /** `worklist ingest`, `login`. */
  readonly words: string;
  readonly summary: string;
  readonly command: AnyCommand;
}

/** Every command of the program, in the order of its help. */
export async function listedCommands(): Promise<Listed[]> {
  const entries = Object.entries(program).flatMap(([name, listed]): [string, Entry][] =>
    isNoun(listed) ? Object.entries(listed.verbs).map(([verb, entry]) => [`${name} ${verb}`, entry]) : [[name, listed]],
  );
  return Promise.all(
    entries.map(async ([words, entry]) => ({ words, summary: entry.summary, command: await entry.load() })),
  );
}

const nouns = Object.entries(program).flatMap(([name, listed]) => (isNoun(listed) ? [{ name, ...listed }] : []));

/** Where a page tells of a command: its address and its title. */
export type Mentions = ReadonlyMap<string, readonly { readonly url: string; readonly title: string }[]>;

export function commandPages(commands: readonly Listed[], mentions: Mentions): SitePage[] {
  return [
    indexPage(commands),
    ...nouns.map(({ name, summary }) => nounPage(name, summary, commands)),
    ...commands.map((listed) => commandPage(listed, mentions)),
  ];
}

const h2 = (text: string): Heading => ({ level: 2, text, anchor: nameOfAnchor(text) });

function indexPage(commands: readonly Listed[]): SitePage {
  const url = 'commands/index.html';
  const alone = commands.filter(({ words }) => !words.includes(' '));
  const groups = [
    { heading: h2('laudio'), listed: alone },
    ...nouns.map(({ name, summary }) => ({
      heading: { ...h2(`laudio ${name}`), anchor: name },
      summary,
      listed: commands.filter(({ words }) => words.startsWith(`${name} `)),
    })),
  ];
  const headings = [...groups.map(({ heading }) => heading), ...everyCommand.headings];
  return {
    url,
    title: 'Commands',
    short: 'All commands',
    section: 'Commands',
    body: html`<h1>Commands</h1>
      <p class="lead">
        ${commands.length} commands, from the table that the program itself works by: <code>laudio COMMAND --help</code>
        prints the same in a terminal.
      </p>
      ${groups.map(
        ({ heading, listed, ...group }) =>
          html`${headingHtml(heading)} ${'summary' in group && html`<p>${group.summary}.</p>`} ${list(listed, url)}`,
      )}
      ${everyCommand.body}`,
    headings,
    found: everyCommand.headings.map((heading) => ({
      url: `${url}#${heading.anchor}`,
      page: 'Commands',
      heading: heading.text,
      text: everyCommand.words[heading.text] ?? '',
    })),
  };
}

function nounPage(name: string, summary: string, commands: readonly Listed[]): SitePage {
  const url = urlOfCommand(name);
  const verbs = commands.filter(({ words }) => words.startsWith(`${name} `));
  return {
    url,
    title: `laudio ${name}`,
    short: name,
    section: 'Commands',
    body: html`<h1><code>laudio ${name}</code></h1>
      <p class="lead">${summary}.</p>
      ${list(verbs, url)}`,
    headings: [],
    found: [
      {
        url,
        page: 'Commands',
        heading: `laudio ${name}`,
        text: `${summary}. ${verbs.map((verb) => verb.words).join(', ')}`,
      },
    ],
  };
}

const list = (listed: readonly Listed[], from: string): Html =>
  html`<dl class="listed">
    ${listed.map(
      ({ words, summary }) =>
        html`<div>
          <dt>
            <a href="${relativeUrl(from, urlOfCommand(words))}"><code>${words}</code></a>
          </dt>
          <dd>${summary}</dd>
        </div>`,
    )}
  </dl>`;

function commandPage({ words, summary, command }: Listed, mentions: Mentions): SitePage {
  const url = urlOfCommand(words);
  const [noun, verb] = words.split(' ');
  const options = Object.entries(command.options ?? {});
  const takes = Object.entries(command.arguments ?? {});
  const examples = command.examples ?? [];
  const guides = mentions.get(words) ?? [];
  const parts: { heading: Heading; body: Html }[] = [
    ...(examples.length === 0
      ? []
      : [{ heading: h2('Examples'), body: html`${examples.map(([line, meaning]) => example(line, meaning))}` }]),
    ...(takes.length === 0
      ? []
      : [
          {
            heading: h2('Arguments'),
            body: table(
              ['argument', 'is'],
              takes.map(([name, { summary: is }]) => [[argumentName(name)], html`${is}`]),
            ),
          },
        ]),
    ...(options.length === 0 ? [] : [{ heading: h2('Options'), body: optionTable(options) }]),
    {
      heading: h2('Every command'),
      body: html`<p>
        Takes also the <a href="index.html#options-of-every-command">options</a> of every command, goes by the same
        <a href="index.html#environment">variables</a>, and ends with the same
        <a href="index.html#exit-codes">exit codes</a>.
      </p>`,
    },
    ...(guides.length === 0
      ? []
      : [
          {
            heading: h2('Read more'),
            body: html`<ul>
              ${guides.map((guide) => html`<li><a href="${relativeUrl(url, guide.url)}">${guide.title}</a></li>`)}
            </ul>`,
          },
        ]),
  ];
  return {
    url,
    title: `laudio ${words}`,
    short: verb ?? noun!,
    section: 'Commands',
    ...(verb !== undefined && { parent: urlOfCommand(noun!) }),
    body: html`<h1><code>laudio ${words}</code></h1>
      <p class="lead">${summary}.</p>
      ${codeBlock(usage(words, command), 'usage')}
      ${(command.description ?? '')
        .split('\n\n')
        .filter(Boolean)
        .map((paragraph) => html`<p>${paragraph}</p>`)}
      ${parts.map(({ heading, body }) => html`${headingHtml(heading)} ${body}`)}`,
    headings: parts.map(({ heading }) => heading),
    found: [
      {
        url,
        page: 'Commands',
        heading: `laudio ${words}`,
        text: [
          `${summary}.`,
          command.description,
          ...options.map(([name, option]) => `--${kebab(name)} ${option.summary}.`),
          ...examples.flat(),
        ].join(' '),
      },
    ],
  };
}

const argumentName = (name: string): string => kebab(name).toUpperCase();

function usage(words: string, { options, arguments: takes }: AnyCommand): string {
  const names = Object.entries(takes ?? {}).map(([name, { required, variadic }]) => {
    const word = `${argumentName(name)}${variadic ? '…' : ''}`;
    return required ? word : `[${word}]`;
  });
  return ['laudio', words, ...(Object.keys(options ?? {}).length > 0 ? ['[options]'] : []), ...names].join(' ');
}

const example = (line: string, meaning: string): Html =>
  html`<p class="meaning">${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}</p>
    ${codeBlock(line, 'sh')}`;

function optionTable(options: readonly (readonly [string, Option])[]): Html {
  return table(
    ['option', 'does'],
    options.map(([name, option]) => [optionNames(name, option), html`${option.summary}.${variableOf(name)}`]),
  );
}

function optionNames(name: string, option: Option): string[] {
  const long = `--${kebab(name)}${option.kind === 'flag' ? '' : ` ${option.placeholder ?? 'VALUE'}`}`;
  return option.short ? [`-${option.short}`, long] : [long];
}

/** The variable that says the same as the option. */
function variableOf(name: string): Html | false {
  const key = kebab(name).replaceAll('-', '_');
  const setting = Object.hasOwn(settings, key) ? settings[key as keyof typeof settings] : undefined;
  return setting !== undefined && html` Also <code>${setting.env}</code>.`;
}

const table = (head: readonly [string, string], rows: readonly (readonly [readonly string[], Html])[]): Html =>
  html`<div class="scroll" tabindex="0">
    <table class="terms">
      <thead>
        <tr>
          ${head.map((word) => html`<th scope="col">${word}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([names, meaning]) =>
            html`<tr>
              <td>${names.map((name) => html`<code>${name}</code> `)}</td>
              <td>${meaning}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

/** What holds for all commands, told once. */
const everyCommand = (() => {
  // The directories are those of whoever builds the site, and are in the reference for every system.
  const rowsOf = (topic: 'exit-codes' | 'environment') => helpTopics[topic].rows();
  const headings = ['Options of every command', 'Environment', 'Exit codes'].map(h2);
  const named = (rows: readonly { readonly name: string; readonly meaning: string }[], head: string) =>
    table(
      [head, 'meaning'],
      rows.map(({ name, meaning }) => [[name], html`${meaning}`]),
    );
  const [options, environment, codes] = headings;
  return {
    headings,
    words: Object.fromEntries([
      [
        options!.text,
        Object.entries(globalOptions)
          .map(([name, { summary }]) => `--${kebab(name)} ${summary}.`)
          .join(' '),
      ],
      [
        environment!.text,
        rowsOf('environment')
          .map(({ name, meaning }) => `${name} ${meaning}`)
          .join(' '),
      ],
      [
        codes!.text,
        rowsOf('exit-codes')
          .map(({ name, meaning }) => `${name} ${meaning}.`)
          .join(' '),
      ],
    ]) as Readonly<Record<string, string>>,
    body: html`${headingHtml(options!)} ${optionTable(Object.entries(globalOptions))} ${headingHtml(environment!)}
    ${named(rowsOf('environment'), 'variable')} ${headingHtml(codes!)} ${named(rowsOf('exit-codes'), 'code')}`,
  };
})();
