import { describe, expect, test } from 'vitest';
import type { App } from '../../../desktop/app/page/app.ts';
import { createPageAnswer } from '../../../desktop/main/page-answer.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { emptyPage } from '../../support/app-host.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const asked: string[] = [];
const app: App = {
  call: async () => undefined,
  on: () => () => undefined,
  async file(address) {
    asked.push(address);
    if (address === 'defect') throw new TypeError('Maria Canary');
    if (address === 'offline') throw new AppError('NETWORK');
    if (address !== 'records/rec 1/export.html') return undefined;
    return {
      size: 5,
      contentType: 'text/html',
      stream: (async function* () {
        yield Buffer.from('<p>x');
        yield Buffer.from('!');
      })(),
    };
  },
};

async function answerer() {
  const logged: object[] = [];
  const answer = await createPageAnswer({ page: await emptyPage(), app, log: (entry) => void logged.push(entry) });
  return { logged, get: (url: string, init?: RequestInit) => answer(new Request(url, init)) };
}

describe('the page’s scheme', () => {
  test('gives the page, with its policy', async () => {
    const { get } = await answerer();
    const response = await get('laudio://app/');
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<title>Laudio</title>');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/'unsafe-inline'|'unsafe-eval'/);
  });

  test('gives its scripts', async () => {
    const { get } = await answerer();
    const response = await get('laudio://app/assets/main-1.js');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  });

  test.each([
    'laudio://app/index.html/../../../etc/passwd',
    'laudio://app/assets/../../etc/passwd',
    'laudio://app/assets/%2e%2e/%2e%2e/etc/passwd',
    'laudio://app/assets/..%2f..%2fetc%2fpasswd',
    'laudio://app//etc/passwd',
    'laudio://app/assets',
    'laudio://app/constructor',
    'laudio://other/',
    'laudio://exam/itm_1',
    'laudio://app:99/',
  ])('gives nothing at %s', async (url) => {
    const { get } = await answerer();
    expect((await get(url)).status).toBe(404);
  });

  test('only reads', async () => {
    const { get } = await answerer();
    const response = await get('laudio://app/', { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  });

  test('gives the app’s files, which can never run as the page', async () => {
    const { get } = await answerer();
    const response = await get('laudio://app/files/records/rec%201/export.html');
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('<p>x!');
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox;/);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="document.html"');
  });

  test('says why there is none, by status alone', async () => {
    const { get, logged } = await answerer();
    const statusOf = async (address: string) => (await get(`laudio://app/files/${address}`)).status;
    expect(await Promise.all(['none', 'offline', 'defect', '%ff'].map(statusOf))).toEqual([404, 502, 500, 404]);
    expect(asked).toContain('none');
    expect(logged).toMatchObject([{ event: 'app_file_failed' }]);
    expect(JSON.stringify(logged)).not.toContain('Canary');
  });

  test('is not served without a built page', async () => {
    const page = await temporaryDirectory();
    await expect(createPageAnswer({ page, app, log: () => undefined })).rejects.toMatchObject({
      code: 'CONFIGURATION',
    });
  });
});
