/** Every command of the program: its help, what it prints to a pipe, and its one JSON document. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isNoun, program } from '../../cli/program.ts';
import type { Entry } from '../../cli/program.ts';
import { createCli, samples } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

/** What has been made so far; a command that needs an id takes it from here. */
interface World {
  item: string;
  record: string;
  job: string;
  delivery: string;
}

interface Case {
  readonly words: (world: World, form: 'human' | 'json') => readonly string[];
  readonly input?: string | Readonly<Record<'human' | 'json', string>>;
  /** What a pipe gets on stdout; absent: nothing, the sentence is on stderr. */
  readonly human?: RegExp;
  readonly data: unknown;
}

const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`)) as unknown;
const dictated = 'Test Patient. Findings: normal chest. Impression: normal.';
const day = join(samples, 'worklist.json');
const has = (fields: object) => expect.objectContaining(fields) as unknown;
/** A list in which there is one like this. */
const including = (fields: object) => expect.arrayContaining([has(fields)]) as unknown;
const document = { id: id('rec'), status: 'draft', sections: expect.anything() };

/** In the order in which they run. */
const cases: Readonly<Record<string, Case>> = {
  login: {
    words: () => ['login'],
    human: /^Logged in\tDra\. Teste\n/,
    data: has({ client_id: 'test_tc_local', test_mode: true }),
  },
  whoami: {
    words: () => ['whoami'],
    human: /^User\tDra\. Teste\n/,
    data: has({ client_id: 'test_tc_local', profile: 'default' }),
  },
  'worklist ingest': {
    words: () => ['worklist', 'ingest', day],
    human: /^SL-2026-004415\tinserted\twli_\w{26}\t\n/,
    data: has({ processed: 23, deduped: 23, errors: [] }),
  },
  'worklist replay': {
    words: () => ['worklist', 'replay', day],
    data: has({ processed: 23, inserted: 0, updated: 0, deduped: 23, refused: 0, errors: [] }),
  },
  'worklist list': {
    words: () => ['worklist', 'list', '--q', 'torax sem contraste'],
    human: /^wli_\w{26}\t2026-03-02 11:30\tnew\tCT\tPaciente Teste\tTC de tórax sem contraste\t/,
    data: [has({ id: id('wli'), accession_number: 'SL-2026-004417' })],
  },
  'worklist show': {
    words: ({ item }) => ['worklist', 'show', item],
    human: /^Id\twli_/,
    data: has({ accession_number: 'SL-2026-004417' }),
  },
  'worklist set-status': {
    words: ({ item }, form) => [
      'worklist',
      'set-status',
      item,
      form === 'human' ? 'in_progress' : 'new',
      '--reason',
      'Test',
    ],
    human: /^Status\tin progress\nBefore\tnew\nReason\tTest\n/m,
    data: has({ status: 'new', previous_status: 'in_progress' }),
  },
  'worklist history': {
    words: ({ item }) => ['worklist', 'history', item],
    human: /\tin progress\tnew\tDra\. Teste\t\tTest\n/,
    data: [
      { from: 'in_progress', to: 'new' },
      { from: 'new', to: 'in_progress' },
    ].map((entry) => has(entry)),
  },
  'record generate': {
    words: () => ['record', 'generate', '--text', '-'],
    input: dictated,
    human: /^Id\trec_[^]*\nFindings\n/,
    data: has(document),
  },
  'record list': {
    words: () => ['record', 'list', '--limit', '1'],
    human: /^rec_\w{26}\t[^\n]*\tdraft\t[^\n]*\n$/,
    data: [has(document)],
  },
  'record show': { words: ({ record }) => ['record', 'show', record], human: /^Id\trec_/, data: has(document) },
  'record correct': {
    words: ({ record }) => ['record', 'correct', record, '--text', '-'],
    input: { human: 'add Follow-up soon to the impression\n', json: 'add Follow-up later to the impression\n' },
    human: /^Understood\t/m,
    data: has({ record: has({ version: 3 }), changes: [has({ section: 'impression' })] }),
  },
  'record edit': {
    words: ({ record }) => ['record', 'edit', record, '--title', 'Chest'],
    human: /^Title\tChest\n/m,
    data: has({ title: 'Chest' }),
  },
  'record versions': {
    words: ({ record }) => ['record', 'versions', record],
    human: /^\d\t[^\n]*\tcorrected\t/m,
    data: including({ change: 'edited', title: 'Chest' }),
  },
  'record export': {
    words: ({ record }, form) => [
      'record',
      'export',
      record,
      ...(form === 'json' ? ['--format', 'pdf', '-o', 'report.pdf'] : []),
    ],
    human: /^Chest\n=====\n/,
    data: has({ saved: 'report.pdf' }),
  },
  'record audio': {
    words: ({ record }, form) => ['record', 'audio', record, '-o', `${form}.wav`],
    data: has({ saved: 'json.wav' }),
  },
  'job list': {
    words: () => ['job', 'list', '--limit', '1'],
    human: /^job_\w{26}\t[^\n]*\tcompleted\t100 %/,
    data: [has({ id: id('job') })],
  },
  'job show': {
    words: ({ job }) => ['job', 'show', job],
    human: /^Status\tcompleted$/m,
    data: has({ status: 'completed' }),
  },
  'job logs': {
    words: ({ job }) => ['job', 'logs', job],
    human: /\tinfo\tQueued\.\n/,
    data: including({ level: 'info' }),
  },
  'job result': {
    words: ({ job }) => ['job', 'result', job],
    human: /^Made from\taudio, 0:1\d$/m,
    data: has({ id: id('rec') }),
  },
  'job wait': { words: ({ job }) => ['job', 'wait', job], human: /^Done\t100 %$/m, data: has({ status: 'completed' }) },
  'job cancel': {
    words: ({ job }) => ['job', 'cancel', job],
    human: /^Status\tcancelled$/m,
    data: has({ status: 'cancelled' }),
  },
  'template list': {
    words: () => ['template', 'list'],
    human: /^test_template_general\t/,
    data: including({ id: 'test_template_cardiology' }),
  },
  'template show': {
    words: () => ['template', 'show', 'test_template_general'],
    human: /^Section findings\t/m,
    data: has({ id: 'test_template_general' }),
  },
  'webhook trigger': { words: () => ['webhook', 'trigger'], human: /^Id\tdlv_/, data: has({ id: id('dlv') }) },
  'webhook deliveries': {
    words: () => ['webhook', 'deliveries'],
    human: /^dlv_\w{26}\t/,
    data: including({ id: id('dlv') }),
  },
  'webhook resend': {
    words: ({ delivery }) => ['webhook', 'resend', delivery],
    human: /^Id\tdlv_/,
    data: has({ id: id('dlv') }),
  },
  'client create': {
    words: () => ['client', 'create', '--name', 'Test RIS'],
    human: /^Client secret\tlcs_/m,
    data: has({ name: 'Test RIS' }),
  },
  'client list': {
    words: () => ['client', 'list'],
    human: /^test_tc_local\t/m,
    data: including({ id: 'test_tc_local' }),
  },
  'user create': {
    words: (_, form) => ['user', 'create', `doctor-${form}`, '--secret-stdin'],
    input: 'correct horse\n',
    human: /^Username\tdoctor-human$/m,
    data: has({ username: 'doctor-json' }),
  },
  'user list': {
    words: () => ['user', 'list'],
    human: /\tdoctor-human\t/,
    data: including({ username: 'doctor-json' }),
  },
  api: {
    words: () => ['api', 'GET', '/api/v1/templates'],
    human: /^\{\n {2}"items"/,
    data: has({ items: expect.anything() }),
  },
  help: { words: () => ['help', 'exit-codes'], human: /^0\tDone\n/, data: including({ name: '130' }) },
  'record delete': {
    words: ({ record }) => ['record', 'delete', record, '--yes'],
    data: has({ id: id('rec'), deleted: true }),
  },
  'server status': {
    words: () => ['server', 'status'],
    human: /^Address\thttp:\/\/127\.0\.0\.1:\d+\n[^]*^Storage\tok\n[^]*^items\t23\n/m,
    data: has({
      storage: 'ok',
      store: 'lowdb',
      stored: has({ items: 23 }),
      retention: { completed_s: null, audio_s: null },
    }),
  },
  'server export': {
    words: (_, form) => ['server', 'export', '--collection', 'items', ...(form === 'json' ? ['items.ndjson'] : [])],
    human: /^\{"laudio":"export",[^\n]*\}\n\{"collection":"items","document":\{"id":"wli_/,
    data: { saved: 'items.ndjson' },
  },
  'server seed': {
    words: () => ['server', 'seed', 'items.ndjson'],
    data: { documents: has({ items: 23, records: 0 }) },
  },
  'server backup': {
    words: () => ['server', 'backup', 'all.tar'],
    data: has({ saved: 'all.tar', missing_audio: 0, documents: has({ items: 23 }) }),
  },
  'server reset': {
    words: () => ['server', 'reset', '--yes'],
    data: { space: null, documents: has({ settings: 0 }) },
  },
  'server restore': {
    words: () => ['server', 'restore', 'all.tar', '--yes'],
    data: has({ missing_audio: 0, documents: has({ items: 23 }) }),
  },
  'server check': {
    words: () => ['server', 'check'],
    data: has({ sound: true, audio: has({ bad: 0 }), problems: [] }),
  },
  'server repair': {
    words: () => ['server', 'repair', '--data-dir', 'fresh', '--yes'],
    data: has({ repaired: false, lost: [] }),
  },
  logout: { words: () => ['logout'], data: has({ revoked: true }) },
};

/** Commands whose run is a story of its own. */
const elsewhere: Readonly<Record<string, string>> = {
  serve: 'serve.test.ts',
  demo: 'demo.test.ts',
  desktop: 'desktop.test.ts',
  'worklist watch': 'worklist-watch.test.ts',
  'webhook listen': 'interruption.test.ts',
};

const entries = Object.entries(program).flatMap(([name, found]): [string, Entry][] =>
  isNoun(found) ? Object.entries(found.verbs).map(([verb, entry]) => [`${name} ${verb}`, entry]) : [[name, found]],
);

it('has a case for every command', () => {
  expect([...Object.keys(cases), ...Object.keys(elsewhere)].toSorted()).toEqual(
    entries.map(([name]) => name).toSorted(),
  );
  for (const [name, file] of Object.entries(elsewhere)) {
    const path = new URL(file, import.meta.url);
    expect(existsSync(path), file).toBe(true);
    for (const word of name.split(' ')) expect(readFileSync(path, 'utf8')).toContain(`'${word}'`);
  }
});

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
  await cli.serve('--rate-limit', '0');
});
afterAll(() => cli.close());

describe('help', () => {
  it.concurrent.each(entries)('%s', async (name, entry) => {
    const command = await entry.load();
    const { code, stdout, stderr } = await cli.run([...name.split(' '), '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: laudio ${name}`);
    expect(stdout).toContain(entry.summary);
    for (const [line] of command.examples ?? []) expect(stdout).toContain(line);
    expect(stdout).not.toMatch(/\u001b|undefined|\[object/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110);
  });
});

