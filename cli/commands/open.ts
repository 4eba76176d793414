import { AppError } from '../../src/contract/errors.ts';
import { formatExamLink, parseExamLink } from '../../src/domain/exam-link.ts';
import { defineCommand, flag, optional, text } from '../command.ts';
import { openPage } from '../shell/open-page.ts';
import { detailView } from '../shell/view.ts';

export const command = defineCommand({
  description:
    'Opens the app in the browser at an exam: for a PACS or a viewer that can start a program. It shows the exam that is open there now if it is the same one, and asks first if a dictation is under way. --print prints the addresses for a PACS that opens addresses by itself.',
  arguments: { id: optional('Id of the exam (wli_…), instead of its numbers') },
  options: {
    accession: text('Accession number', { placeholder: 'NUMBER' }),
    accessionIssuer: text('Who gives that number, where several do', { placeholder: 'ISSUER' }),
    studyUid: text('UID of its study', { placeholder: 'UID' }),
    patientId: text('Id of its patient; an exam of another patient is not opened', { placeholder: 'ID' }),
    issuer: text('Who gives that id, where several do', { placeholder: 'ISSUER' }),
    print: flag('Only print the addresses'),
  },
  examples: [
    ['laudio open --accession SL-2026-004416', 'the exam with this number'],
    [
      'laudio open --accession SL-2026-004416 --patient-id 0045339 --print',
      'its addresses, with a check of the patient',
    ],
  ],
  async run(context, { id, accession, accessionIssuer, studyUid, patientId, issuer, print }) {
    const numbers = {
      accession,
      accession_issuer: accessionIssuer,
      study_uid: studyUid,
      patient_id: patientId,
      issuer,
    };
    const given = Object.entries(numbers).filter((entry): entry is [string, string] => entry[1] !== undefined);
    if ((id === undefined) === (given.length === 0)) {
      throw new AppError('USAGE', {
        message: 'Name one exam: by its id, or by its numbers.',
        hint: 'Give --accession, --study-uid or --patient-id.',
      });
    }
    const link = parseExamLink(new URLSearchParams(given).toString());
    if (id === undefined && !link) {
      throw new AppError('USAGE', {
        message: 'These numbers name no exam.',
        hint: 'Give --accession, --study-uid or --patient-id, each of at most 128 characters.',
      });
    }
    const place = link ? `exam?${formatExamLink(link)}` : `exam/${encodeURIComponent(id ?? '')}`;
    const server = context.settings.server ?? (await context.localServer()).url;
    const page = `${server.replace(/\/$/, '')}/#/${place}`;
    if (!print) return openPage(context, page);
    return detailView({
      data: { page, app: `laudio://${place}` },
      fields: [
        ['In the browser', page],
        ['In the app', `laudio://${place}`],
      ],
    });
  },
});
