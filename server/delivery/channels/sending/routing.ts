/** Which reports an outbound channel accepts, by hospital, issuer, sender, modality and status. */
import { array, oneOf, string } from '../../../../src/contract/schema.ts';
import { modalityCodes } from '../../../../src/contract/modalities.ts';
import { foldText } from '../../../../src/domain/search-text.ts';
import type { Documents } from '../../../storage/collections.ts';
import type { StoredChannel } from '../channel.ts';

const maxNames = 200;
const names = (what: string, examples: string[]) =>
  array(string({ minLength: 1, maxLength: 256, description: 'One of them.', examples }), {
    minItems: 1,
    maxItems: maxNames,
    description: `Takes only reports of exams ${what}; case, accents and spaces at the ends don't matter. Default: of all.`,
  });

const sentStatuses = ['preliminary', 'final'] as const;
export type SentStatus = (typeof sentStatuses)[number];

/** Routing settings of all outbound channels. A report must match each one that is set. */
export const routingSettings = {
  hospitals: names('of these hospitals (`hospital_name`)', ['Hospital São Lucas']),
  issuers: names('whose accession number one of these gave (`accession_issuer`)', ['RIS-SAO-LUCAS']),
  sources: names(
    'that these systems sent (`source_system`: the name of the channel, or the `X-Source-System` of the request)',
    ['ris-orders'],
  ),
  modalities: array(oneOf(modalityCodes, { description: 'One of them.', examples: ['CT'] }), {
    minItems: 1,
    description: 'Takes only reports of exams of these modalities. Default: of all.',
  }),
  statuses: array(oneOf(sentStatuses, { description: 'A status.' }), {
    minItems: 1,
    maxItems: sentStatuses.length,
    description:
      'Takes only reports of these statuses. `preliminary`: a resident signed it; its withdrawal goes where it went. Default: of both.',
  }),
} as const;

/** The field of the exam that each setting matches. */
const fields = {
  hospitals: 'hospital_name',
  issuers: 'accession_issuer',
  sources: 'source_system',
  modalities: 'modality',
} as const;

type Exam = Pick<Documents['items'], (typeof fields)[keyof typeof fields]>;

/** Whether a channel with these settings accepts the report of that exam. */
export function takesReport(settings: StoredChannel['settings'], status: SentStatus, exam: Exam | undefined): boolean {
  const statuses = settings['statuses'] as readonly SentStatus[] | undefined;
  return statuses?.includes(status) !== false && isAboutExam(settings, exam);
}

/** Whether the exam is one of those that a channel with these settings is about. */
export function isAboutExam(settings: object, exam: Exam | undefined): boolean {
  return Object.entries(fields).every(([name, field]) => {
    const taken = (settings as StoredChannel['settings'])[name] as readonly string[] | undefined;
    const value = exam?.[field];
    if (!taken) return true;
    return typeof value === 'string' && taken.some((each) => foldText(each) === foldText(value));
  });
}
