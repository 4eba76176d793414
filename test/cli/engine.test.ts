/** A speech model as recogniser and a language model as writer, on the command line: tried by themselves, and used by a server. */
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { Provenance } from '../../src/contract/provenance.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { startChatServer } from '../support/fake-chat-server.ts';
import type { FakeChatServer } from '../support/fake-chat-server.ts';
import { startTranscriptionServer } from '../support/fake-transcription-server.ts';

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

interface Part {
  name: string;
  works: boolean;
  trials: { what: string; result: string; ms?: number; hint?: string }[];
}
interface Tried {
  works: boolean;
  recogniser?: Part;
  writer?: Part;
}

test('engine test says that all works, for a person and for a program', async () => {
  const { code, stdout } = await cli.call(['engine', 'test']);
  expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 3).join(' '))).toEqual([
    'writer server works',
    'writer key works',
    'writer model works',
    'writer answer works',
    'writer json works',
    'writer proposals works',
    '',
  ]);
  expect(code).toBe(0);
  const tried = await cli.json<Tried>(['engine', 'test']);
  expect(tried).toMatchObject({ works: true, writer: { name: 'openai', works: true } });
  expect(tried).not.toHaveProperty('recogniser');
  expect(tried.writer!.trials.find(({ what }) => what === 'answer')!.ms).toBeGreaterThanOrEqual(0);
  expect(model.chats()[0]!.headers['authorization']).toBe(`Bearer ${key}`);
});

test('engine test names missing parts with a remedy, and ends with 8', async () => {
  model.dialect = () => ({ status: 401, body: { error: { message: `Incorrect API key provided: ${key}` } } });
  const { code, stdout, stderr } = await cli.call(['engine', 'test', '--json']);
  expect(code).toBe(8);
  const tried = JSON.parse(stdout) as Tried;
  expect(tried).toMatchObject({ works: false });
  expect(tried.writer!.trials[1]).toMatchObject({
    what: 'key',
    result: 'fails',
    hint: expect.stringContaining('LAUDIO_WRITER_KEY'),
  });
  expect(stderr).toContain('refused the key');
});

test('engine test tries the writer that is named, and says which there are', async () => {
  expect((await cli.call(['engine', 'test', '--writer', 'rules'])).stdout).toMatch(/^writer\tready\tworks\t/);
  const { code, stderr } = await cli.call(['engine', 'test', '--writer', 'nobody']);
  expect(code).toBe(2);
  expect(stderr).toContain('rules, openai');
});

test('engine test tries the recogniser that is named or set, and the writer only where that was not all', async () => {
  const speech = await startTranscriptionServer();
  onTestFinished(() => speech.close());
  speech.dialect = ({ samples }) => ({
    body: { text: samples.some((sample) => sample !== 0) ? 'The lungs are clear.' : '' },
  });
  const choice = `openai:whisper-1 url=${speech.url}/v1`;
  const env = { LAUDIO_RECOGNISER_KEY: 'sp33ch-k3y' };
  const named = await cli.json<Tried>(['engine', 'test', '--recogniser', choice], { env });
  expect(named).toMatchObject({ works: true, recogniser: { name: 'openai' } });
  expect(named).not.toHaveProperty('writer');
  expect(speech.sounds[0]!.headers['authorization']).toBe('Bearer sp33ch-k3y');
  const set = await cli.json<Tried>(['engine', 'test'], { env: { ...env, LAUDIO_RECOGNISER: choice } });
  expect(set).toMatchObject({ works: true, recogniser: { works: true }, writer: { works: true } });
  speech.dialect = () => ({ status: 401, body: 'no' });
  const { code, stderr } = await cli.call(['engine', 'test', '--recogniser', choice]);
  expect(code).toBe(8);
  expect(stderr).toContain('The recogniser openai does not work: The server of the speech model refused the key.');
});

test('a server says at its start where its recogniser sends sound', async () => {
  const choice = 'openai:whisper-1 url=https://speech.hospital.invalid/v1';
  const server = cli.startHere(['serve', '--port', '0', '--recogniser', choice, '--data-dir', 'elsewhere']);
  await server.heard('recognised by openai; the audio goes to speech.hospital.invalid');
  await server.end('SIGTERM');
});

test('a server writes with it; its log counts, and quotes neither words nor key', async () => {
  model.model = ({ text }) => {
    if (text.startsWith('Cough')) return { section: 'impression' };
    return text.startsWith('nodule') ? { text: 'A nodule of 6 mm in the right lobe.' } : { text: 'No pneumothorax.' };
  };
  const { server } = await cli.serveHere('--rate-limit', '0');
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
  model.impression = () => [
    { text: 'Nodule of 6 mm in the right lobe.', basis: [0] },
    { text: 'Nodule of 9 mm in the right lobe.', basis: [0] },
  ];
  const proposals = await cli.call(['record', 'propose', record.id]);
  expect(proposals.stdout).toBe('Nodule of 6 mm in the right lobe.\tA nodule of 6 mm in the right lobe.\n');
  expect(proposals.stderr).toContain('1 sentence left out, which said more than the findings.');
  const { stderr } = await server.end('SIGTERM');
  expect(stderr).toContain('"refused":{"facts":1}');
  expect(stderr).not.toMatch(/nodule|cough|pneumothorax/i);
});

test('the key is in nothing that any command wrote', () => expect(cli.written.join('')).not.toContain(key));
