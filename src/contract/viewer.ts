/** The viewers of images (extension). */
import { endpoint, group } from './endpoint.ts';
import { array, meanings, named, nullable, object, oneOf, string, timestamp } from './schema.ts';
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

/** Why there is no token for a hub. */
export const hubFaults = ['unreachable', 'unauthorized', 'forbidden'] as const;
export type HubFault = (typeof hubFaults)[number];

export const WorkplaceHub = named(
  'WorkplaceHub',
  object({
    address: string({
      description: 'Address of the hub: this server’s, or the one that the operator has set.',
      examples: ['https://pacs.example.com/fhircast'],
    }),
    topic: string({ description: 'The topic of the person there.', examples: ['helena'] }),
    access_token: nullable(
      string({ description: 'The token for that hub; `null`: the access token with which you ask is for it.' }),
    ),
    expires_at: nullable(timestamp('When it expires; ask again a little earlier.')),
    fault: nullable(
      oneOf(hubFaults, {
        description: meanings('Why the person can’t follow there now.', {
          unreachable: 'the server of the tokens is not responding',
          unauthorized: 'it refuses the client',
          forbidden: 'its token lacks scopes of FHIRcast',
        }),
      }),
    ),
  }),
  'The FHIRcast hub at which the applications of a person follow each other.',
);
export type WorkplaceHub = TypeOf<typeof WorkplaceHub>;

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
    hub: endpoint({
      method: 'GET',
      path: '/api/v1/viewers/hub',
      summary: 'Find the hub of the person',
      description:
        'The hub at which report and viewer of the person follow each other (FHIRcast). Where the operator has set that of a PACS, the answer has a token for it, which is for the person who asks alone. Test clients stay at the hub of this server.',
      access: 'bearer',
      scope: 'worklists:read',
      answer: 'envelope',
      responses: { 200: WorkplaceHub },
      extension: true,
    }),
  },
});
