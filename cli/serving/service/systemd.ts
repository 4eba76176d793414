/** The service as a unit of systemd. */
import { isInside } from '../inside.ts';
import { defaultAccount, mark, placeVariables } from './service.ts';
import type { Service, ServeWord } from './service.ts';

/** The value of a setting that is one text. */
const plain = (text: string): string => text.replaceAll('%', '%%');

/** A value among others. One that needs no quotes stays as the operator typed it. */
const quote = (text: string): string =>
  /^[\w./:=,@+-]+$/.test(text) ? text : `"${plain(text).replaceAll(/[\\"]/g, String.raw`\$&`)}"`;

/** A word of a command line, where `$` begins a variable. */
const word = (text: string): string => quote(text).replaceAll('$', '$$$$');

const credentialName = ({ option }: ServeWord): string => option.slice(2);

/** systemd reads the file as root, and shows it to this service alone. */
const credential = (name: string): string => `"\${CREDENTIALS_DIRECTORY}/${name}"`;

function execStart({ program, words, account }: Service): string {
  const options = words.flatMap((each) => {
    if (each.value === undefined) return [each.option];
    const isCredential = each.isSecretFile === true && account !== undefined;
    return [each.option, isCredential ? credential(credentialName(each)) : word(each.value)];
  });
  return [...program.map(word), 'serve', ...options].join(' ');
}

/** The restrictions of a service of the whole computer. A folder that a channel reads or writes needs `--writable`. */
const hardening = [
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'ProtectProc=invisible',
  'KeyringMode=private',
  'LockPersonality=yes',
  'RemoveIPC=yes',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallErrorNumber=EPERM',
  '# Ports below 1024, such as 104 of DICOM.',
  'AmbientCapabilities=CAP_NET_BIND_SERVICE',
  'CapabilityBoundingSet=CAP_NET_BIND_SERVICE',
];

export function systemdUnit(service: Service): string {
  const { account, directories, data, words, writable } = service;
  const outside = [data, ...writable].filter(
    (each) => !directories || !(isInside(each, directories.home) || isInside(each, directories.log)),
  );
  const own =
    account === undefined || !directories
      ? ['NoNewPrivileges=yes']
      : [
          `User=${account}`,
          `Group=${account}`,
          'StateDirectory=laudio laudio/data laudio/state',
          'StateDirectoryMode=0700',
          'ConfigurationDirectory=laudio',
          'LogsDirectory=laudio',
          'LogsDirectoryMode=0750',
          `WorkingDirectory=${plain(directories.home)}`,
          ...Object.entries(placeVariables({ ...directories, data })).map(
            ([name, value]) => `Environment=${quote(`${name}=${value}`)}`,
          ),
          '# Further variables, such as TZ and NODE_EXTRA_CA_CERTS, a line each: NAME=VALUE',
          `EnvironmentFile=-${plain(directories.config)}/environment`,
          ...words
            .filter(({ isSecretFile }) => isSecretFile)
            .map((each) => `LoadCredential=${credentialName(each)}:${plain(each.value ?? '')}`),
          ...outside.map((each) => `ReadWritePaths=${quote(`-${each}`)}`),
          ...hardening,
        ];
  return `${[
    `# ${mark}`,
    '# Change it by "systemctl edit laudio", or by installing it again with other options.',
    '[Unit]',
    'Description=Laudio, medical transcription and worklist service',
    'Wants=network-online.target',
    'After=network-online.target time-sync.target',
    ...outside.map((each) => `RequiresMountsFor=${quote(each)}`),
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${execStart(service)}`,
    'UMask=0077',
    'Restart=on-failure',
    'RestartSec=5',
    '# Settings that are wrong, and data that is damaged: another start changes nothing.',
    'RestartPreventExitStatus=2 9',
    'TimeoutStopSec=60',
    'LimitNOFILE=65536',
    ...own,
    '',
    '[Install]',
    `WantedBy=${account === undefined ? 'default' : 'multi-user'}.target`,
  ].join('\n')}\n`;
}

/** The account, for systemd-sysusers. */
export const sysusersLine = (account = defaultAccount, home = '/var/lib/laudio'): string =>
  `# ${mark}\nu ${account} - "Laudio" ${home}\n`;
