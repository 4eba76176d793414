import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { readSettingsFiles, resolveSettings, settingNames, settings } from '../../src/node/settings.ts';
import type { SettingName, SettingsFile } from '../../src/node/settings.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const none = { flags: {}, env: {}, cwd: '/', files: [] };

/** Two usable values of each setting, as text. */
const samples: Record<SettingName, [string, string]> = {
  profile: ['a', 'b'],
  server: ['https://a.example', 'http://127.0.0.1:4000'],
  output: ['json', 'tsv'],
  color: ['always', 'never'],
  input: ['true', 'false'],
  timeout: ['1', '3600'],
  retries: ['0', '10'],
  language: ['pt-BR', 'es-ES'],
  credential_store: ['file', 'keychain'],
  data_dir: ['/a', '/b'],
  public_url: ['https://laudio.example.com', 'http://127.0.0.1:9000'],
  letterhead: ['Clínica Sul; Rua A, 10', 'Hospital'],
  trust_proxy: ['10.0.0.2', '10.0.0.0/8, fd00::/8'],
  time_zone: ['America/Sao_Paulo', 'Europe/Madrid'],
  keep_completed: ['90d', '4w'],
  keep_audio: ['12h', '30min'],
  keep_audit: ['1000d', '520w'],
  access_token_ttl: ['30s', '24h'],
  recogniser: ['none', 'local:small threads=4'],
  hearing: ['1', '64'],
  waiting_audio: ['0', '20480'],
  writer: ['rules', 'openai url=https://a.example'],
  store: ['lowdb', 'postgres://laudio@db.example/laudio'],
  blobs: ['files', 's3:bucket region=eu'],
};

const sources = ['flag', 'environment', 'project', 'user'] as const;

describe('resolveSettings', () => {
  it('takes the first of flag, environment, project, user, default, and says which', () => {
    const given = fc.record(
      Object.fromEntries(
        sources.map((source) => [source, fc.option(fc.constantFrom(0, 1), { nil: undefined })]),
      ) as Record<(typeof sources)[number], fc.Arbitrary<0 | 1 | undefined>>,
    );
    fc.assert(
      fc.property(fc.constantFrom(...settingNames), given, fc.boolean(), (name, chosen, turned) => {
        const { project, env } = settings[name];
        const value = (source: (typeof sources)[number]) => {
          const index = chosen[source];
          return index === undefined || (source === 'project' && !project) ? undefined : samples[name][index];
        };
        const file = (from: 'project' | 'user'): SettingsFile[] => {
          const content = value(from);
          return content === undefined ? [] : [{ from, path: `/${from}.json`, values: { [name]: content } }];
        };
        const files = [...file('project'), ...file('user')];
        const { values, origins } = resolveSettings({
          flags: { [name]: value('flag') },
          env: { [env]: value('environment') },
          cwd: '/',
          files: turned ? files.toReversed() : files,
        });
        const winner = sources.find((source) => value(source) !== undefined);
        expect(origins[name].from).toBe(winner ?? 'default');
        const text = values[name] === undefined ? undefined : String(values[name]);
        const standard = 'default' in settings[name] ? String(settings[name].default) : undefined;
        expect(text).toBe(winner ? String(settings[name].kind.read(value(winner), '/')) : standard);
      }),
    );
  });

  it('reads numbers and booleans from files as well as from text', () => {
    const files: SettingsFile[] = [{ from: 'user', path: '/u.json', values: { timeout: 5, input: false } }];
    const { values } = resolveSettings({ ...none, files });
    expect([values.timeout, values.input]).toEqual([5, false]);
  });

  it('takes an empty variable for none', () => {
    const { origins } = resolveSettings({ ...none, env: { LAUDIO_SERVER: '', LAUDIO_TIMEOUT: '' } });
    expect([origins.server.from, origins.timeout.from]).toEqual(['default', 'default']);
  });

  it('takes a relative directory from where it was written', () => {
    const files: SettingsFile[] = [
      { from: 'user', path: join('/home', 'u', 'config.json'), values: { data_dir: 'data' } },
    ];
    expect(resolveSettings({ ...none, files }).values.data_dir).toMatch(/home.u.data$/);
    expect(resolveSettings({ ...none, cwd: '/work', flags: { data_dir: 'here' } }).values.data_dir).toMatch(
      /work.here$/,
    );
  });

  const bad: [string, Partial<Parameters<typeof resolveSettings>[0]>, string][] = [
    ['a flag', { flags: { output: 'xml' } }, '--output must be one of auto, table, json, tsv.'],
    ['a variable', { env: { LAUDIO_TIMEOUT: '1e9' } }, 'LAUDIO_TIMEOUT must be a whole number from 1 to 3600.'],
    [
      'a file',
      { files: [{ from: 'user', path: '/u.json', values: { retries: -1 } }] },
      '"retries" in /u.json must be a whole number from 0 to 10.',
    ],
    [
      'a typing mistake',
      { files: [{ from: 'user', path: '/u.json', values: { sever: 1 } }] },
      '/u.json has an unknown setting "sever".',
    ],
    [
      'a secret',
      { files: [{ from: 'project', path: '/p.json', values: { token: 'x' } }] },
      '/p.json has an unknown setting "token".',
    ],
    [
      'a project’s wish for plain tokens',
      { files: [{ from: 'project', path: '/p.json', values: { credential_store: 'file' } }] },
      '/p.json may not set "credential_store": it is for each user to choose.',
    ],
    ['a server with a password', { env: { LAUDIO_SERVER: 'https://u:p@host' } }, 'LAUDIO_SERVER must be an address'],
  ];
  it.each(bad)('refuses %s, naming its place', (_, part, message) => {
    expect(() => resolveSettings({ ...none, ...part })).toThrow(message);
  });
});

describe('readSettingsFiles', () => {
  it('finds the nearest project file above, and the user’s', async () => {
    const root = await temporaryDirectory();
    const [config, inner] = [join(root, 'config'), join(root, 'p', 'q', 'r')];
    await Promise.all([mkdir(config), mkdir(inner, { recursive: true })]);
    expect(await readSettingsFiles(inner, config)).toEqual([]);
    await writeFile(join(config, 'config.json'), '{"timeout": 9}');
    await writeFile(join(root, 'laudio.config.json'), '{"retries": 1}');
    await writeFile(join(root, 'p', 'laudio.config.json'), '{"retries": 2}');
    expect(await readSettingsFiles(inner, config)).toEqual([
      { from: 'project', path: join(root, 'p', 'laudio.config.json'), values: { retries: 2 } },
      { from: 'user', path: join(config, 'config.json'), values: { timeout: 9 } },
    ]);
  });

  it.each(['{', '[]', 'null', '"x"'])('refuses %s', async (content) => {
    const root = await temporaryDirectory();
    await writeFile(join(root, 'laudio.config.json'), content);
    await expect(readSettingsFiles(root, root)).rejects.toMatchObject({ code: 'CONFIGURATION' });
  });
});
