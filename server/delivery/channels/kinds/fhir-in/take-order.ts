/** Passes a resource about an exam to the intake, in a Bundle with what it refers to. */
import type { Intake } from '../../channel.ts';
import type { Resource } from '../fhir/client.ts';
import { nameOf } from './pages.ts';
import type { References } from './pages.ts';

export async function takeOrder(intake: Intake, resource: Resource, references: References): Promise<void> {
  const all = [resource, ...(await references.of(resource))];
  const bundle = { resourceType: 'Bundle', type: 'collection', entry: all.map((each) => ({ resource: each })) };
  const raw = Buffer.from(JSON.stringify(bundle));
  await intake.take({ raw, key: nameOf(resource), format: 'fhir', isPolled: true });
}
