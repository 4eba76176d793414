import { AuditEntry } from '../../../src/contract/audit.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { choice, defineCommand, flag, integer, optional, text } from '../../command.ts';
import type { Context } from '../../context.ts';
import { render } from '../../shell/render.ts';
import { auditColumns, entryLine } from '../../resources/audit.ts';
import { auditFormatNames, auditFormats } from '../../resources/audit-formats.ts';
import type { AuditFormat, AuditFormatName } from '../../resources/audit-formats.ts';
import { readAuditNames } from '../../resources/audit-names.ts';
import type { AuditNames, NamedEntry } from '../../resources/audit-names.ts';
import { parseInstant } from '../../shell/time.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { detailView } from '../../shell/view.ts';
import type { View } from '../../shell/view.ts';
import { printEvent, printEvents } from '../../watch/print-events.ts';
import { unknownWord } from '../../../src/domain/unknown-word.ts';

export const command = defineCommand({
  description:
    'Newest entries first: ids, and the names of users and applications, without patient data. Repeated reads are entered once an hour; every change, export and login is entered. Refused logins and calls of one caller share an entry with their count. --follow continues with new entries, even after a restart of the server, and skips none. `verify` checks that no entry was changed, removed or inserted, and ends with 9 if one was. Store the head that it prints elsewhere, and pass it to --head later to detect a trail that was completely rewritten.',
  arguments: { verify: optional('verify, to check the trail instead', ['verify']) },
  options: {
    follow: flag('Continue with new entries; Ctrl-C stops', { short: 'f' }),
    patient: text('Only entries about the patient of this exam or report, or of an erasure', { placeholder: 'ID' }),
    record: text('Only entries about this record, exam or other object', { placeholder: 'ID' }),
    user: text('Only entries of that person', { placeholder: 'ID|NAME' }),
    client: text('Only entries of that application', { placeholder: 'ID' }),
    since: text('Only entries since: 2026-03-02T08:00Z, or 24h ago', { placeholder: 'TIME' }),
    until: text('Only entries until', { placeholder: 'TIME' }),
    limit: integer('Maximum number of entries; default 50, with --follow none'),
    all: pagingOptions.all,
    format: choice(
      auditFormatNames,
      'Print another form: csv, syslog (RFC 5424), or atna (AuditEvent of FHIR R4, one a line)',
    ),
    head: text('With verify: a head that was printed earlier', { placeholder: 'NUMBER:HASH' }),
  },
  examples: [
    ['laudio server audit --record rec_01JNBK4V9Q0000000000000000', 'who saw or changed it'],
    ['laudio server audit --patient wli_01JNBK4V9Q0000000000000000', 'who saw anything of its patient'],
    ['laudio server audit --user usr_01JNBK4V9Q0000000000000000 --since 7d --json', 'what a person did this week'],
    ['laudio server audit --follow --format syslog', 'for a log collector'],
    ['laudio server audit --all --since 30d --format csv', 'for a review by hand'],
    ['laudio server audit verify', 'once a night; keep the head that it prints'],
  ],
  async run(context, { verify, head, limit, all, follow, format, ...only }): Promise<View | void> {
    if (verify !== undefined && verify !== 'verify') {
      throw unknownWord('The only word after audit is verify.', verify, ['verify']);
    }
    const isNarrowed =
      follow ||
      format !== undefined ||
      all ||
      limit !== undefined ||
      Object.values(only).some((value) => value !== undefined);
    if (verify !== undefined && isNarrowed) {
      throw new AppError('USAGE', { message: 'verify checks the whole trail: combine it only with --head.' });
    }
    if (verify !== undefined) return verifyTrail(context, head);
    if (head !== undefined) throw new AppError('USAGE', { message: '--head needs verify.' });
    const { patient, record: id, user, client: client_id, since, until } = only;
    checkFormat(context, format);
    const operator = await context.operator();
    const names = await readAuditNames(operator, context.clock);
    const user_id = user === undefined ? undefined : names.findUserId(user);
    const subject = {
      ...(id !== undefined && { id }),
      ...(user_id !== undefined && { user_id }),
      ...(client_id !== undefined && { client_id }),
    };
    if (follow && patient !== undefined) throw new AppError('USAGE', { message: '--follow takes no --patient.' });
    if (follow && (since !== undefined || until !== undefined)) {
      throw new AppError('USAGE', {
        message: '--follow starts now: leave out --since and --until.',
        hint: 'With --limit it shows the newest entries before that.',
      });
    }
    if (follow && all) throw new AppError('USAGE', { message: '--follow takes --limit, not --all.' });
    const shown = { names, format: format && auditFormats[format] };
    if (follow) return followTrail(context, subject, limit ?? 0, shown);
    const query = {
      ...subject,
      ...(patient !== undefined && { patient }),
      ...(since !== undefined && { since: parseInstant(context, '--since', since) }),
      ...(until !== undefined && { until: parseInstant(context, '--until', until) }),
    };
    const fetchPage = async ({ limit: size, cursor }: { limit: number; cursor?: string }) => {
      const before = cursor === undefined ? {} : { before: Number(cursor) };
      const list = { query: { ...query, limit: size, ...before } };
      const { data } = await operator.audit.list(list, { signal: context.signal });
      const { items, next_before: next } = data;
      return { data: { items: items.map(names.withNames), next_cursor: next === null ? null : String(next) } };
    };
    const form = { columns: auditColumns, empty: 'There is no such entry.' };
    const view = await pagedList({ limit, all }, fetchPage, form);
    return shown.format ? printEntries(context, view as EntriesView, shown.format) : view;
  },
});

