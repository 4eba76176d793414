/** FHIR R4: DiagnosticReports, in a Bundle of any type, alone, or as NDJSON of bulk exports. */
import { distinctMessages } from '../../contract/messages/message.ts';
import type { Message } from '../../contract/messages/message.ts';
import { fileMessage } from '../../contract/messages/files.ts';
import type { PriorInput } from '../../contract/prior.ts';
import { findEntry } from '../../domain/find-entry.ts';
import { isPlainObject } from '../../domain/normalise.ts';
import { decodeText } from '../worklist/character-sets.ts';
import type { Mapping } from '../worklist/draft.ts';
import { gather } from '../worklist/fhir/fhir.ts';
import type { FoundResource } from '../worklist/fhir/fhir.ts';
import { createResources } from '../worklist/fhir/resources.ts';
import type { Resource, Resources } from '../worklist/fhir/resources.ts';
import type { Times } from '../worklist/kinds.ts';
import type { Reader } from '../worklist/reader.ts';
import { problem } from '../worklist/reading.ts';
import type { Reading } from '../worklist/reading.ts';
import { binaryBytes } from '../worklist/text.ts';
import { fromBase64 } from '../worklist/web-standards.ts';
import { draftFacts, finishedReport } from './draft.ts';
import type { Sections } from './draft.ts';
import { textOfBody } from './body-text.ts';
import { textOfHtml } from './html-text.ts';

const patient = 'subject.resolve()';

/** Paths of FHIRPath, as of orders (files/worklist/fhir/elements.ts); `[ACSN]` keeps elements with that type, use or system, `[!ACSN]` the others. */
export const reportMapping: readonly Mapping[] = [
  { to: 'report_id', kind: 'text', from: ['identifier[FILL]', 'identifier[!ACSN]', 'id'] },
  {
    to: 'accession_number',
    kind: 'text',
    from: [
      'identifier[ACSN]',
      'basedOn.identifier[ACSN]',
      'basedOn.resolve().identifier[ACSN]',
      'imagingStudy.resolve().identifier[ACSN]',
    ],
  },
  {
    to: 'study_uid',
    kind: 'uid',
    from: ['imagingStudy.identifier[urn:dicom:uid]', 'imagingStudy.resolve().identifier[urn:dicom:uid]'],
  },
  {
    to: 'patient_id',
    kind: 'text',
    from: [`${patient}.identifier[MR]`, `${patient}.identifier`, 'subject.identifier'],
  },
  { to: 'patient_name', kind: 'text', from: [`${patient}.name[official]`, `${patient}.name`, 'subject.display'] },
  { to: 'patient_birth_date', kind: 'date', from: [`${patient}.birthDate`] },
  { to: 'modality', kind: 'modality', from: ['imagingStudy.resolve().modality.code'] },
  {
    to: 'exam_datetime',
    kind: 'instant',
    from: ['effectiveDateTime', 'effectivePeriod.start', 'imagingStudy.resolve().started', 'issued'],
  },
  { to: 'exam_description', kind: 'text', from: ['code', 'imagingStudy.resolve().description'] },
  { to: 'reported_at', kind: 'instant', from: ['issued', 'meta.lastUpdated'] },
  {
    to: 'author',
    kind: 'text',
    from: [
      'resultsInterpreter.resolve().name',
      'resultsInterpreter.resolve().practitioner.resolve().name',
      'resultsInterpreter.display',
      'performer.resolve().name',
      'performer.display',
    ],
  },
];

/** Keys are values of DiagnosticReport.status; `null`: there is no report yet, or no reliable one. */
const statuses: Readonly<Record<string, PriorInput['status'] | null>> = {
  registered: null,
  partial: 'preliminary',
  preliminary: 'preliminary',
  final: 'final',
  amended: 'corrected',
  corrected: 'corrected',
  appended: 'corrected',
  cancelled: 'withdrawn',
  'entered-in-error': 'withdrawn',
  unknown: null,
};

/** References may point forward, so nothing is yielded before the end of the file. */
export const readReports: Reader = async function* ({ text, limits, times }) {
  const resources = createResources();
  const reports: FoundResource[] = [];
  yield* gather({ text, limits }, ['DiagnosticReport'], resources, reports);
  if (reports.length === 0) {
    yield [problem({}, fileMessage('no_diagnostic_report'), fileMessage('reports_with_patients'))];
  }
  for (const report of reports) yield [readReport(report, resources, times)];
};

