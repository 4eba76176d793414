/** The managers of services, as data: where the file of the service lies, what it says, and which programs act on it. */
import { join } from 'node:path';
import { launchdLabel, launchdPlist } from './launchd.ts';
import { openrcScript } from './openrc.ts';
import { defaultAccount } from './service.ts';
import type { Service } from './service.ts';
import { sysusersLine, systemdUnit } from './systemd.ts';

export interface ServiceFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

export type CommandWords = readonly [program: string, ...words: string[]];

/** Where a service belongs: to the whole computer, or to one user. */
export interface Scope {
  readonly isUser: boolean;
  /** Home directory of the user. */
  readonly home: string;
  /** Number of the user's account; launchd names its domains by it. */
  readonly uid: number;
}

export interface Manager {
  /** Exists while this manager runs the computer. */
  readonly sign: string;
  readonly isForUsers: boolean;
  /** Path of the service's file. */
  path(scope: Scope): string;
  files(service: Service, scope: Scope): readonly ServiceFile[];
  /** Run before the account is needed. */
  readonly prepare: readonly CommandWords[];
  /** Directories that the account cannot make, and that nothing else makes before the start. */
  makeDirectories?(service: Service): readonly CommandWords[];
  /** Ends with 0 if the service is loaded, where a loaded one cannot be started with other options. */
  isLoaded?(scope: Scope): CommandWords;
  start(scope: Scope): readonly CommandWords[];
  stop(scope: Scope): readonly CommandWords[];
  /** Run after the file is removed. */
  forget(scope: Scope): readonly CommandWords[];
  /** Ends with 0 if the service runs. */
  ask(scope: Scope): CommandWords;
  /** A command by which the operator sees why a service doesn't start. */
  log(scope: Scope): string;
}

const systemctl = ({ isUser }: Scope, ...words: string[]): CommandWords => [
  'systemctl',
  ...(isUser ? ['--user'] : []),
  ...words,
];

const systemd: Manager = {
  sign: '/run/systemd/system',
  isForUsers: true,
  path: ({ isUser, home }) =>
    join(isUser ? join(home, '.config/systemd/user') : '/etc/systemd/system', 'laudio.service'),
  files: (service, scope) => [
    ...(service.account === defaultAccount
      ? [{ path: '/etc/sysusers.d/laudio.conf', text: sysusersLine(), mode: 0o644 }]
      : []),
    { path: systemd.path(scope), text: systemdUnit(service), mode: 0o644 },
  ],
  prepare: [['systemd-sysusers', 'laudio.conf']],
  start: (scope) => [
    systemctl(scope, 'daemon-reload'),
    systemctl(scope, 'enable', 'laudio.service'),
    systemctl(scope, 'restart', 'laudio.service'),
  ],
  stop: (scope) => [systemctl(scope, 'disable', '--now', 'laudio.service')],
  forget: (scope) => [systemctl(scope, 'daemon-reload')],
  ask: (scope) => systemctl(scope, 'is-active', '--quiet', 'laudio.service'),
  log: ({ isUser }) => `journalctl ${isUser ? '--user-unit' : '--unit'} laudio`,
};

const openrc: Manager = {
  sign: '/run/openrc',
  isForUsers: false,
  path: () => '/etc/init.d/laudio',
  files: (service, scope) => [{ path: openrc.path(scope), text: openrcScript(service), mode: 0o755 }],
  prepare: [],
  start: () => [
    ['rc-update', 'add', 'laudio', 'default'],
    ['rc-service', 'laudio', 'restart'],
  ],
  stop: () => [
    ['rc-service', '--ifstarted', 'laudio', 'stop'],
    ['rc-update', '--quiet', 'delete', 'laudio', 'default'],
  ],
  forget: () => [],
  ask: () => ['rc-service', '--quiet', 'laudio', 'status'],
  log: () => 'tail /var/log/laudio/laudio.log',
};

const domain = ({ isUser, uid }: Scope): string => (isUser ? `gui/${uid}` : 'system');
const launchdTarget = (scope: Scope): string => `${domain(scope)}/${launchdLabel}`;

const launchd: Manager = {
  sign: '/sbin/launchd',
  isForUsers: true,
  path: ({ isUser, home }) =>
    join(isUser ? join(home, 'Library/LaunchAgents') : '/Library/LaunchDaemons', `${launchdLabel}.plist`),
  files: (service, scope) => [{ path: launchd.path(scope), text: launchdPlist(service), mode: 0o644 }],
  prepare: [],
  makeDirectories: ({ account, directories, data }) =>
    directories && account !== undefined
      ? [directories.home, data, directories.state, directories.log].map((each): CommandWords => [
          'install',
          '-d',
          '-m',
          '0700',
          '-o',
          account,
          '-g',
          account,
          each,
        ])
      : [],
  isLoaded: (scope) => ['launchctl', 'print', launchdTarget(scope)],
  start: (scope) => [['launchctl', 'bootstrap', domain(scope), launchd.path(scope)]],
  stop: (scope) => [['launchctl', 'bootout', launchdTarget(scope)]],
  forget: () => [],
  // A job that ends again and again stays loaded.
  ask: (scope) => ['sh', '-c', 'launchctl print "$0" | grep -q "state = running"', launchdTarget(scope)],
  log: ({ isUser }) => (isUser ? 'log show --predicate \'process == "node"\'' : 'tail /Library/Logs/laudio/laudio.log'),
};

export const managers = { systemd, openrc, launchd } as const satisfies Readonly<Record<string, Manager>>;
export type ManagerName = keyof typeof managers;
export const managerNames = Object.keys(managers) as readonly ManagerName[];
