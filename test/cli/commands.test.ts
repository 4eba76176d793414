/** Every command of the program: its help, what it prints to a pipe, and its one JSON document. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isNoun } from '../../cli/entry.ts';
import { program } from '../../cli/program.ts';
import type { Entry } from '../../cli/entry.ts';
import { has, id } from './command-case.ts';
import type { Case, Form } from './command-case.ts';
import { criticalCases } from './critical-cases.ts';
import { wordbookCases } from './wordbook-cases.ts';
import { settingCases } from './setting-cases.ts';
import { watchCases } from './watch-cases.ts';
import { worklistCases } from './worklist-cases.ts';
import { chestTemplate, dictated, World } from './world.ts';

/** A list in which there is one like this. */
const including = (fields: object) => expect.arrayContaining([has(fields)]) as unknown;
const document = { id: id('rec'), status: 'draft', sections: expect.anything() };

const cases: Readonly<Record<string, Case>> = {
  ...settingCases,
  ...worklistCases,
  login: {
    words: () => ['login'],
    human: /^Logged in\tDra\. Teste\n/,
    data: has({ client_id: 'test_tc_local', test_mode: true }),
  },
  version: {
    words: () => ['version'],
    human: /^\d+\.\d+\.\d+\n$/,
    data: has({ version: expect.stringMatching(/^\d/), node: process.versions.node }),
  },
  whoami: {
    words: () => ['whoami'],
    human: /^User\tDra\. Teste\n/,
    data: has({ client_id: 'test_tc_local', profile: 'default' }),
  },
  open: {
    words: () => ['open', '--accession', 'SL-1', '--print', '--server', 'https://laudio.example.com'],
    human: /^In the browser\thttps:\/\/laudio\.example\.com\/#\/exam\?accession=SL-1\n/,
    data: has({ app: 'laudio://exam?accession=SL-1' }),
  },
  'record generate': {
    words: () => ['record', 'generate', '--text', '-'],
    input: dictated,
    human: /^Id\trec_[^]*\nFindings\n/,
    data: has(document),
  },
  'record list': {
    words: async (world) => {
      await world.record();
      return ['record', 'list', '--limit', '1'];
    },
    human: /^rec_\w{26}\t[^\n]*\tdraft\t[^\n]*\n$/,
    data: [has(document)],
  },
  'record show': {
    words: async (world) => ['record', 'show', await world.record()],
    human: /^Id\trec_/,
    data: has(document),
  },
  'record correct': {
    words: async (world) => ['record', 'correct', await world.once('to correct', () => world.record()), '--text', '-'],
    input: { human: 'add Follow-up soon to the impression\n', json: 'add Follow-up later to the impression\n' },
    human: /^Understood\t/m,
    data: has({ record: has({ version: 3 }), changes: [has({ section: 'impression' })] }),
  },
  'record edit': {
    words: async (world) => ['record', 'edit', await world.record(), '--title', 'Chest'],
    human: /^Title\tChest\n/m,
    data: has({ title: 'Chest' }),
  },
  'record check': {
    words: () => ['record', 'check', '-'],
    input: 'Achados: pulmões livres. Impressão: exame normal. Conduta: seguimento.',
    human: /^$/,
    data: has({ language: 'pt-BR', findings: [] }),
  },
  'record dismiss': {
    words: async (world) => ['record', 'dismiss', ...(await world.warned())],
    human: /^Id\trec_[^]*\(dismissed by /,
    data: has({ findings_to_review: including({ status: 'dismissed' }) }),
  },
  'record provenance': {
    words: async (world) => ['record', 'provenance', (await world.recording()).record],
    human: /^findings\tsaid\t[^\n]*\t\d+\.\d–\d+\.\d s\t/m,
    data: has({ words: including({ origin: 'said' }), heard_words: including({ from: 0 }) }),
  },
  'record undo': {
    words: async (world) => ['record', 'undo', ...(await world.converted())],
    human: /Nodule of six millimeters/,
    data: has({ text: expect.stringContaining('six millimeters') }),
  },
  'record take-back': {
    words: async (world) => ['record', 'take-back', await world.record()],
    human: /^Status\s+draft$/m,
    data: has({ status: 'draft' }),
  },
  'record versions': {
    words: async (world) => ['record', 'versions', await world.editedRecord()],
    human: /^\d\t[^\n]*\tcorrected\t/m,
    data: including({ change: 'edited', title: 'Chest' }),
  },
  'record distribution': {
    words: async (world) => ['record', 'distribution', await world.record()],
    human: /^$/,
    data: [],
  },
  'record diff': {
    words: async (world, form) => [
      'record',
      'diff',
      await world.editedRecord(),
      ...(form === 'json' ? ['--from', '1'] : []),
    ],
    human: /^Title\n[^]*\{\+Chest\+\}\n$/,
    data: has({ from: 1, to: 3, changes: including({ section: 'impression', title: 'Impression' }) }),
  },
  'record export': {
    words: async (world, form) => [
      'record',
      'export',
      await world.editedRecord(),
      ...(form === 'json' ? ['--format', 'pdf', '-o', 'report.pdf'] : []),
    ],
    human: /^Chest\n=====\n/,
    data: has({ saved: 'report.pdf' }),
  },
  'record audio': {
    words: async (world, form) => ['record', 'audio', (await world.recording()).record, '-o', `${form}.wav`],
    data: has({ saved: 'json.wav' }),
  },
  'job list': {
    words: async (world) => {
      await world.newJob();
      return ['job', 'list', '--limit', '1'];
    },
    human: /^job_\w{26}\t[^\n]*\tcompleted\t100 %/,
    data: [has({ id: id('job') })],
  },
  'job show': {
    words: async (world) => ['job', 'show', (await world.recording()).job],
    human: /^Status\tcompleted$/m,
    data: has({ status: 'completed' }),
  },
  'job logs': {
    words: async (world) => ['job', 'logs', (await world.recording()).job],
    human: /\tinfo\tQueued\.\n/,
    data: including({ level: 'info' }),
  },
  'job result': {
    words: async (world) => ['job', 'result', (await world.recording()).job],
    human: /^Made from\taudio, 0:1\d$/m,
    data: has({ id: id('rec') }),
  },
  'job wait': {
    words: async (world) => ['job', 'wait', (await world.recording()).job],
    human: /^Done\t100 %$/m,
    data: has({ status: 'completed' }),
  },
  'job cancel': {
    words: async (world) => ['job', 'cancel', await world.slowJob()],
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
  'template add': {
    words: (_world, form) => ['template', 'add', chestTemplate, '--id', `added_${form}`],
    human: /^Id\tadded_human\nName\tChest CT, our department\nOrigin\town, version 1\n/,
    data: has({ id: 'added_json', origin: 'own', version: 1 }),
  },
  'template try': {
    words: () => ['template', 'try', chestTemplate, '--modality', 'CT'],
    human: /^Template\tChest CT, our department\nExam\tgets another template\n/,
    data: has({ fits: false }),
  },
  'template edit': {
    words: async (world) => ['template', 'edit', await world.template('edited'), chestTemplate],
    human: /^Section severity_score\t/m,
    data: has({ id: 'edited' }),
  },
  'template remove': {
    words: async (world, form) => ['template', 'remove', await world.template(`removed_${form}`), '--yes'],
    data: { id: 'removed_json', deleted: true },
  },
  'template export': {
    words: (_world, form) => [
      'template',
      'export',
      'test_template_general',
      ...(form === 'json' ? ['-o', 'template.json'] : []),
    ],
    human: /^\{\n {2}"id": "test_template_general",/,
    data: has({ saved: 'template.json' }),
  },
  ...criticalCases,
  ...wordbookCases,
  'engine list': {
    words: () => ['engine', 'list'],
    human: /^none\trecogniser\tused\t/,
    data: has({ models: including({ id: 'nemotron-3.5-streaming-1120' }) }),
  },
  'engine test': {
    words: () => ['engine', 'test'],
    human: /^writer\tready\tworks\t/,
    data: has({ works: true, writer: has({ name: 'rules', works: true }) }),
  },
  'webhook trigger': {
    words: async (world) => {
      await world.webhook();
      return ['webhook', 'trigger', 'medical_record.job.failed'];
    },
    human: /^Id\tdlv_[^]*^Payload$[^]*"error_code": "ENGINE_UNAVAILABLE"/m,
    data: has({ type: 'medical_record.job.failed', event: has({ data: has({ test: true }) }) }),
  },
  'webhook deliveries': {
    words: async (world) => {
      await world.delivery();
      return ['webhook', 'deliveries'];
    },
    human: /^dlv_\w{26}\t/,
    data: including({ id: id('dlv') }),
  },
  'webhook resend': {
    words: async (world) => ['webhook', 'resend', await world.delivery()],
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
  'user edit': {
    words: async (world) => [
      'user',
      'edit',
      await world.user('doctor-licensed'),
      '--licence',
      'CRM-SP 1',
      '--place',
      '',
    ],
    human: /^Licence\tCRM-SP 1$/m,
    data: has({ username: 'doctor-licensed', licence: 'CRM-SP 1' }),
  },
  'user set-password': {
    words: async (world) => {
      await world.user('doctor-forgetful');
      return ['user', 'set-password', 'doctor-forgetful', '--secret-stdin'];
    },
    input: 'battery staple\n',
    data: has({ username: 'doctor-forgetful' }),
  },
  'user reset-pin': {
    words: async (world, form) => ['user', 'reset-pin', await world.user(`doctor-pinless-${form}`)],
    data: has({ id: id('usr') }),
  },
  'user delete': {
    words: async (world, form) => ['user', 'delete', await world.user(`doctor-gone-${form}`), '--yes'],
    data: has({ id: id('usr'), deleted: true }),
  },
  'user list': {
    words: async (world) => {
      await world.user('doctor-listed');
      return ['user', 'list'];
    },
    human: /\tdoctor-listed\t/,
    data: including({ username: 'doctor-listed' }),
  },
  api: {
    words: () => ['api', 'GET', '/api/v1/templates'],
    human: /^\{\n {2}"items"/,
    data: has({ items: expect.anything() }),
  },
  help: { words: () => ['help', 'exit-codes'], human: /^0\tDone\n/, data: including({ name: '130' }) },
  'record delete': {
    words: async (world) => ['record', 'delete', await world.record(), '--yes'],
    data: has({ id: id('rec'), deleted: true }),
  },
  ...watchCases,
  'server export': {
    words: async (world, form) => {
      await world.day();
      return ['server', 'export', '--collection', 'items', ...(form === 'json' ? ['items.ndjson'] : [])];
    },
    human: /^\{"laudio":"export",[^\n]*\}\n\{"collection":"items","document":\{"id":"wli_/,
    data: { saved: 'items.ndjson' },
  },
  'server seed': {
    words: async (world) => {
      await world.day();
      await world.cli.json(['server', 'export', '--collection', 'items', 'seed.ndjson']);
      return ['server', 'seed', 'seed.ndjson'];
    },
    data: { documents: has({ items: 23, records: 0 }) },
  },
  'server backup': {
    words: async (world) => {
      await world.day();
      return ['server', 'backup', 'all.tar'];
    },
    data: has({ saved: 'all.tar', missing_audio: 0, documents: has({ items: 23 }) }),
  },
  'server reset': {
    words: () => ['server', 'reset', '--yes'],
    data: { space: null, documents: has({ settings: 0 }) },
    isApart: true,
  },
  'server restore': {
    words: async (world) => {
      await world.day();
      await world.cli.json(['server', 'backup', 'restored.tar']);
      return ['server', 'restore', 'restored.tar', '--yes'];
    },
    data: has({ missing_audio: 0, documents: has({ items: 23 }) }),
    isApart: true,
  },
  'server check': {
    words: () => ['server', 'check'],
    data: has({ sound: true, audio: has({ bad: 0 }), problems: [] }),
  },
  'server repair': {
    words: ({ cli }) => {
      mkdirSync(join(cli.directory, 'fresh'), { recursive: true });
      return ['server', 'repair', '--data-dir', 'fresh', '--yes'];
    },
    data: has({ repaired: false, lost: [] }),
  },
  logout: {
    words: async ({ cli }) => {
      await cli.json(['login']);
      return ['logout'];
    },
    data: has({ revoked: true }),
    isApart: true,
  },
};

/** Commands whose run is a story of its own. */
const elsewhere: Readonly<Record<string, string>> = {
  serve: 'serve.test.ts',
  demo: 'demo.test.ts',
  desktop: 'desktop.test.ts',
  token: 'machine-login.test.ts',
  ...Object.fromEntries(
    ['show', 'update', 'rotate-secret', 'delete'].map((verb) => [`client ${verb}`, 'machine-login.test.ts']),
  ),
  'worklist watch': 'worklist-watch.test.ts',
  'worklist remove': 'patient.test.ts',
  'record propose': 'engine.test.ts',
  'patient find': 'patient.test.ts',
  'patient export': 'patient.test.ts',
  'patient restrict': 'patient.test.ts',
  'patient erase': 'patient.test.ts',
  'webhook listen': 'interruption.test.ts',
  'webhook replay': 'webhook-replay.test.ts',
  'webhook verify': 'webhook-verify.test.ts',
  ...Object.fromEntries(['import', 'list', 'show', 'delete'].map((verb) => [`prior ${verb}`, 'prior.test.ts'])),
  ...Object.fromEntries(
    [
      ['kinds', 'add', 'list', 'show', 'set', 'enable', 'disable', 'remove'],
      ['queue', 'messages', 'message', 'send', 'import', 'retry', 'drop', 'try', 'test', 'simulate'],
    ]
      .flat()
      .map((verb) => [`channel ${verb}`, 'channel.test.ts']),
  ),
  completion: 'completion.test.ts',
  doctor: 'doctor.test.ts',
  upgrade: 'upgrade.test.ts',
  ...Object.fromEntries(['install', 'status', 'remove'].map((verb) => [`service ${verb}`, 'service.test.ts'])),
  'server fault': 'server-fault.test.ts',
  'server snapshot': 'server-snapshot.test.ts',
  exec: 'exec.test.ts',
  ...Object.fromEntries(['pull', 'remove', 'use', 'bench'].map((verb) => [`engine ${verb}`, 'engine-models.test.ts'])),
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

let shared: World;
beforeAll(async () => void (shared = await World.create()));
afterAll(() => shared.cli.close());

describe('help', () => {
  it.each(entries)('%s', async (name, entry) => {
    const command = await entry.load();
    const { code, stdout, stderr } = await shared.cli.call([...name.split(' '), '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: laudio ${name}`);
    expect(stdout).toContain(entry.summary);
    const whole = stdout.replaceAll(/ \\\n\s+/g, ' ');
    for (const [line] of command.examples ?? []) expect(whole).toContain(line);
    expect(stdout).not.toMatch(/\u001b|undefined|\[object/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110);
  });
});

describe('human and JSON', () => {
  it.each(Object.entries(cases))('%s', async (_name, { words, input, human, data, isApart }) => {
    const world = isApart ? await World.create() : shared;
    if (isApart) onTestFinished(() => world.cli.close());
    const options = (form: Form) =>
      input === undefined ? {} : { input: typeof input === 'string' ? input : input[form] };
    const plain = await world.cli.call(await words(world, 'human'), options('human'));
    expect(plain, plain.stderr).toMatchObject({ code: 0 });
    expect(plain.stdout).toMatch(human ?? /^$/);
    expect(plain.stdout + plain.stderr).not.toContain('\u001b');
    const json = await world.cli.call([...(await words(world, 'json')), '--json'], options('json'));
    expect(json, json.stderr).toMatchObject({ code: 0 });
    expect(json.stdout).not.toContain('\u001b');
    expect(JSON.parse(json.stdout)).toEqual(data);
  });
});
