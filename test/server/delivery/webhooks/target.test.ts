import { describe, expect, test } from 'vitest';
import { createTargets } from '../../../../server/delivery/webhooks/target.ts';
import type { TargetOptions } from '../../../../server/delivery/webhooks/target.ts';

const names: Record<string, readonly string[]> = {
  localhost: ['::1', '127.0.0.1'],
  'localhost.': ['127.0.0.1'],
  'ris.example.com': ['93.184.216.34', '2606:2800:220:1::1'],
  'inside.example.com': ['10.1.2.3'],
  'rebound.example.com': ['127.0.0.1'],
  'half.example.com': ['93.184.216.34', '169.254.169.254'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
  'zone.example.com': ['fe80::1%eth0'],
  'odd.example.com': ['not an address'],
  'none.example.com': [],
};

const resolve = async (hostname: string): Promise<readonly string[]> => {
  const found = names[hostname];
  if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  return found;
};

async function judge(url: string, options: TargetOptions = {}): Promise<'allowed' | 'refused'> {
  const targets = createTargets({ resolve, ...options });
  try {
    await targets.addresses(targets.parse(url));
    return 'allowed';
  } catch (error) {
    expect(error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { errors: [{ field: 'url', code: 'INVALID_VALUE' }] },
    });
    return 'refused';
  }
}

describe('where webhooks may go', () => {
  test.each([
    'https://ris.example.com/hook',
    'https://ris.example.com:8443/hook?a=b',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1::1]/',
    'HTTPS://RIS.example.com',
    'http://127.0.0.1:4000/',
    'http://127.8.9.10/',
    'http://[::1]:4000/hook',
    'http://localhost:4000/hook',
    'https://localhost/',
  ])('%s: allowed', async (url) => {
    expect(await judge(url)).toBe('allowed');
  });

  test.each([
    // Not https.
    'http://ris.example.com/',
    'http://93.184.216.34/',
    'ftp://ris.example.com/',
    'file:///etc/hosts',
    'javascript:alert(1)',
    'ris.example.com',
    '',
    // Loopback, not named outright.
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://１２７.0.0.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http:127.0.0.1/',
    'http:///127.0.0.1/',
    ' http://127.0.0.1/',
    'http://127.0.0\t.1/',
    'http:\\\\127.0.0.1\\',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://localhost./',
    'http://rebound.example.com/',
    'https://rebound.example.com/',
    'https://mapped.example.com/',
    'https://nat64.example.com/',
    // User names, which also hide hosts.
    'https://user:word@ris.example.com/',
    'https://ris.example.com@127.0.0.1/',
    // Private and special.
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.0.0.8/',
    'https://192.168.1.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[ff02::1]/',
    'https://[fec0::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
    'https://[2001:db8::1]/',
    'https://[64:ff9b::808:808]/',
    'https://[64:ff9b:1::1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://inside.example.com/',
    // What cannot be decided.
    'https://half.example.com/',
    'https://zone.example.com/',
    'https://odd.example.com/',
    'https://none.example.com/',
    'https://unknown.example.com/',
  ])('%s: refused', async (url) => {
    expect(await judge(url)).toBe('refused');
  });

  test('the allow-list permits its own hosts, over https, and no others', async () => {
    const allow = ['10.1.0.0/16', '192.168.1.7', 'fd00:1::/32'];
    expect(await judge('https://inside.example.com/', { allow })).toBe('allowed');
    expect(await judge('https://10.1.9.9/', { allow })).toBe('allowed');
    expect(await judge('https://192.168.1.7/', { allow })).toBe('allowed');
    expect(await judge('https://[fd00:1::9]/', { allow })).toBe('allowed');
    expect(await judge('http://10.1.9.9/', { allow })).toBe('refused');
    expect(await judge('https://10.2.0.1/', { allow })).toBe('refused');
    expect(await judge('https://192.168.1.8/', { allow })).toBe('refused');
    expect(await judge('https://[::ffff:10.1.9.9]/', { allow })).toBe('refused');
    expect(await judge('https://[::ffff:a01:909]/', { allow })).toBe('refused');
  });

  test.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0/8', 'example.com', '10.0.0.0/8/8', '', '::1/129', '10.0.0.0/-1'])(
    'an allow-list with %j is a configuration error',
    (range) => {
      expect(() => createTargets({ allow: [range] })).toThrow(expect.objectContaining({ code: 'CONFIGURATION' }));
    },
  );
});
