/** The service as a script of OpenRC. */
import { commandLine, mark, placeVariables } from './service.ts';
import type { Service } from './service.ts';

const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** `command_args` is split by a shell once more. */
export function openrcScript(service: Service): string {
  const [program = '', ...args] = commandLine(service);
  const { account, directories, data } = service;
  const variables = directories ? Object.entries(placeVariables({ ...directories, data })) : [];
  return `${[
    '#!/sbin/openrc-run',
    `# ${mark}`,
    'name="Laudio"',
    'description="Medical transcription and worklist service"',
    'supervisor="supervise-daemon"',
    `command=${quote(program)}`,
    `command_args=${quote(args.map(quote).join(' '))}`,
    ...(account === undefined ? [] : [`command_user=${quote(`${account}:${account}`)}`]),
    'umask="0077"',
    'respawn_delay="5"',
    'respawn_max="5"',
    'respawn_period="60"',
    'retry="TERM/60/KILL/5"',
    ...(directories
      ? [
          `directory=${quote(directories.home)}`,
          `output_log=${quote(`${directories.log}/laudio.log`)}`,
          `error_log=${quote(`${directories.log}/laudio.log`)}`,
          ...variables.map(([name, value]) => `export ${name}=${quote(value)}`),
        ]
      : []),
    '',
    'depend() {',
    '  need net',
    '  use dns logger ntp-client',
    '}',
    ...(directories && account !== undefined
      ? [
          '',
          'start_pre() {',
          `  checkpath --directory --mode 0700 --owner ${quote(`${account}:${account}`)} ${[directories.home, data, directories.state].map(quote).join(' ')}`,
          `  checkpath --directory --mode 0750 --owner ${quote(`${account}:${account}`)} ${quote(directories.log)}`,
          '}',
        ]
      : []),
  ].join('\n')}\n`;
}
