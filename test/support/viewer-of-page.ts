/** The viewer of the physician in test mode: it joins the hub of an app in a browser test, opens studies and measures in them. */
import { randomUUID } from 'node:crypto';
import { builtInTestClient } from '../../server/index.ts';
import { createClient } from '../../src/client/client.ts';
import { systemClock } from '../../src/node/clock.ts';
import { logInTestClient } from '../../src/node/login/test-login.ts';
import type { ContextPart } from '../../src/protocols/fhircast/messages.ts';
import type { RunningApp } from './app.ts';
import { castAt } from './viewer.ts';
import type { Said, Viewer } from './viewer.ts';

const events =
  'Patient-open,ImagingStudy-open,ImagingStudy-close,DiagnosticReport-open,DiagnosticReport-close,SyncError,userLogout';

export async function startViewer(app: RunningApp) {
  const http = { transport: app.service, server: app.url, clock: systemClock, random: Math.random, uuid: randomUUID };
  const { access_token: token } = await logInTestClient(http, builtInTestClient);
  const { data } = await createClient({ ...http, token: async () => token }).oauth.validate();
  const cast = castAt({ server: app, clock: systemClock }, { token, topic: data.hub!.topic });
  const viewer = await cast.join(events, { 'subscriber.name': 'Viewer' });
  return { ...cast, viewer };
}
export type Hub = Awaited<ReturnType<typeof startViewer>>;

export const study = (accession: string): ContextPart[] => [
  {
    key: 'study',
    resource: {
      resourceType: 'ImagingStudy',
      id: accession,
      identifier: [{ type: { coding: [{ code: 'ACSN' }] }, value: accession }],
    },
  },
];
export const openStudy = (hub: Hub, accession: string) => hub.send('ImagingStudy-open', study(accession));
export const names = (accession: string) => (said: Said) =>
  said.event?.['hub.event'] === 'DiagnosticReport-open' && JSON.stringify(said.event.context).includes(accession);
export const reportOf = async (viewer: Viewer, accession: string) => {
  const { event } = await viewer.hears(names(accession));
  return { version: event!['context.versionId']!, id: event!.context[0]!.resource!.id! };
};
export const measured = (reportId: string, id: string, ...values: number[]): ContextPart[] => [
  { key: 'report', reference: { reference: `DiagnosticReport/${reportId}` } },
  {
    key: 'updates',
    resource: {
      resourceType: 'Bundle',
      entry: [
        {
          request: { method: 'PUT' },
          resource: {
            resourceType: 'Observation',
            id,
            status: 'preliminary',
            code: { text: 'Nodule' },
            component: values.map((value) => ({ code: { text: 'Axis' }, valueQuantity: { value, unit: 'mm' } })),
          },
        },
      ],
    },
  },
];
