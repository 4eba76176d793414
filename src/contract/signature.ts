/** Signatures of records that can still be taken back (extension). */
import { MedicalRecord } from './document.ts';
import { endpoint, group } from './endpoint.ts';
import { object } from './schema.ts';
import { RecordId } from './shared.ts';

export const signatures = group({
  title: 'Signatures',
  description: 'A signature can be taken back until the record is final.',
  endpoints: {
    takeBack: endpoint({
      method: 'DELETE',
      path: '/api/v1/medical-records/{id}/signing',
      summary: 'Take a signature back',
      description:
        'Ends the signing of a record before it is final: the record is what it was, and anybody may change it again. Only the user who signed can do that; 409 once the record is final. A record that nobody is signing stays as it is.',
      access: 'bearer',
      scope: 'medical_records:write',
      params: object({ id: RecordId }),
      answer: 'envelope',
      responses: { 200: MedicalRecord },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND', 'FORBIDDEN', 'INVALID_TRANSITION'],
      extension: true,
    }),
  },
});
