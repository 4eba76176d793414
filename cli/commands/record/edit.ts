import type { MedicalRecord, Section } from '../../../src/contract/document.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Finding } from '../../../src/contract/finding.ts';
import type { RecordUpdate } from '../../../src/contract/record.ts';
import { shownLine } from '../../../src/domain/characters.ts';
import { counted } from '../../../src/domain/counted.ts';
import { unknownWord } from '../../../src/domain/unknown-word.ts';
import { addendumKey } from '../../../src/domain/record-state.ts';
import { defineCommand, flag, integer, list, required, text } from '../../command.ts';
import type { Context } from '../../context.ts';
import { clinicalText, readJson } from '../../shell/input-file.ts';
import { recordDetail } from '../../resources/record.ts';
import { readSecret } from '../../shell/secret.ts';
import type { View } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'A signed report changes only by an addendum.',
  arguments: { id: required('Id of the record (rec_…)') },
  options: {
    title: text('New title', { placeholder: 'TEXT' }),
    section: list('File with the new text of a section; repeatable', { placeholder: 'KEY=FILE' }),
    input: text('File with the whole update as JSON', { placeholder: 'FILE' }),
    sign: flag('Sign it as final, or as preliminary for a resident; asks if warnings are open'),
    grace: integer('Seconds in which the signature can be undone (up to 600); needs --sign', {
      placeholder: 'SECONDS',
    }),
    pinStdin: flag('Read your signing PIN from the first line of standard input; default: ask for it'),
    acknowledge: list('Acknowledge this warning; repeatable', { placeholder: 'FINDING' }),
    sendBack: text('File with a note for the resident: makes a preliminary report a draft again', {
      placeholder: 'FILE',
    }),
    addendum: text('File with the text of an addendum', { placeholder: 'FILE' }),
    ifVersion: integer('Only if the record still has this version', { placeholder: 'N' }),
  },
  examples: [
    ['laudio record edit rec_… --sign', 'sign it'],
    ['laudio record edit rec_… --sign --grace 60', 'sign it, with a minute to undo that'],
    ['laudio record edit rec_… --sign --acknowledge f_5d1e8a0c', 'sign it, acknowledging a warning'],
    ['laudio record edit rec_… --sign --pin-stdin < pin.txt', 'sign it with your PIN, in a script'],
    ['laudio record edit rec_… --send-back note.txt', 'return a preliminary report to its resident'],
    ['laudio record edit rec_… --section impression=impression.txt', 'replace one section'],
    ['laudio record edit rec_… --addendum -', 'type an addendum, ending with Ctrl-D'],
  ],
  async run(context, options) {
    const { id, title, section, input, sign, grace, pinStdin, acknowledge, sendBack, addendum, ifVersion } = options;
    const { client, io, signal } = context;
    const { records } = await client();
    const body = { ...(input !== undefined && ((await readJson(io, input, 10_000_000)) as RecordUpdate)) };
    if (title !== undefined) body.title = title;
    if (sign) body.status = 'final';
    if (sendBack !== undefined) Object.assign(body, { status: 'draft', note: await clinicalText(io, sendBack) });
    if (body.status === 'final' || body.status === 'preliminary') body.require_resolved ??= true;
    if (grace !== undefined) body.grace_seconds = grace;
    if (pinStdin) body.pin = await readSecret(context, 'PIN', pinStdin);
    if (acknowledge.length > 0) body.acknowledged = [...acknowledge];
    // The service replaces all sections at once, so a change of one section starts from the current record.
    let basis = ifVersion;
    if (section.length > 0 || addendum !== undefined) {
      const { data: record } = await records.get({ params: { id } }, { signal });
      basis ??= record.version;
      body.sections = [
        ...(await withSections(io, record.sections, section)),
        ...(addendum === undefined ? [] : [await addendumTo(record, await clinicalText(io, addendum))]),
      ];
    }
    if (Object.keys(body).length === 0) {
      throw new AppError('USAGE', {
        message: 'Name at least one change.',
        hint: 'Use --title, --section, --input, --sign, --send-back or --addendum.',
      });
    }
    const headers = basis === undefined ? {} : { headers: { 'If-Match': `"${basis}"` } };
    const send = async () =>
      recordDetail((await records.update({ params: { id }, body }, { signal, ...headers })).data);
    const update = async (): Promise<View> => {
      try {
        return await send();
      } catch (error) {
        if (needsPin(error)) body.pin = await askPin(context, error);
        else if (sign && body.status === 'final' && signsAsResident(error)) body.status = 'preliminary';
        else throw error;
        return update();
      }
    };
    try {
      return await update();
    } catch (error) {
      const open = openFindings(error);
      if (!open) throw error;
      const { data: record } = await records.get({ params: { id } }, { signal });
      const fields = open.filter(({ kind }) => kind === 'field_open');
      if (fields.length > 0) {
        throw fieldsToFillIn(context, fields, { id, sections: body.sections ?? record.sections }, error);
      }
      const ids = open.map((each) => each.id);
      if (!(await signsOver(context, open, record))) throw openWarnings(id, ids, error);
      body.acknowledged = [...acknowledge, ...ids];
      return update();
    }
  },
});

