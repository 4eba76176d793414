/** A reader who types a page from its first block to its last, with ids, files and servers of their own. */
import { createHmac } from 'node:crypto';
import { readFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'unbash';
import { samples } from '../support/cli.ts';
import { freePort } from '../support/free-port.ts';
import type { Desk, Started } from './desk.ts';
import { shells } from '../../docs/site/laudio-lines.ts';
import type { Block, Page } from '../../docs/site/pages.ts';
import { placeText } from '../../docs/site/pages.ts';

/** What became of a statement or a block. */
export interface Tried {
  readonly place: string;
  readonly text: string;
  /** `typed`, or why it was not. */
  readonly how: string;
}

/** What a test cannot have; such a line is only parsed (test/docs.test.ts). Each with its reason. */
const notTyped: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^npm (ci|test|run (build:(app|packages)|demo))/, 'CI itself does it'],
  [/^alias /, 'a shell that reads a script knows no alias'],
  [/^laudio (desktop|login --manual)/, 'it opens a window or a browser'],
  [/--mic\b/, 'a microphone'],
  [/engine pull|engine remove|local:(nemotron|parakeet)/, 'a model of half a gigabyte'],
  [/(?<!--upstream https:\/\/)api\.example\.com|api\.groq\.com|hospital\.example/, 'a server of somebody else'],
  [/--device\b|record correct rec_…$/, 'it asks at a terminal'],
  [/^docker /, 'containers, which the machine of a test need not have'],
  [/^sudo /, 'it changes the machine; test/cli/service.test.ts and test/build have it'],
  [/^(sha256sum --check|gh attestation) /, 'a release, and the network'],
  [/serve --encrypt/, 'a keychain, or a passphrase at a terminal'],
  [/server clock (advance 2h|set)/, 'a server whose time is simulated; server-clock.test.ts has one'],
];

/** Commands that run until somebody ends them: what they say when they are ready. */
const endless: readonly (readonly [pattern: RegExp, ready: RegExp])[] = [
  [/\blaudio serve\b/, /http:\/\/127\.0\.0\.1:\d+/],
  [/\blaudio webhook listen\b/, /./],
  [/\blaudio worklist watch\b/, /./],
  [/\blaudio server requests --follow\b/, /./],
  [/\blaudio channel simulate .*--listen\b/, /Listening/],
  [/^Orthanc /, /Orthanc has started/],
  [/^tail -F alarms/, /"channel_stuck"/],
  [/^tail -n 1 -F alarms/, /"channel_stuck_over"/],
];

/** Programs that run until the page ends, not only their block. */
const lasting = /^Orthanc /;

/** Where the pages have other systems. Each page gets free ports in their place. */
const peerPorts = ['2575', '2576', '4242', '8042', '11104', '11105', '11106'];

/**
 * What makes a command say something that is silent until something happens. `once`: that it succeeded is enough; else it is done again, for
 * whoever watches may not have begun.
 */
const nudges: readonly { readonly to: RegExp; readonly statement: () => string; readonly once: boolean }[] = [
  {
    to: /worklist watch/,
    statement: () => `echo '${JSON.stringify(examAt(new Date().toISOString()))}' | laudio worklist ingest -`,
    once: false,
  },
  { to: /webhook listen --count/, statement: () => 'laudio webhook trigger', once: true },
  { to: /requests --follow/, statement: () => 'laudio whoami', once: false },
];

/** What somebody without a terminal types in the place of an answer, to a command. */
function answerTo(option: string, command: string): string {
  if (option === '--yes') return option;
  return `${option} < ${command.includes('webhook') ? 'webhook-secret.txt' : 'password.txt'}`;
}

let exams = 0;
const examAt = (time: string) => ({
  accession_number: `EXAM-${(exams += 1)}`,
  patient_id: '1',
  patient_name: 'PATIENT^TEST',
  modality: 'CT',
  exam_datetime: time,
  exam_description: 'CT of the chest',
});

