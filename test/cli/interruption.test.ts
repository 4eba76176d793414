/** Ctrl-C and SIGTERM: the right exit code, and nothing left half done. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServedCli, entry } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { startHttpServer, succeeded } from '../support/http-server.ts';
import { verifyWebhook } from '../../src/node/http/webhook-signature.ts';
import { createReceiver } from '../server/delivery/webhooks/receiver.ts';
import type { Receiver } from '../server/delivery/webhooks/receiver.ts';

const webhook = '/api/v1/admin/clients/test_tc_local/webhook';

let cli: Cli;
beforeAll(async () => void (cli = await createServedCli()));
afterAll(() => cli.close());

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

const job = {
  id: `job_${'0'.repeat(26)}`,
  type: 'medical_record.generate',
  status: 'in_progress',
  progress: 0.1,
  attempts: 1,
  record_id: null,
  worklist_item_id: null,
  error: null,
  created_at: '2026-03-02T10:00:00.000Z',
  started_at: '2026-03-02T10:00:00.000Z',
  finished_at: null,
  updated_at: '2026-03-02T10:00:00.000Z',
};

describe('SIGUSR1', () => {
  it.skipIf(process.platform === 'win32')('opens no debugger to others on this computer', async () => {
    const { asked, close, env } = await startApi();
    const waiting = cli.start(['job', 'wait', job.id, '--json'], { env });
    await Promise.race([asked, waiting.ended]);
    process.kill(waiting.pid, 'SIGUSR1');
    const { code, stderr } = await waiting.end('SIGTERM');
    expect(code).toBe(143);
    expect(stderr).not.toContain('Debugger');
    await close();
  });
});

/** An API at which the job never ends; `asked` once somebody looks again and again. */
async function startApi() {
  const asked = Promise.withResolvers<void>();
  const api = await startHttpServer((_, count) => {
    if (count === 2) asked.resolve();
    return succeeded(job);
  });
  return { asked: asked.promise, close: api.close, env: { LAUDIO_TOKEN: 'canary', LAUDIO_SERVER: api.url } };
}

describe('job wait', () => {
  it.each(signals)('%s ends the waiting with %i', async (signal, exitCode) => {
    const { asked, close, env } = await startApi();
    const waiting = cli.start(['job', 'wait', job.id, '--json'], { env });
    await Promise.race([asked, waiting.ended]);
    const { code, stdout, stderr } = await waiting.end(signal);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'INTERRUPTED', exit_code: exitCode, hint: expect.stringContaining(`laudio job wait ${job.id}`) },
    });
    await close();
  });

  // A terminal of a size of its own, or of none, as containers have it.
  it.runIf(process.platform === 'linux').each([
    ['with a spinner', 'stty cols 80;', `${job.id}: in progress, 10 %`],
    ['of no size', '', 'Interrupted.'],
  ])('Ctrl-C ends it at a terminal %s', async (_, before, seen) => {
    const { asked, close, env } = await startApi();
    const line = `${before} '${process.execPath}' '${entry}' job wait ${job.id}`;
    const terminal = spawn('script', ['-qec', line, '/dev/null'], { env: { ...cli.env, ...env }, cwd: cli.directory });
    const ended = once(terminal, 'close') as Promise<[number | null]>;
    const said = text(terminal.stdout);
    await Promise.race([asked, ended]);
    // What the terminal makes of it is SIGINT, unless a program reads it as a key.
    terminal.stdin.write('\u0003');
    expect((await ended)[0]).toBe(130);
    const shown = await said;
    expect(shown).toContain(seen);
    expect(shown).toContain('Interrupted.');
    await close();
  });
});