/** The views of `pagedList`: rows, or pages of rows. */
type EntriesView =
  | { readonly kind: 'list'; readonly rows: readonly NamedEntry[]; readonly note?: string }
  | { readonly kind: 'pages'; readonly pages: AsyncIterable<readonly NamedEntry[]> };

interface EntryForm {
  readonly names: AuditNames;
  readonly format: AuditFormat | undefined;
}

/** USAGE for two forms at once. */
function checkFormat({ io }: Context, format: AuditFormatName | undefined): void {
  if (format !== undefined && (io.output === 'json' || io.jq !== undefined))
    throw new AppError('USAGE', { message: '--format is another form than --json: choose one.' });
}

async function printEntries({ io }: Context, view: EntriesView, { begin, line }: AuditFormat): Promise<void> {
  if (begin !== '') await io.out(begin);
  const pages = view.kind === 'list' ? [view.rows] : view.pages;
  for await (const rows of pages) await io.out(rows.map(line).join(''));
  if (view.kind === 'list' && view.note !== undefined) io.notice(view.note, 'warn');
}

const maxAtOnce = 1000;

async function newest(
  { operator, signal }: Context,
  query: Record<string, string>,
  limit: number,
  from?: number,
): Promise<readonly AuditEntry[]> {
  const { audit } = await operator();
  const items: AuditEntry[] = [];
  let before: number | null | undefined = from;
  while (items.length < limit && before !== null) {
    const size = Math.min(maxAtOnce, limit - items.length);
    const paging = { limit: size, ...(before !== undefined && { before }) };
    const { data } = await audit.list({ query: { ...query, ...paging } }, { signal });
    items.push(...data.items);
    before = data.next_before;
  }
  return items;
}

/**
 * Prints one line per entry, or one JSON document per line, until Ctrl-C: the newest `limit` entries, then new ones as
 * they arrive.
 */
async function followTrail(
  context: Context,
  subject: Record<string, string>,
  limit: number,
  { names, format }: EntryForm,
): Promise<void> {
  const { io, operator } = context;
  io.noticeAtOnce();
  const line = (entry: AuditEntry): string => {
    const named = names.withNames(entry);
    // The line break is added again.
    return format ? format.line(named).trimEnd() : entryLine(named, io.paint);
  };
  const dataOf = names.withNames;
  if (format && format.begin !== '') await io.out(format.begin);
  const last = await newest(context, {}, 1);
  const begin = last[0]?.number ?? 0;
  const items = await newest(context, subject, limit, begin + 1);
  for (const entry of items.toReversed()) await printEvent(io, entry, { line, dataOf });
  await printEvents(context, {
    what: 'the audit trail',
    schema: AuditEntry,
    open: async (ending, lastSeen = String(begin)) =>
      (await operator()).audit.events({ query: subject }, { signal: ending, headers: { 'Last-Event-ID': lastSeen } }),
    line,
    dataOf,
    prepare: names.learn,
    onReset: () => io.notice('A restore replaced the trail; its entry follows.', 'warn'),
    // A restarted server may still be announced with its previous token.
    endOf: (error) => (error?.status === 403 || error?.status === 404 ? error : undefined),
  });
}

async function verifyTrail({ io, operator, signal }: Context, head: string | undefined): Promise<void> {
  const { audit } = await operator();
  const query = head === undefined ? {} : parseHead(head);
  const { data } = await io.progress('Checking', async () => audit.verify({ query }, { signal }));
  await render(
    io,
    detailView({
      data,
      fields: [
        ['Entries', data.entries],
        ['Removed', data.removed ? `up to ${data.removed.number}, by keep_audit` : undefined],
        ['Head', `${data.head.number}:${data.head.hash}`],
        ['Sound', data.sound ? 'yes' : 'no', data.sound ? 'good' : 'bad'],
        ...(data.broken
          ? ([
              ['First broken', data.broken.number, 'bad'],
              ['Problem', data.broken.problem],
            ] as const)
          : []),
      ],
    }),
  );
  if (!data.broken) return;
  throw new AppError('PARTIAL', {
    message: `The audit trail is broken at entry ${data.broken.number}: ${data.broken.problem}`,
    hint: 'The entries before it are intact. Compare with a backup.',
  });
}

function parseHead(text: string): { number: number; hash: string } {
  const [, number, hash] = /^([1-9]\d{0,14}):([A-Za-z0-9_-]{43})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined) {
    throw new AppError('USAGE', { message: '--head takes the head that verify printed: NUMBER:HASH.' });
  }
  return { number: Number(number), hash };
}
