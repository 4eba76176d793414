/** Options of every command: the settings that a person varies between calls, and the output format. */
import { settings } from '../../src/node/settings.ts';
import type { SettingName } from '../../src/node/settings.ts';
import { flag, text } from '../command.ts';
import type { Option } from '../command.ts';

/** Help has no full stops. */
const inHelp = (summary: string): string => summary.replace(/\.$/, '');

export const globalOptions = {
  json: flag('Print one JSON document; errors too, on stderr'),
  jq: text('Print the result of this jq filter', { placeholder: 'EXPR' }),
  profile: text(inHelp(settings.profile.summary), { placeholder: 'NAME' }),
  server: text(inHelp(settings.server.summary), { placeholder: 'URL' }),
  dataDir: text(inHelp(settings.data_dir.summary), { placeholder: 'DIR' }),
  timeout: text(inHelp(settings.timeout.summary), { placeholder: 'SECONDS' }),
  retries: text(inHelp(settings.retries.summary), { placeholder: 'COUNT' }),
  verbose: flag('Print requests and answers on stderr'),
  noColor: flag('Print no colours'),
  noInput: flag('Never ask a question'),
} as const satisfies Record<string, Option>;

export interface GlobalInput {
  readonly json?: boolean;
  readonly jq?: string;
  readonly profile?: string;
  readonly server?: string;
  readonly dataDir?: string;
  readonly timeout?: string;
  readonly retries?: string;
  readonly verbose?: boolean;
  readonly noColor?: boolean;
  readonly noInput?: boolean;
}

/** The settings from the global options. */
export function settingFlags(options: GlobalInput): Partial<Record<SettingName, unknown>> {
  const { profile, server, dataDir, timeout, retries } = options;
  return {
    profile,
    server,
    data_dir: dataDir,
    timeout,
    retries,
    ...(options.json && { output: 'json' }),
    ...(options.noColor && { color: 'never' }),
    ...(options.noInput && { input: false }),
  };
}
