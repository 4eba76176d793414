/** The calls about critical results (extension). `GET /api/v1/medical-records?critical=open` lists the records that have open ones. */
import { CriticalDecision, CriticalMark } from './critical.ts';
import { MedicalRecord } from './document.ts';
import { endpoint, group } from './endpoint.ts';
import { FindingId } from './finding.ts';
import { object } from './schema.ts';
import { RecordId } from './shared.ts';

export const criticalResults = group({
  title: 'Critical results',
  description:
    'Findings of which somebody has to be told at once. Each is kept with its medical record, also after the signature, and is open until it is told, or dismissed with a reason.',
  endpoints: {
    mark: endpoint({
      method: 'POST',
      path: '/api/v1/medical-records/{id}/critical-results',
      summary: 'Mark words as a critical result',
      description:
        'Marks words of the document that the service did not find by itself. Marking the same words again changes nothing, but opens a dismissed result. The document and its version stay. 422 where the words do not stand in the section.',
      access: 'bearer',
      scope: 'medical_records:write',
      params: object({ id: RecordId }),
      body: CriticalMark,
      answer: 'envelope',
      responses: { 200: MedicalRecord },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND', 'FORBIDDEN'],
      extension: true,
      examples: { body: { mark: { section: 'impression', words: 'Tension pneumothorax' } } },
    }),
    decide: endpoint({
      method: 'PUT',
      path: '/api/v1/medical-records/{id}/critical-results/{result}',
      summary: 'Say what became of a critical result',
      description:
        'Says who was told, when and how (`told`), why nobody has to be told (`dismissed`), or takes either back (`open`); with your name and the time. Possible before and after the signature. A communication stands in `text` and in every export, so that it makes a new version, as taking it back does; the sections stay as they are.',
      access: 'bearer',
      scope: 'medical_records:write',
      params: object({ id: RecordId, result: FindingId }),
      body: CriticalDecision,
      answer: 'envelope',
      responses: { 200: MedicalRecord },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND', 'FORBIDDEN', 'VERSION_CONFLICT'],
      extension: true,
      versioned: true,
      examples: {
        body: {
          told: {
            status: 'told',
            communication: { to: 'Dr. Paulo Nunes', role: 'emergency physician', way: 'phone', read_back: true },
          },
          dismissed: { status: 'dismissed', reason: 'Known since March, unchanged.' },
        },
      },
    }),
  },
});
