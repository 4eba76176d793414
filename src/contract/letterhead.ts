/** The letterhead of reports on paper (extension). */
import { endpoint, group } from './endpoint.ts';
import { array, named, object, string } from './schema.ts';
import type { TypeOf } from './schema.ts';

export const Letterhead = named(
  'Letterhead',
  object({
    name: string({
      description: 'Name of the institution, as `hospital_name` of its exams has it; case and accents do not count.',
      examples: ['Hospital São Lucas'],
    }),
    lines: array(string(), {
      description: 'What stands below the name: address, phone.',
      examples: [['Rua A, 10', '+55 51 3333-0000']],
    }),
  }),
  'What stands above the documents of an institution.',
);
export type Letterhead = TypeOf<typeof Letterhead>;

export const letterheads = group({
  title: 'Letterheads',
  description: 'What stands above documents on paper, for programs that print them.',
  endpoints: {
    list: endpoint({
      method: 'GET',
      path: '/api/v1/letterheads',
      summary: 'List the letterheads',
      description:
        'Those that the operator has set. A document has the one whose name its exam tells in `hospital_name`; where the exam tells none, the only one there is. PDF, HTML and text have it already.',
      access: 'bearer',
      scope: 'medical_records:read',
      answer: 'envelope',
      responses: {
        200: named(
          'Letterheads',
          object({
            items: array(Letterhead, { description: 'The letterheads, in the order in which the operator gave them.' }),
          }),
          'All letterheads.',
        ),
      },
      extension: true,
    }),
  },
});
