/** The whole contract: every endpoint of the API, by group. */
import { clients, users } from './admin.ts';
import { audit } from './audit.ts';
import { channels } from './channel.ts';
import { clock } from './clock.ts';
import { criticalResults } from './critical-results.ts';
import { distribution } from './distribution.ts';
import type { Endpoint } from './endpoint.ts';
import { engines } from './engine.ts';
import { faults } from './fault.ts';
import { impressions } from './impression.ts';
import { fhir } from './fhir.ts';
import { inspector } from './inspector.ts';
import { jobs } from './job.ts';
import { letterheads } from './letterhead.ts';
import { viewers } from './viewer.ts';
import { macros } from './macro.ts';
import { maintenance } from './maintenance.ts';
import { oauth } from './oauth.ts';
import { patients } from './patient.ts';
import { priors } from './prior.ts';
import { records } from './record.ts';
import { reviews } from './review.ts';
import { signatures } from './signature.ts';
import { system } from './system.ts';
import { templates } from './template.ts';
import { transcriptions } from './transcription.ts';
import { vocabulary } from './vocabulary.ts';
import { webhooks } from './webhook.ts';
import { worklists } from './worklist.ts';

export const contract = {
  oauth,
  worklists,
  records,
  reviews,
  impressions,
  priors,
  signatures,
  criticalResults,
  distribution,
  fhir,
  jobs,
  engines,
  transcriptions,
  templates,
  letterheads,
  viewers,
  macros,
  vocabulary,
  clients,
  users,
  webhooks,
  channels,
  system,
  maintenance,
  patients,
  inspector,
  faults,
  audit,
  clock,
} as const;
export type Contract = typeof contract;

/** Those of all groups. */
export const endpoints: readonly Endpoint[] = Object.values(contract).flatMap((group) =>
  Object.values<Endpoint>(group.endpoints),
);