function readReport({ resource: report, position }: FoundResource, resources: Resources, times: Times): Reading {
  const status = findEntry(statuses, String(report['status']));
  if (!status) {
    const stated = String(report['status']);
    const what = /^[a-z-]{1,30}$/.test(stated) ? `status: ${stated}` : fileMessage('unknown_fhir_status');
    return problem(position, fileMessage('no_report_yet', { what }), fileMessage('once_preliminary'));
  }
  const draft = draftFacts(reportMapping, (path) => resources.textAt(report, path), times);
  const { sections, warnings } = readWords(report, resources);
  draft.warnings.push(...warnings);
  if (sections.length === 0 && status !== 'withdrawn') {
    return problem(position, fileMessage('report_without_text'), fileMessage('fhir_text'));
  }
  const [only, ...others] = sections;
  const words = only && others.length === 0 && !only.title ? { text: only.text } : { sections };
  return finishedReport(draft, position, status, sections.length === 0 ? undefined : words);
}

const objectsIn = (value: unknown): Resource[] => (Array.isArray(value) ? value : [value]).filter(isPlainObject);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Whether a text contains another, ignoring white space. */
const holds = (whole: string, part: string): boolean =>
  whole.replace(/\s+/g, ' ').includes(part.replace(/\s+/g, ' ').trim());

/** The report as it was presented, else its narrative, else its observations; and its conclusion where that is not in them. */
function readWords(report: Resource, resources: Resources): { sections: Sections; warnings: Message[] } {
  const warnings: Message[] = [];
  const presented = objectsIn(report['presentedForm']).map((form) => formText(form, warnings));
  const narrative = isPlainObject(report['text']) ? textOfHtml(textIn(report['text']['div'])) : '';
  const whole = presented.find((text) => text !== '') ?? narrative;
  const observed: Sections = whole === '' ? readObservations(report, resources) : [];
  const conclusion = textIn(report['conclusion']).trim();
  const isSaid = conclusion === '' || holds(whole, conclusion);
  return {
    sections: [
      ...(whole === '' ? observed : [{ title: null, text: whole }]),
      ...(isSaid ? [] : [{ title: 'Conclusion', text: conclusion }]),
    ],
    // A document next to the text repeats it.
    warnings: whole === '' && observed.length === 0 && isSaid ? [] : whole === '' ? distinctMessages(warnings) : [],
  };
}

/** An Attachment as text; empty where it holds none. */
function formText(form: Resource, warnings: Message[]): string {
  const [type = '', ...parameters] = textIn(form['contentType']).toLowerCase().split(';');
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)$/.test(type.trim());
  const bytes = fromBase64(textIn(form['data']));
  const isText = isHtml || /^(?:text\/(?:plain|rtf)|application\/rtf)$/.test(type.trim());
  if (bytes && isText) {
    const charset = parameters
      .map((each) => /^\s*charset="?([\w.-]+)/.exec(each)?.[1] ?? '')
      .filter((set) => set !== '');
    const text = decodeText(binaryBytes(bytes), charset);
    const body = isHtml ? { text: textOfHtml(text), warnings: [] } : textOfBody(text);
    warnings.push(...body.warnings);
    return body.text.trim();
  }
  warnings.push(fileMessage('document_elsewhere'));
  return '';
}

/** The values of the observations, each under its name. */
function readObservations(report: Resource, resources: Resources): Sections {
  return objectsIn(report['result']).flatMap((reference) => {
    const observation = resources.resolve(reference, report);
    if (!observation) return [];
    const amount = ['valueQuantity.value', 'valueQuantity.unit'].map((path) => resources.textAt(observation, path));
    const text =
      resources.textAt(observation, 'valueString') ??
      resources.textAt(observation, 'valueCodeableConcept') ??
      (amount[0] === undefined ? '' : amount.filter((part) => part !== undefined).join(' '));
    const title = resources.textAt(observation, 'code');
    return text === '' ? [] : [{ title: title ?? null, text }];
  });
}
