/** Each exit code by a real call, and what `--json` prints of the error (`laudio help exit-codes`). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../cli/run.ts';
import { exitCodes } from '../../src/contract/errors.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import type { Ready } from '../support/process.ts';

const dictated = 'Test Patient. Findings: normal.';
const generate = ['api', 'POST', '/api/v1/medical-records/generate', '-f', `text=${dictated}`, '-f', 'mode=async'];
const unknownJob = `job_${'0'.repeat(26)}`;

let cli: Cli;
let ready: Ready;
beforeAll(async () => {
  // A login under another name becomes the usual one; these tests stay with the first.
  cli = await createCli({ LAUDIO_PROFILE: 'default' });
  ({ ready } = await cli.serveHere('--rate-limit', '0'));
  await cli.json(['login']);
});
afterAll(() => cli.close());

/** A job that was made to go a certain way. */
const jobThat = async (simulated: string): Promise<string> =>
  (await cli.json<{ id: string }>([...generate, '-H', `X-Laudio-Simulate: job=${simulated}`])).id;
const failedJob = async (): Promise<string> => {
  const id = await jobThat('fail');
  expect((await cli.call(['job', 'wait', id])).code).toBe(9);
  return id;
};

interface Failure {
  readonly words: () => Promise<readonly string[]> | readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly code: string;
  readonly status: number | null;
}

const wrong = {
  accession_number: 'A-1',
  patient_id: '1',
  patient_name: 'PATIENT^TEST',
  modality: 'ZZ',
  exam_datetime: 'yesterday',
  exam_description: 'CT',
};
const right = { ...wrong, accession_number: 'A-2', modality: 'CT', exam_datetime: '2026-03-02T10:00:00Z' };

const failures: Readonly<Partial<Record<keyof typeof exitCodes, Failure>>> = {
  usage: { words: () => ['worklist', 'list', '--statu', 'new'], code: 'USAGE', status: null },
  notFound: { words: () => ['job', 'show', unknownJob], code: 'NOT_FOUND', status: 404 },
  login: { words: () => ['whoami', '--profile', 'nobody'], code: 'LOGIN_REQUIRED', status: null },
  forbidden: {
    words: async () => {
      await cli.json(['login', '--profile', 'narrow', '--scope', 'jobs:read']);
      return ['worklist', 'list', '--profile', 'narrow'];
    },
    code: 'INSUFFICIENT_SCOPE',
    status: 403,
  },
  invalid: { words: () => ['worklist', 'list', '--from', 'garbage'], code: 'VALIDATION_FAILED', status: 400 },
  rateLimited: {
    words: () => ['api', 'GET', '/api/v1/jobs', '-H', 'X-Laudio-Simulate: status=429', '--retries', '0'],
    code: 'RATE_LIMIT_EXCEEDED',
    status: 429,
  },
  unavailable: {
    words: () => ['job', 'list', '--server', 'http://127.0.0.1:9', '--retries', '0'],
    env: { LAUDIO_TOKEN: 'canary-token' },
    code: 'NETWORK',
    status: null,
  },
  failedOrPartial: {
    words: async () => ['job', 'wait', await jobThat('fail')],
    code: 'JOB_FAILED',
    status: null,
  },
  pending: {
    words: async () => ['job', 'wait', await jobThat('slow:600000'), '--for', '0'],
    code: 'STILL_PENDING',
    status: null,
  },
  conflict: {
    words: async () => ['job', 'cancel', await failedJob()],
    code: 'JOB_NOT_CANCELLABLE',
    status: 409,
  },
};

