/** The results of a check as JUnit XML, for continuous integration servers. */
import { escapeHtml } from '../../src/domain/escape-html.ts';

export interface JUnitCase {
  readonly name: string;
  /** In seconds. */
  readonly time: number;
  readonly skipped: boolean;
  /** The failures, with a text each. */
  readonly failures: readonly { readonly message: string; readonly text: string }[];
}

export function junitXml(suite: string, cases: readonly JUnitCase[]): string {
  const count = (is: (each: JUnitCase) => boolean): number => cases.filter(is).length;
  const head = `tests="${cases.length}" failures="${count(({ failures }) => failures.length > 0)}" skipped="${count(({ skipped }) => skipped)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${head}>`,
    `<testsuite name="${escapeHtml(suite)}" ${head}>`,
    ...cases.map(
      ({ name, time, skipped, failures }) =>
        `<testcase classname="${escapeHtml(suite)}" name="${escapeHtml(name)}" time="${time}">${skipped ? '<skipped/>' : ''}${failures
          .map(({ message, text }) => `<failure message="${escapeHtml(message)}">${escapeHtml(text)}</failure>`)
          .join('')}</testcase>`,
    ),
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
