/** The viewers of images (extension). */
import { endpoint, group } from './endpoint.ts';
import { array, named, nullable, object, string } from './schema.ts';
import type { TypeOf } from './schema.ts';

export const Viewer = named(
  'Viewer',
  object({
    hospital: nullable(
      string({
        description:
          'Name of the institution, as `hospital_name` of its exams has it; case and accents do not count. `null`: every institution without a viewer of its own.',
        examples: ['Hospital São Lucas'],
      }),
    ),
    address: string({
      description:
        'Address of an exam’s images. `{study_uid}` and `{accession}` stand for the numbers of the exam; it is not offered for an exam that lacks one of them.',
      examples: ['https://pacs.example.com/viewer?StudyInstanceUIDs={study_uid}'],
    }),
  }),
  'A viewer of images.',
);
export type Viewer = TypeOf<typeof Viewer>;

export const viewers = group({
  title: 'Viewers',
  description: 'Where the images of exams are shown.',
  endpoints: {
    list: endpoint({
      method: 'GET',
      path: '/api/v1/viewers',
      summary: 'List the viewers',
      description:
        'Those that the operator has set. The images of an exam are in the viewer whose institution its `hospital_name` names, otherwise in the one without an institution.',
      access: 'bearer',
      scope: 'worklists:read',
      answer: 'envelope',
      responses: {
        200: named(
          'Viewers',
          object({
            items: array(Viewer, { description: 'The viewers, in the order in which the operator gave them.' }),
          }),
          'All viewers.',
        ),
      },
      extension: true,
    }),
  },
});