describe('errors', () => {
  it.each(Object.entries(failures))('%s', async (name, { words, env, code, status }) => {
    const exitCode = exitCodes[name as keyof typeof exitCodes];
    const given = await words();
    const options = env ? { env } : {};
    const plain = await cli.call(given, options);
    expect(plain.code, plain.stderr).toBe(exitCode);
    expect(plain.stderr).toMatch(/^laudio: \S[^\n]+\n/m);
    expect(plain.stderr).not.toMatch(/canary|\n\s+at |\u001b/);
    const json = await cli.call([...given, '--json'], options);
    expect(json.code).toBe(exitCode);
    const { error } = JSON.parse(json.stderr) as { error: Record<string, unknown> };
    expect(error).toMatchObject({
      code,
      http_status: status,
      exit_code: exitCode,
      message: expect.stringMatching(/\S/),
    });
    expect(Object.keys(error)).toEqual(
      expect.arrayContaining(['code', 'message', 'hint', 'http_status', 'request_id', 'retry_after_s', 'exit_code']),
    );
    if (status !== null) expect(error['request_id']).toMatch(/^req_/);
  });

  it('ends the process with its code', async () => {
    expect(await cli.run(['job', 'show', unknownJob])).toMatchObject({ code: 3, stdout: '' });
  });

  it('covers every exit code', () => {
    const shownBelow = ['done', 'defect', 'hungUp', 'interrupted', 'terminated'];
    expect([...Object.keys(failures), ...shownBelow].toSorted()).toEqual(Object.keys(exitCodes).toSorted());
  });

  it('ends with 7 when the quota of a real server is used up', async () => {
    const { server } = await cli.serveHere('--rate-limit', '1', '--data-dir', 'limited');
    const login = await cli.call(['login', '--profile', 'limited', '--data-dir', 'limited', '--retries', '0']);
    const { code, stderr } =
      login.code === 0 ? await cli.call(['job', 'list', '--profile', 'limited', '--retries', '0', '--json']) : login;
    expect(code).toBe(7);
    expect(JSON.parse(stderr)).toMatchObject({ error: { retry_after_s: expect.any(Number) } });
    expect((await server.end('SIGTERM')).code).toBe(0);
    await cli.json(['login', '--server', ready.url]);
  });

  it('says which items of a batch were refused, and takes the rest: 9', async () => {
    await writeFile(join(cli.directory, 'batch.json'), JSON.stringify([wrong, right]));
    const { code, stdout, stderr } = await cli.call(['worklist', 'ingest', 'batch.json', '--json']);
    expect(code).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject({
      processed: 2,
      inserted: 1,
      errors: [{ index: 0, accession_number: 'A-1' }],
    });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'PARTIAL', exit_code: 9 } });
    const plain = await cli.call(['worklist', 'ingest', 'batch.json']);
    expect(plain).toMatchObject({
      code: 9,
      stdout: expect.stringMatching(/^A-2\tdeduped\t.*\nA-1\trefused\t\tline 1, /),
    });
    expect(plain.stderr).toContain('0 inserted, 0 updated, 1 unchanged, 1 refused');
  });

  it('ends with 9 if the result shows a failed job', async () => {
    expect(await cli.call(['job', 'result', await failedJob()])).toMatchObject({ code: 9, stdout: '' });
  });

  const failing = async (error: Error) => {
    const said: string[] = [];
    const broken = new Writable({ write() {} });
    broken.write = () => {
      throw error;
    };
    const stderr = new Writable({ write: (chunk, _, done) => (said.push(String(chunk)), done()) });
    const code = await run(['help', 'exit-codes'], {
      stdin: new PassThrough(),
      stdout: broken,
      stderr,
      env: { LAUDIO_CONFIG_DIR: cli.directory, LAUDIO_STATE_DIR: cli.directory },
    });
    return { code, said: said.join('') };
  };

  it('ends with 1 and without a word of the data when it is our defect', async () => {
    const { code, said } = await failing(new TypeError('canary'));
    expect(code).toBe(1);
    expect(said).toContain('This is a bug in laudio.\n  TypeError at ');
    expect(said).not.toContain('canary');
  });

  it('ends with 2, the file and a remedy if the system refused something', async () => {
    const path = '/home/canary/server.json';
    const { code, said } = await failing(Object.assign(new Error('canary'), { code: 'EMFILE', syscall: 'open', path }));
    expect({ code, said }).toEqual({
      code: 2,
      said: 'laudio: server.json cannot be opened (EMFILE).\n  Too many files are open: raise the limit (ulimit -n), or end the programs that hold them.\n',
    });
  });
});

describe('passing failures', () => {
  it.each([
    ['503', 'status=503', 8],
    ['429', 'status=429', 7],
    ['a cut connection', 'drop', 8],
  ])('%s is tried again, and said', async (_, simulated, exitCode) => {
    const call = ['api', 'GET', '/api/v1/jobs', '-H', `X-Laudio-Simulate: ${simulated}`, '--retries', '1'];
    const { code, stdout, stderr } = await cli.call(call);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toMatch(/Retrying in \d s \(1 of 1\)\.\nlaudio: /);
  });
});
