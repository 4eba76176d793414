/** A language model as writer, on the command line: tried by itself, and used by a server. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { Provenance } from '../../src/contract/provenance.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { startChatServer } from '../support/fake-chat-server.ts';
import type { FakeChatServer } from '../support/fake-chat-server.ts';

let cli: Cli;
let model: FakeChatServer;
let usual: Pick<FakeChatServer, 'model' | 'dialect' | 'models'>;
const key = 'k3y-s3cret';
beforeAll(async () => {
  model = await startChatServer();
  usual = { model: model.model, dialect: model.dialect, models: model.models };
  cli = await createCli({ LAUDIO_WRITER: `openai:medical-small url=${model.url}/v1`, LAUDIO_WRITER_KEY: key });
});
beforeEach(() => void Object.assign(model, usual));
afterAll(async () => {
  await cli.close();
  await model.close();
});

interface Tried {
  writer: string;
  works: boolean;
  trials: { what: string; result: string; ms?: number; hint?: string }[];
}

test('engine test says that all works, for a person and for a program', async () => {
  const { code, stdout } = await cli.call(['engine', 'test']);
  expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual([
    'server works',
    'key works',
    'model works',
    'answer works',
    'json works',
    'proposals works',
    '',
  ]);
  expect(code).toBe(0);
  const tried = await cli.json<Tried>(['engine', 'test']);
  expect(tried).toMatchObject({ writer: 'openai', works: true });
  expect(tried.trials.find(({ what }) => what === 'answer')!.ms).toBeGreaterThanOrEqual(0);
  expect(model.chats()[0]!.headers['authorization']).toBe(`Bearer ${key}`);
});

test('engine test says what is missing and what to do, and ends with 8', async () => {
  model.dialect = () => ({ status: 401, body: { error: { message: `Incorrect API key provided: ${key}` } } });
  const { code, stdout, stderr } = await cli.call(['engine', 'test', '--json']);
  expect(code).toBe(8);
  const tried = JSON.parse(stdout) as Tried;
  expect(tried).toMatchObject({ works: false });
  expect(tried.trials[1]).toMatchObject({
    what: 'key',
    result: 'fails',
    hint: expect.stringContaining('LAUDIO_WRITER_KEY'),
  });
  expect(stderr).toContain('refused the key');
});

test('engine test tries the writer that is named, and says which there are', async () => {
  expect((await cli.call(['engine', 'test', '--writer', 'rules'])).stdout).toMatch(/^ready\tworks\t/);
  const { code, stderr } = await cli.call(['engine', 'test', '--writer', 'nobody']);
  expect(code).toBe(2);
  expect(stderr).toContain('rules, openai');
});

test('a server writes with it; its log counts, and quotes neither words nor key', async () => {
  model.model = ({ text }) => {
    if (text.startsWith('Cough')) return { section: 'impression' };
    return text.startsWith('nodule') ? { text: 'A nodule of 6 mm in the right lobe.' } : { text: 'No pneumothorax.' };
  };
  const { server } = await cli.serve('--rate-limit', '0');
  await cli.json(['login']);
  const said = 'Test Patient. Cough. nodule 6 mm right lobe. Impression: pneumothorax.';
  const record = await cli.json<MedicalRecord>(['record', 'generate', '--text', '-'], { input: said });
  expect(Object.fromEntries(record.sections.map((section) => [section.key, section.text]))).toMatchObject({
    findings: 'A nodule of 6 mm in the right lobe.',
    impression: 'Cough. Pneumothorax.',
  });
  const { operations } = await cli.json<Provenance>(['record', 'provenance', record.id]);
  expect(operations.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['label', 'proposal']));
  await server.heard('writer_proposals');
  const { stderr } = await server.end('SIGTERM');
  expect(stderr).toContain('"refused":{"facts":1}');
  expect(stderr).not.toMatch(/nodule|cough|pneumothorax/i);
});

test('the key is in nothing that any command wrote', () => expect(cli.written.join('')).not.toContain(key));
