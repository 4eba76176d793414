import { textOf } from '../../../src/contract/messages/message.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { WorklistMapping } from '../../../src/contract/worklist-mapping.ts';
import { counted } from '../../../src/domain/counted.ts';
import { formats } from '../../../src/files/worklist/formats.ts';
import { proposedMapping, surveyFile } from '../../../src/files/worklist/survey.ts';
import { defineCommand, flag, optional } from '../../command.ts';
import { inputBytes, isStdin } from '../../shell/input-file.ts';
import { readingOptions, parseReadOptions } from '../../sending/options.ts';
import { detailView, messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Shows where and how often each field was found in a worklist file, which are missing, and a mapping to start with: save it, correct it, and pass it to "laudio worklist ingest" or "replay" as --mapping, or to a channel. Nothing is sent, no login or server is needed, and no patient data is shown.',
  arguments: { file: optional('A worklist file of any format') },
  options: { ...readingOptions, schema: flag('Show the JSON schema of mappings instead') },
  examples: [
    ['laudio worklist mapping orders.hl7', 'fields and their places'],
    ['laudio worklist mapping orders.hl7 --json | jq .mapping > ris.json', 'a mapping to start with'],
    ['laudio worklist mapping --schema > mapping.schema.json', 'for validation in an editor'],
  ],
  async run({ io }, input) {
    const { file } = input;
    if (input.schema) return messageView(JSON.stringify(WorklistMapping, null, 2), WorklistMapping);
    if (file === undefined) throw new AppError('USAGE', { message: 'Name a worklist file, or give --schema.' });
    if (isStdin(file))
      throw new AppError('USAGE', { message: 'Standard input can’t be used here: the file is read twice.' });
    const options = await parseReadOptions(io, input);
    const open = (): AsyncIterable<Uint8Array> => inputBytes(io, file);
    const survey = await surveyFile(open, options);
    const proposed = await proposedMapping(survey, open, options);
    const { items, whole, problems, found, missing, modalities, guesses } = survey;
    const fields = [...found].map(([field, places]) => ({
      field,
      places: [...places].map(([place, count]) => ({ place, items: count })),
      missing: missing.get(field) ?? 0,
    }));
    const nowhere = [...missing].filter(([field]) => !found.has(field));
    const data = {
      format: survey.format,
      items,
      whole,
      guesses: guesses.map(({ what, value }) => ({ what, value })),
      fields: [...fields, ...nowhere.map(([field, count]) => ({ field, places: [], missing: count }))],
      modalities: Object.fromEntries(modalities),
      problems: [...Map.groupBy(problems, ({ message }) => textOf(message))].map(([message, all]) => ({
        message,
        hint: all[0]?.hint === undefined ? null : textOf(all[0].hint),
        items: all.length,
      })),
      mapping: proposed,
    };
    const text = JSON.stringify(proposed, null, 2);
    return detailView({
      data,
      fields: [
        ['Format', formats[survey.format].title],
        ['Exams', `${items}, of which ${whole} are complete`, whole === items ? 'good' : 'warn'],
        ...fields.map(
          ({ field, places, missing: lacking }) =>
            [
              field,
              `${places.map(({ place, items: count }) => (count === items ? place : `${place} (${count})`)).join(', ')}${lacking > 0 ? `; missing in ${lacking}` : ''}`,
              lacking > 0 ? 'warn' : 'plain',
            ] as const,
        ),
        ...nowhere.map(([field, count]) => [field, `missing in ${count}`, 'bad'] as const),
        ...[...modalities].map(([word, count]) => ['modality', `${word} is none (${count})`, 'bad'] as const),
        ...guesses.filter(({ what }) => what === 'times').map(({ value }) => ['Zone', value] as const),
      ],
      sections: [
        ...data.problems.map(({ message, hint, items: count }) => ({
          title: counted(count, 'problem'),
          text: hint === null ? message : `${message} ${hint}`,
        })),
        ...(text === '{}' ? [] : [{ title: 'A mapping to start with (--mapping FILE)', text }]),
      ],
    });
  },
});
