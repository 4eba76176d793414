/** Generates the text of `laudio help TOPIC` from the program's own tables. */
import { exitCodes } from '../../src/contract/errors.ts';
import type { UserPaths } from '../../src/node/paths.ts';
import { otherVariables, projectFileName, settings, userSettingsPath } from '../../src/node/settings.ts';
import { listGuides } from '../../src/node/guides.ts';

export interface TopicRow {
  readonly name: string;
  readonly meaning: string;
}

/** Locations of this user's files, by the settings. */
export interface Places {
  readonly paths: UserPaths;
  readonly dataDirectory: string;
}

export interface HelpTopic {
  /** Heading of the names. */
  readonly title: string;
  rows(places: Places): readonly TopicRow[];
}

const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'Done',
  defect: 'A bug in laudio',
  usage: 'Usage or configuration',
  notFound: 'Not found',
  login: 'Login needed or expired',
  forbidden: 'Forbidden: the login lacks permission',
  invalid: 'The request was refused as invalid',
  rateLimited: 'Rate limited, and retries are used up',
  unavailable: 'Network or server failure',
  failedOrPartial: 'A job failed, part of a batch was refused, or something is missing or damaged',
  pending: 'Still pending when the wait ended',
  conflict: 'Conflict with the current state',
  hungUp: 'Ended because the terminal was closed (SIGHUP)',
  interrupted: 'Interrupted by Ctrl-C, or declined',
  terminated: 'Ended by SIGTERM',
};

/** Variables that other programs share. */
const commonVariables = {
  NO_COLOR: 'Any value: no colours.',
  CI: 'Any value: no questions and no spinners.',
  HTTP_PROXY: 'Proxy for calls by http; by https as well, where HTTPS_PROXY is not set.',
  HTTPS_PROXY: 'Proxy for calls by https.',
  NODE_EXTRA_CA_CERTS:
    'File of certificates (PEM) of authorities that are trusted as well, such as the hospital’s own.',
  NO_PROXY:
    'Hosts that are called without a proxy, separated by commas; `*`: all. This computer is one of them, unless <-loopback> is in the list.',
} as const;

export const helpTopics = {
  'exit-codes': {
    title: 'Exit code',
    rows: () =>
      Object.entries(exitMeanings).map(([name, meaning]) => ({
        name: String(exitCodes[name as keyof typeof exitCodes]),
        meaning,
      })),
  },
  environment: {
    title: 'Variable',
    rows: () => [
      ...Object.values(settings).map(({ env, summary }) => ({ name: env, meaning: summary })),
      ...Object.entries({ ...otherVariables, ...commonVariables }).map(([name, meaning]) => ({ name, meaning })),
    ],
  },
  guides: {
    title: 'Guide',
    rows: () => listGuides().map(({ name, title }) => ({ name, meaning: title })),
  },
  files: {
    title: 'File or directory',
    rows: ({ paths, dataDirectory }) => [
      { name: projectFileName, meaning: 'Settings of a project, in this directory or one above; no secrets' },
      { name: userSettingsPath(paths.config), meaning: 'Settings of this user' },
      { name: paths.config, meaning: 'Settings and profiles' },
      { name: paths.state, meaning: 'Tokens, locks and the list of running servers' },
      { name: dataDirectory, meaning: 'Data of the embedded server' },
      { name: paths.cache, meaning: 'Cache: compiled code' },
    ],
  },
} as const satisfies Record<string, HelpTopic>;

export const isHelpTopic = (word: string | undefined): word is keyof typeof helpTopics =>
  word !== undefined && Object.hasOwn(helpTopics, word);
