import { AppError } from '../../../src/contract/errors.ts';
import type { RecordUpdate } from '../../../src/contract/record.ts';
import { command, flag, integer, list, required, text } from '../../command.ts';
import type { Context } from '../../context.ts';
import { clinicalText, readJson } from '../../input-file.ts';
import { recordDetail } from '../../resources/record.ts';

export const edit = command({
  description: 'A signed document changes only by an addendum.',
  arguments: { id: required('Id of the document (rec_…)') },
  options: {
    title: text('New title', { placeholder: 'TEXT' }),
    section: list('File with the new text of a section, as often as needed', { placeholder: 'KEY=FILE' }),
    input: text('File with the whole update as JSON', { placeholder: 'FILE' }),
    sign: flag('Make it final'),
    addendum: text('File with what is added to a signed document', { placeholder: 'FILE' }),
    ifVersion: integer('Only if the document is still this version', { placeholder: 'N' }),
  },
  examples: [
    ['laudio record edit rec_… --sign', 'sign it'],
    ['laudio record edit rec_… --section impression=impression.txt', 'write one section anew'],
    ['laudio record edit rec_… --addendum -', 'add what is typed, up to Ctrl-D'],
  ],
  async run({ client, io, signal }, { id, title, section, input, sign, addendum, ifVersion }) {
    const { records } = await client();
    const body = { ...(input !== undefined && ((await readJson(io, input, 10_000_000)) as RecordUpdate)) };
    if (title !== undefined) body.title = title;
    if (sign) body.status = 'final';
    // Sections are replaced as a whole, so a change of one starts from the document as it is now.
    let basis = ifVersion;
    if (section.length > 0 || addendum !== undefined) {
      const { data: record } = await records.get({ params: { id } }, { signal });
      basis ??= record.version;
      body.sections = [
        ...(await withSections(io, record.sections, section)),
        ...(addendum === undefined
          ? []
          : [{ key: 'addendum', title: 'Addendum', text: await clinicalText(io, addendum) }]),
      ];
    }
    if (Object.keys(body).length === 0) {
      throw new AppError('USAGE', {
        message: 'Nothing to change was given.',
        hint: 'Use --title, --section, --input, --sign or --addendum.',
      });
    }
    const headers = basis === undefined ? {} : { headers: { 'If-Match': `"${basis}"` } };
    const { data } = await records.update({ params: { id }, body }, { signal, ...headers });
    return recordDetail(data);
  },
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
      throw new AppError('USAGE', {
        message: '--section takes KEY=FILE with the key of a section.',
        hint: `This document has ${sections.map((section) => section.key).join(', ')}.`,
      });
    }
    found.text = await clinicalText(io, change.slice(at + 1));
  }
  return changed;
}