/** A secret of a webhook, and an event that it signed. */
const webhookSecret = `whsec_${Buffer.from('a secret of the documentation').toString('base64')}`;
const event = JSON.stringify({ type: 'webhook.test', timestamp: '2026-03-02T11:42:00.000Z', data: { test: true } });
const signedHeaders = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': '1772451720',
  'webhook-signature': `v1,${createHmac('sha256', Buffer.from(webhookSecret.slice(6), 'base64'))
    .update(`msg_1.1772451720.${event}`)
    .digest('base64')}`,
};

/** A test of a project that wants a server, and a login. */
const needsServer = 'test -n "$LAUDIO_SERVER" -a -n "$LAUDIO_TOKEN"';

/** Files that a reader brings: the pages say what they are. */
const own: Readonly<Record<string, string | { readonly sample: string }>> = {
  'agenda.csv': { sample: 'worklists/agenda.csv' },
  'day.csv': { sample: 'worklists/schedule.csv' },
  'today.json': { sample: 'worklist.json' },
  'orders.hl7': { sample: 'worklists/order.hl7' },
  'more.hl7': { sample: 'worklists/batch.hl7' },
  'orders/one.hl7': { sample: 'worklists/order.hl7' },
  'ris.json': JSON.stringify({ values: { modality: { XR: 'CR' } } }),
  'capture.mllp': { sample: 'worklists/capture.mllp' },
  'yesterday.ndjson': ['08:30:00', '08:30:10']
    .map((time) => `${JSON.stringify(examAt(`2026-03-02T${time}-03:00`))}\n`)
    .join(''),
  'chest.html': { sample: 'templates/chest-ct.html' },
  'chest-ct.html': { sample: 'templates/chest-ct.html' },
  'dictation.wav': { sample: 'dictation.wav' },
  'dictations/a.wav': { sample: 'dictation.wav' },
  'dictations/a.txt': { sample: 'dictation.txt' },
  // A project whose tests need the server.
  'package.json': JSON.stringify({ scripts: { test: needsServer, 'test:a': needsServer } }),
  'password.txt': 'correct horse battery staple',
  'impression.txt': 'Normal examination.',
  'addendum.txt': 'Compared with the examination of last year: unchanged.',
  'report.txt': 'Findings: The lungs are clear.\n\nImpression: Normal examination.\n',
  'said.txt': 'findings the lungs are clear impression normal examination',
  'macros.csv': 'name,text,section\nclear lungs,The lungs are clear.,findings\n',
  'torax.txt': 'Pulmões livres.',
  'drugs.txt': 'Gadovist\nMcBurney = mac burney; mack burney\n',
  key: 'a key',
  'root/laudio-backup-passphrase': 'correct horse battery staple',
  'etc/laudio/README': 'Secrets of the service.',
  'backups/README': 'A disk for backups.',
  'webhook-secret.txt': webhookSecret,
  'body.json': event,
  'headers.txt': Object.entries(signedHeaders)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join(''),
};

/** Languages of other programs: programs.test.ts gives each block to its own. */
const foreign: ReadonlySet<string> = new Set(['nginx', 'caddy', 'logrotate', 'ini']);

/** Addresses of a server of speech models and one of language models, by the ports at which the pages have them. */
export interface Servers {
  readonly '8000': string;
  readonly '11434': string;
}

export class Reader {
  readonly #desk: Desk;
  readonly #servers: Servers;
  readonly #ids = new Map<string, string>();
  readonly #ports = new Map<string, string>();
  readonly #tried: Tried[] = [];
  /** The server of the page, and where it is. */
  #server: { readonly command: Started; readonly url: string } | undefined;
  /** What was started besides, until the end of its block. */
  #besides: Started[] = [];
  #isReplaced = false;
  #section = '';

