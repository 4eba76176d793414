/** How the commands about logins and settings of this user are tried. */
import { expect } from 'vitest';
import { has } from './command-case.ts';
import type { Case } from './command-case.ts';

const including = (fields: object) => expect.arrayContaining([has(fields)]) as unknown;

export const settingCases: Readonly<Record<string, Case>> = {
  'contract check': {
    words: () => ['contract', 'check'],
    human: /^$/,
    data: has({ test_mode: true, deviations: [], left: [] }),
  },
  'profile list': { words: () => ['profile', 'list'], human: /^\*\tdefault\thttp/, data: including({ current: true }) },
  'profile use': { words: () => ['profile', 'use', 'default'], data: { name: 'default' } },
  'profile create': {
    words: (_, form) => ['profile', 'create', `second-${form}`],
    human: /^Profile\tsecond-human$/m,
    data: has({ name: 'second-json', test_mode: true }),
    isApart: true,
  },
  'profile delete': {
    words: async ({ cli }, form) => {
      await cli.json(['profile', 'create', `passing-${form}`]);
      return ['profile', 'delete', `passing-${form}`, '--yes'];
    },
    data: has({ profile: 'passing-json', revoked: true }),
    isApart: true,
  },
  'config list': {
    words: () => ['config', 'list', '--show-origin'],
    human: /^retries\t3\tdefault$/m,
    data: including({ name: 'credential_store', value: 'file', origin: has({ name: 'LAUDIO_CREDENTIAL_STORE' }) }),
  },
  'config get': { words: () => ['config', 'get', 'retries'], human: /^3\n$/, data: has({ value: 3 }) },
  'config set': {
    words: () => ['config', 'set', 'timeout', '30'],
    data: has({ name: 'timeout', value: 30 }),
    isApart: true,
  },
  'config path': {
    words: () => ['config', 'path'],
    human: /^laudio\.config\.json\t/,
    data: including({ name: 'laudio.config.json' }),
  },
};
