/** Signatures of events, checked by hand: the vector of Standard Webhooks, and everything that is not right about it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

const env = { LAUDIO_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const signed = ['--id', id, '--timestamp', '1614265330', '--signature', signature];

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
  await writeFile(join(cli.directory, 'body.json'), '{"test": 2432232314}');
  await writeFile(join(cli.directory, 'changed.json'), '{"test":2432232314}');
  await writeFile(join(cli.directory, 'events.ndjson'), '{"headers":{},"body":"{}"}\n'.repeat(2));
  const headers = `HTTP/1.1 POST\r\nContent-Type: application/json\r\nWebhook-Id: ${id}\r\nWebhook-Timestamp: 1614265330\r\nWebhook-Signature: ${signature}\r\n`;
  await writeFile(join(cli.directory, 'headers.txt'), headers);
});
afterAll(() => cli.close());

const verify = (words: readonly string[], more: NodeJS.ProcessEnv = {}, input?: string) =>
  cli.call(['webhook', 'verify', ...words], { env: { ...env, ...more }, ...(input !== undefined && { input }) });

describe('webhook verify', () => {
  it('takes the headers by hand or from a file, and the body from a file or standard input', async () => {
    for (const words of [
      ['body.json', ...signed, '--any-age'],
      ['body.json', '--headers', 'headers.txt', '--any-age'],
      ['-', '--headers', 'headers.txt', '--any-age'],
    ]) {
      const { code, stdout } = await verify([...words, '--json'], {}, '{"test": 2432232314}');
      expect({ code, data: JSON.parse(stdout) as unknown }).toEqual({
        code: 0,
        data: { verified: true, id, signed_at: '2021-02-25T15:02:10.000Z' },
      });
    }
  });

  it.each([
    [['body.json', ...signed], {}, 6, 'was not signed within the last 5 minutes'],
    [['changed.json', ...signed, '--any-age'], {}, 6, 'was not signed with this secret'],
    [['body.json', ...signed, '--id', 'msg_other', '--any-age'], {}, 6, 'was not signed with this secret'],
    [['body.json', '--id', id, '--any-age'], {}, 6, 'headers are missing'],
    [['body.json', ...signed, '--any-age'], { LAUDIO_WEBHOOK_SECRET: 'canary' }, 2, 'A webhook secret is `whsec_`'],
    [['body.json', ...signed, '--any-age'], { LAUDIO_WEBHOOK_SECRET: '' }, 2, 'LAUDIO_WEBHOOK_SECRET is needed.'],
    [['events.ndjson', '--any-age'], {}, 2, 'events.ndjson has several events.'],
    [['missing.json', ...signed], {}, 2, 'missing.json does not exist.'],
    [['-', ...signed, '--secret-stdin'], {}, 2, 'Standard input can be read only once.'],
  ] as const)('%j refuses invalid signatures', async (words, more, exitCode, said) => {
    const { code, stdout, stderr } = await verify(words, more);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain(said);
    expect(stderr).not.toMatch(/canary|MfKQ9r8G/);
  });
});
