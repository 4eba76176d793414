/** The service as a property list of launchd. */
import { commandLine, mark, placeVariables } from './service.ts';
import type { Service } from './service.ts';

export const launchdLabel = 'io.github.laudio.server';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const string = (text: string): string =>
  `<string>${text.replaceAll(/[&<>]/g, (sign) => escapes[sign] ?? sign)}</string>`;

const entry = (key: string, value: string): string => `  <key>${key}</key>\n  ${value}`;

export function launchdPlist(service: Service): string {
  const { account, directories, data } = service;
  const variables = directories ? Object.entries(placeVariables({ ...directories, data })) : [];
  const strings = (texts: readonly string[]) =>
    `<array>\n${texts.map((text) => `    ${string(text)}\n`).join('')}  </array>`;
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!-- ${mark} -->`,
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    entry('Label', string(launchdLabel)),
    entry('ProgramArguments', strings(commandLine(service))),
    ...(account === undefined ? [] : [entry('UserName', string(account)), entry('GroupName', string(account))]),
    // 0077 in octal digits.
    entry('Umask', '<integer>63</integer>'),
    ...(directories
      ? [
          entry('WorkingDirectory', string(directories.home)),
          entry('StandardErrorPath', string(`${directories.log}/laudio.log`)),
          entry(
            'EnvironmentVariables',
            `<dict>\n${variables.map(([name, value]) => `    <key>${name}</key>\n    ${string(value)}\n`).join('')}  </dict>`,
          ),
        ]
      : []),
    entry('RunAtLoad', '<true/>'),
    entry('KeepAlive', '<dict>\n    <key>SuccessfulExit</key>\n    <false/>\n  </dict>'),
    entry('ThrottleInterval', '<integer>10</integer>'),
    entry('ExitTimeOut', '<integer>60</integer>'),
    '</dict>',
    '</plist>',
  ].join('\n')}\n`;
}