describe('human and JSON', () => {
  const world: World = { item: '', record: '', job: '', delivery: '' };

  /** What the next command works on. */
  async function prepare(name: string, form: 'human' | 'json'): Promise<void> {
    const first = async (...words: string[]) => (await cli.json<{ id: string }[]>(words))[0]!.id;
    if (name === 'worklist show') world.item = await first('worklist', 'list', '--q', 'torax sem contraste');
    if (name === 'record show' || (name === 'record delete' && form === 'human'))
      world.record = await first('record', 'list', '--status', 'draft');
    if (name === 'record delete' && form === 'json')
      world.record = (await cli.json<{ id: string }>(['record', 'generate', '--text', '-'], { input: dictated })).id;
    if (name === 'record audio') {
      world.job = (
        await cli.json<{ id: string }>(['record', 'generate', '--audio', join(samples, 'dictation.wav'), '--async'])
      ).id;
      world.record = (await cli.json<{ record_id: string }>(['job', 'wait', world.job])).record_id;
    }
    if (name === 'job cancel') {
      const slow = [
        'api',
        'POST',
        '/api/v1/medical-records/generate',
        '-f',
        `text=${dictated}`,
        '-f',
        'mode=async',
        '-H',
        'X-Laudio-Simulate: job=slow:600000',
      ];
      world.job = (await cli.json<{ id: string }>(slow)).id;
    }
    if (name === 'webhook trigger') {
      await cli.json([
        'api',
        'PUT',
        '/api/v1/admin/clients/test_tc_local/webhook',
        '-f',
        'url=http://127.0.0.1:9/',
        '-f',
        'rotate_secret=true',
      ]);
    }
    if (name === 'server repair') mkdirSync(join(cli.directory, 'fresh'), { recursive: true });
    if (name === 'webhook resend') world.delivery = await first('webhook', 'deliveries');
    if (name === 'logout' && form === 'json') await cli.json(['login']);
  }

  it.each(Object.entries(cases))('%s', async (name, { words, input, human, data }) => {
    const options = (form: 'human' | 'json') =>
      input === undefined ? {} : { input: typeof input === 'string' ? input : input[form] };
    await prepare(name, 'human');
    const plain = await cli.run(words(world, 'human'), options('human'));
    expect(plain, plain.stderr).toMatchObject({ code: 0 });
    expect(plain.stdout).toMatch(human ?? /^$/);
    expect(plain.stdout + plain.stderr).not.toContain('\u001b');
    await prepare(name, 'json');
    const json = await cli.run([...words(world, 'json'), '--json'], options('json'));
    expect(json, json.stderr).toMatchObject({ code: 0 });
    expect(json.stdout).not.toContain('\u001b');
    const document: unknown = JSON.parse(json.stdout);
    expect(document).toEqual(data);
  });
});