/** Whether the person signs with a PIN and gave none. */
const needsPin = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'FORBIDDEN' && error.details?.['reason'] === 'pin_missing';

async function askPin(context: Context, cause: AppError): Promise<string> {
  if (context.io.interactive) return readSecret(context, 'PIN', false);
  const { code, message, details = {} } = cause;
  throw new AppError(code, { message, hint: 'Send it on standard input, with --pin-stdin.', details, cause });
}

/** The service knows the person's role; a resident gets the hint to sign as `preliminary`. */
const signsAsResident = (error: unknown): boolean =>
  error instanceof AppError &&
  error.code === 'FORBIDDEN' &&
  Array.isArray(error.details?.['allowed']) &&
  error.details['allowed'].includes('preliminary');

type Open = Pick<Finding, 'id' | 'kind' | 'section' | 'start' | 'end'>;

/** The warnings that prevented the signature. */
const openFindings = (error: unknown): readonly Open[] | undefined =>
  error instanceof AppError && error.code === 'OPEN_FINDINGS' && Array.isArray(error.details?.['open'])
    ? (error.details['open'] as Open[])
    : undefined;

/** Shows the open warnings at a terminal, and asks whether to sign. */
async function signsOver({ io, ask }: Context, open: readonly Open[], record: MedicalRecord): Promise<boolean> {
  if (!io.interactive) return false;
  for (const { id, kind, section } of open) {
    const message = record.findings_to_review?.find((finding) => finding.id === id)?.message ?? kind;
    io.notice(shownLine(`${section}: ${message}`), 'warn');
  }
  return ask.confirm('Sign anyway?', '--acknowledge FINDING');
}

/** Open fields prevent signing: reports their number, and at a terminal lists them. */
function fieldsToFillIn(
  { io }: Context,
  fields: readonly Open[],
  { id, sections }: Pick<MedicalRecord, 'id' | 'sections'>,
  cause: unknown,
): AppError {
  for (const { section: key, start, end } of io.interactive ? fields : []) {
    const words = sections.find((section) => section.key === key)?.text.slice(start, end) ?? '';
    io.notice(shownLine(`${key}: ${words}`), 'warn');
  }
  return new AppError('OPEN_FINDINGS', {
    ...(cause instanceof AppError && { details: cause.details ?? {}, status: cause.status ?? 409 }),
    message: `The record is not signed: ${counted(fields.length, 'field')} must be filled in.`,
    hint: `Find ${fields.length === 1 ? 'it' : 'them'} with laudio record show ${id}, and fill in with laudio record correct ${id} or --section KEY=FILE.`,
    cause,
  });
}

const openWarnings = (id: string, open: readonly string[], cause: unknown): AppError =>
  new AppError('OPEN_FINDINGS', {
    ...(cause instanceof AppError && { details: cause.details ?? {}, status: cause.status ?? 409 }),
    message: `The record is not signed: ${counted(open.length, 'warning')} ${open.length === 1 ? 'is' : 'are'} open.`,
    hint: `Read ${open.length === 1 ? 'it' : 'them'} with laudio record show ${id}; correct or dismiss, or sign with ${open.map((each) => `--acknowledge ${each}`).join(' ')}.`,
    cause,
  });

async function withSections(
  io: Context['io'],
  sections: NonNullable<RecordUpdate['sections']>,
  changes: readonly string[],
): Promise<NonNullable<RecordUpdate['sections']>> {
  const changed = sections.map((section) => ({ ...section }));
  for (const change of changes) {
    const at = change.indexOf('=');
    const key = change.slice(0, at);
    const found = changed.find((section) => section.key === key);
    if (at < 1 || !found) {
      const keys = sections.map((each) => each.key);
      const more = `This record has ${keys.join(', ')}.`;
      throw unknownWord('--section takes KEY=FILE with the key of a section.', at < 1 ? change : key, keys, more);
    }
    found.text = await clinicalText(io, change.slice(at + 1));
  }
  return changed;
}

/** Titles are in the language of the record, whatever the person's language. */
async function addendumTo({ language }: MedicalRecord, text: string): Promise<Section> {
  const { sectionTitle } = await import('../../../src/reporting/sections/section-titles.ts');
  return { key: addendumKey, title: sectionTitle(language, addendumKey), text };
}