  constructor(desk: Desk, servers: Servers) {
    this.#desk = desk;
    this.#servers = servers;
  }

  /** Types the blocks of a page; throws at the first that does something else than it says. */
  async read({ blocks }: Pick<Page, 'blocks'>): Promise<readonly Tried[]> {
    await this.#bring();
    for (const port of peerPorts) this.#ports.set(port, String(await freePort()));
    const first = blocks.find(({ language }) => shells.has(language));
    // Who begins with a server begins with their own.
    if (first && !/^laudio serve\b/m.test(first.text)) await this.#begin();
    let printed = '';
    for (const [at, block] of blocks.entries()) {
      if (block.section !== this.#section) await this.#leaveSection(block.section);
      const next = blocks[at + 1];
      const isShown = next?.language === 'output' && next.section === block.section;
      if (block.marks.startsWith('illustration: ')) this.#note(block, block.marks);
      else if (shells.has(block.language)) printed = await this.#typeBlock(block, isShown);
      else if (block.language === 'output' && this.#desk.hasTerminal) this.#compare(block, printed);
      else if (block.language === 'output') this.#note(block, 'not compared: no terminal');
      else await this.#keep(block);
    }
    return this.#tried;
  }

  #note(block: Block, how: string): void {
    this.#tried.push({ place: placeText(block), text: block.text, how });
  }

  async #bring(): Promise<void> {
    for (const [name, content] of Object.entries(own)) {
      const path = join(this.#desk.directory, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, typeof content === 'string' ? content : await readFile(join(samples, content.sample)));
    }
  }

  async #begin(): Promise<void> {
    await this.#startServer('laudio serve');
    await this.#do('laudio login');
  }