describe('webhook listen', () => {
  const listen = (...words: string[]) => cli.startHere(['webhook', 'listen', ...words]);
  const registered = async () => (await cli.call(['api', 'GET', webhook])).code === 0;

  it('prints arriving events with verified signatures, and ends after --count', async () => {
    const listener = listen('--count', '1', '--json');
    await listener.heard('Listening for events of test_tc_local');
    await cli.json(['webhook', 'trigger']);
    const { code, stdout } = await listener.ended;
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ verified: true, repeated: false, event: { type: expect.any(String) } });
    expect(await registered()).toBe(false);
  });

  it('passes events on to a receiver, with the secret to check them, and shows its answers', async () => {
    const replies = [500, 204];
    const receiver = await createReceiver((response) => response.writeHead(replies.shift()!).end());
    const listener = listen('--forward-to', receiver.url, '--count', '2');
    await listener.heard('The secret for verifying them');
    const { id } = await cli.json<{ id: string }>(['webhook', 'trigger']);
    await receiver.arrived(1);
    await cli.json(['webhook', 'resend', id]);
    expect(await cli.json(['webhook', 'deliveries', id])).toMatchObject({ id, event: { type: 'webhook.test' } });
    const { code, stdout, stderr } = await listener.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/your receiver {2}500 in \d+ ms {2}The server tries again\.\n/);
    expect(stdout).toMatch(/\(again\)\n {4}your receiver {2}204 in \d+ ms\n/);
    const secret = /whsec_\S+/.exec(stderr)![0];
    expect(receiver.requests).toHaveLength(2);
    for (const request of receiver.requests)
      expect(verifyWebhook({ ...request, now: Date.now() }, [secret])).toEqual({ ok: true, id });
  });

  it('passes each event on to the receiver of its type', async () => {
    const [reports, others] = [await createReceiver(), await createReceiver()];
    const target = `worklist.document.completed=${reports.url}`;
    const listener = listen('--forward-to', others.url, '--forward-to', target, '--count', '2', '--json');
    await listener.heard('The secret for verifying them');
    await cli.json(['webhook', 'trigger']);
    await cli.json(['webhook', 'trigger', 'worklist.document.completed']);
    expect((await listener.ended).code).toBe(0);
    const typesAt = ({ requests }: Receiver) => requests.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    expect([typesAt(reports), typesAt(others)]).toEqual([['worklist.document.completed'], ['webhook.test']]);
    for (const words of [
      [`worklist.document.complete=${reports.url}`],
      [reports.url, '--forward-to', others.url],
      ['webhook.test=nowhere'],
    ])
      expect(await cli.call(['webhook', 'listen', '--forward-to', ...words])).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    ['trigger', 'job.failed'],
    ['deliveries', 'dlv_1', '--limit', '1'],
  ])('%s refuses %s %s, and sends nothing', async (...words) => {
    expect(await cli.call(['webhook', ...words])).toMatchObject({ code: 2, stdout: '' });
  });

  it('signs with a secret of your own, with which verify checks the output', async () => {
    const secret = `whsec_${Buffer.alloc(24, 'own secret').toString('base64')}`;
    const env = { LAUDIO_WEBHOOK_SECRET: secret };
    const listener = cli.startHere(['webhook', 'listen', '--count', '1', '--json'], { env });
    await listener.heard('Listening');
    const { id } = await cli.json<{ id: string }>(['webhook', 'trigger', 'worklist.document.completed']);
    const { stdout, stderr } = await listener.ended;
    expect(stdout + stderr).not.toContain(secret);
    const verify = (input: string, env: NodeJS.ProcessEnv) =>
      cli.call(['webhook', 'verify', '-', '--json'], { input, env });
    const right = await verify(stdout, env);
    expect({ ...right, stdout: JSON.parse(right.stdout) as unknown }).toMatchObject({
      code: 0,
      stdout: { verified: true, id },
    });
    expect(await verify(stdout.replace('TEST-0001', 'TEST-0002').replace('TEST-0001', 'TEST-0002'), env)).toMatchObject(
      {
        code: 6,
        stderr: expect.stringContaining('was not signed with this secret'),
      },
    );
    const event = JSON.stringify((JSON.parse(stdout) as { event: object }).event);
    expect(await verify(event, env)).toMatchObject({ code: 6, stderr: expect.stringContaining('headers are missing') });
    expect(await cli.call(['webhook', 'listen'], { env: { LAUDIO_WEBHOOK_SECRET: 'whsec_canary' } })).toMatchObject({
      code: 2,
      stderr: expect.not.stringContaining('canary'),
    });
  });

  it('ends with 11 where the receiver turns the webhook off, and says so', async () => {
    const receiver = await createReceiver(410);
    const listener = listen('--forward-to', receiver.url);
    await listener.heard('Forwarding all events to');
    await cli.json(['webhook', 'trigger']);
    expect(await listener.ended).toMatchObject({ code: 11, stderr: expect.stringContaining('answered 410') });
    expect(await registered()).toBe(false);
  });

  it.each(['127.0.0.1:3000', 'ftp://127.0.0.1/', 'http://ana:canary@127.0.0.1/'])(
    'refuses %s as a receiver, before anything is registered',
    async (url) => {
      const { code, stderr } = await cli.call(['webhook', 'listen', '--forward-to', url]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--forward-to takes') });
      expect(stderr).not.toContain('canary');
      expect(await registered()).toBe(false);
    },
  );

  it('refuses to replace a registration', async () => {
    const first = listen();
    await first.heard('Listening');
    expect(await listen().ended).toMatchObject({ code: 11, stderr: expect.stringContaining('already has a webhook') });
    expect(await registered()).toBe(true);
    expect((await first.end('SIGINT')).code).toBe(130);
  });

  it.each(signals)('%s takes the registration back, and ends it with %i', async (signal, exitCode) => {
    const listener = cli.start(['webhook', 'listen']);
    await listener.heard('Listening');
    expect(await registered()).toBe(true);
    expect((await listener.end(signal)).code).toBe(exitCode);
    expect(await registered()).toBe(false);
  });
});