  async #do(statement: string): Promise<string> {
    const { code, output } = await this.#desk.type(statement);
    if (code !== 0) throw new Error(`${statement} ended with ${code}:\n${output}`);
    this.#learn(output);
    return output;
  }

  /** A section has its terminal: what it set for logins is gone afterwards. */
  async #leaveSection(section: string): Promise<void> {
    this.#section = section;
    // So is the server that it started in the place of the page's.
    if (this.#isReplaced) {
      this.#isReplaced = false;
      await this.#stopServer();
      await this.#begin();
    }
    await this.#desk.type('unset ${!LAUDIO_CLIENT*} LAUDIO_TOKEN LAUDIO_SERVER LAUDIO_WEBHOOK_SECRET');
  }

  async #typeBlock(block: Block, isShown: boolean): Promise<string> {
    let printed = '';
    const statements = statementsOf(block);
    for (const [at, { text, line, exitCode }] of statements.entries()) {
      const goesOn = statements.slice(at + 1).some((later) => !/\blaudio serve\b/.test(later.text));
      const place = `${block.page}:${line}`;
      const reason = notTyped.find(([pattern]) => pattern.test(text))?.[1];
      this.#tried.push({ place, text, how: reason ?? 'typed' });
      if (reason !== undefined) continue;
      try {
        printed = endless.some(([pattern]) => pattern.test(text))
          ? await this.#typeEndless(text, goesOn)
          : await this.#typeOnce(text, exitCode, isShown);
      } catch (error) {
        throw new Error(`${place}: ${text}\n${(error as Error).message}`, { cause: error });
      }
    }
    for (const command of this.#besides.splice(0)) await command.end();
    return printed;
  }

  async #typeOnce(text: string, exitCode: number, isShown: boolean): Promise<string> {
    const typed = this.#filledIn(text);
    if (typed.includes('server repair')) await this.#stopServer();
    const secret = this.#ids.get('lcs');
    if (secret !== undefined && typed.includes('secret.txt'))
      await writeFile(join(this.#desk.directory, 'secret.txt'), secret);
    let { code, output } = await this.#desk.type(typed, isShown);
    const asked =
      code === 2
        ? /(--yes|--secret-stdin)(?: or \w+)? is needed\.\n\s*Questions need a terminal/.exec(output)?.[1]
        : undefined;
    if (asked !== undefined) ({ code, output } = await this.#desk.type(`${typed} ${answerTo(asked, typed)}`, isShown));
    if (code !== exitCode) throw new Error(`It ended with ${code} instead of ${exitCode}:\n${output}`);
    if (/"success": ?false|^\{"error": ?"/m.test(output)) throw new Error(`The service refused it:\n${output}`);
    this.#learn(output);
    return output;
  }

  /** `goesOn`: whether the block goes on with other commands, which work with what was started. */
  async #typeEndless(text: string, goesOn: boolean): Promise<string> {
    const isServer = /\blaudio serve\b/.test(text);
    const typed = this.#filledIn(isServer ? withFreePort(text) : text);
    const hasPlace = /--data-dir|--ephemeral/.test(typed);
    if (isServer && (!this.#server || (goesOn && !hasPlace))) {
      this.#isReplaced = this.#server !== undefined;
      await this.#stopServer();
      return this.#startServer(text);
    }
    // A server that is shown for itself alone is not in the way of the page's.
    const aside = isServer && !hasPlace;
    const variables = aside
      ? {
          LAUDIO_DATA_DIR: join(this.#desk.directory, 'aside'),
          LAUDIO_STATE_DIR: join(this.#desk.directory, 'aside-state'),
        }
      : {};
    const command = await this.#desk.start(typed, variables);
    const nudge = nudges.find(({ to }) => to.test(text));
    const output = await this.#ready(text, command, nudge);
    if (aside) await command.end('SIGTERM');
    else if (!lasting.test(text)) this.#besides.push(command);
    return output;
  }

  /** For what is done to a data directory that no server has. */
  async #stopServer(): Promise<void> {
    await this.#server?.command.end();
    this.#server = undefined;
  }

  async #startServer(text: string): Promise<string> {
    const command = await this.#desk.start(this.#filledIn(withFreePort(text)));
    const output = await this.#ready(text, command);
    this.#server = { command, url: /http:\/\/127\.0\.0\.1:\d+/.exec(output)![0] };
    return output;
  }

  async #ready(text: string, command: Started, nudge?: (typeof nudges)[number]): Promise<string> {
    const ready = endless.find(([pattern]) => pattern.test(text))![1];
    const ends = text.includes('--count');
    let isNudged = false;
    for (;;) {
      const output = (await command.output()) + (await this.#writtenTo(text));
      if (!ends && ready.test(output)) return output;
      if (command.isOver()) {
        const code = await command.end();
        if (ends && code === 0) return output;
        throw new Error(`It ended by itself, with ${code}:\n${output}`);
      }
      if (nudge && !isNudged) isNudged = (await this.#desk.type(nudge.statement())).code === 0 && nudge.once;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** What a statement has written to the file to which its output goes. */
  async #writtenTo(text: string): Promise<string> {
    const [, file] = /> (\S+)(?: &)?$/.exec(text) ?? [];
    return file === undefined ? '' : readFile(join(this.#desk.directory, file), 'utf8').catch(() => '');
  }

  /** As the reader types it: with ids that the page made, the server that runs, and places of this home. */
  #filledIn(text: string): string {
    return text
      .replaceAll(/\b(wli|rec|job|lc|lcs|usr|dlv|trn|pri|msg|f)_…/g, (placeholder, kind: string) => {
        const id = this.#ids.get(kind);
        if (id === undefined) throw new Error(`No command of the page has told a ${placeholder} so far.`);
        return id;
      })
      .replaceAll('whsec_…', webhookSecret)
      .replaceAll(/(?<=[ :=])\d{4,5}\b/g, (port) => this.#ports.get(port) ?? port)
      .replaceAll(/http:\/\/127\.0\.0\.1:(8000|11434)(?=\/v1)/g, (_address, port: keyof Servers) => this.#servers[port])
      .replaceAll(
        /http:\/\/127\.0\.0\.1:8742|(?<!--public-url )https:\/\/laudio\.example\.com|(?<=--upstream )https:\/\/api\.example\.com/g,
        (address) => this.#server?.url ?? address,
      )
      .replaceAll(
        /(?<=[\s"'=])\/(srv|backups|root|etc\/laudio|tmp\/try|media)\b/g,
        (place) => `${this.#desk.directory}${place}`,
      );
  }

  /** Ids that a command told; the newest is the one that the next line means. */
  #learn(output: string): void {
    for (const [id, kind] of output.matchAll(/\b(wli|rec|job|lc|lcs|usr|dlv|trn|pri|msg)_[\w-]{16,}/g))
      this.#ids.set(kind!, id);
  }

  #compare(block: Block, printed: string): void {
    this.#note(block, 'compared');
    const [shown, said] = [block.text, printed].map(alike) as [string, string];
    // A line of `…` stands for any lines.
    const form = shown
      .split('\n')
      .map((line) => (line === '…' ? '[^]*' : line.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')));
    if (!new RegExp(`^${form.join('\\n')}$`).test(said))
      throw new Error(`${placeText(block)} shows\n${shown}\nand the command printed\n${said}`);
  }

  /** JSON and programs: kept as the file that the fence names; otherwise they have to be what they say they are. */
  async #keep(block: Block): Promise<void> {
    const file = /\bfile=(\S+)/.exec(block.marks)?.[1];
    if (file !== undefined) await writeFile(join(this.#desk.directory, file), this.#filledIn(block.text));
    if (block.language === 'json') {
      JSON.parse(block.text);
      this.#note(block, 'parsed');
    } else if (block.language === 'js') {
      const path = join(this.#desk.directory, file ?? 'block.mjs');
      if (file === undefined) await writeFile(path, block.text);
      await this.#do(`node --check ${path}`);
      this.#note(block, 'checked');
    } else if (block.language === 'ts') {
      this.#note(block, 'compiled');
    } else if (foreign.has(block.language) && file !== undefined) {
      this.#note(block, 'read by its program');
    } else
      throw new Error(
        `${placeText(block)}: nobody tries a block of "${block.language}". Name its language, or say behind the fence why it is an illustration: docs/README.md tells how.`,
      );
  }
}

const withFreePort = (text: string): string =>
  /--port \d+/.test(text)
    ? text.replace(/--port \d+/, '--port 0')
    : text.replace(/\blaudio serve\b/, 'laudio serve --port 0');

interface Statement {
  readonly text: string;
  readonly line: number;
  /** That of a comment behind it: `# exit code 9`. */
  readonly exitCode: number;
}

/** The statements of a block in order; each ends before the shell would show its prompt again. */
export function statementsOf({ text, line }: Block): Statement[] {
  const script = parse(text);
  return script.commands.map(({ pos, end }) => {
    const rest = text.slice(end, text.indexOf('\n', end));
    return {
      text: text.slice(pos, endWithHeredoc(text, pos, end)),
      line: line + 1 + text.slice(0, pos).split('\n').length - 1,
      exitCode: Number(/#.*\bexit code (\d+)/.exec(rest)?.[1] ?? 0),
    };
  });
}

/** The parser ends a statement before the lines of its here-document. */
function endWithHeredoc(text: string, pos: number, end: number): number {
  const [, word] = /<<(\w+)/.exec(text.slice(pos, end)) ?? [];
  return word === undefined ? end : text.indexOf(`\n${word}\n`, end) + word.length + 1;
}

/** What differs from run to run, or by the width of a column, counts as alike. */
const alike = (text: string): string =>
  text
    .replaceAll(/\b(wli|rec|job|lc|req|bat)_[0-9A-Z]{10,}/g, '$1_…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .split('\n')
    .map((each) => each.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('\n');
