/** Data of a record that only the service has: the origin of its words, and its versions. */
import { itemsOf } from '../../../src/client/pages.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { RecordVersion } from '../../../src/contract/record-version.ts';
import { forLanguage } from '../../../src/reporting/templates/template.ts';
import type { CallOutput } from '../../bridge/calls.ts';
import type { ServiceDeps } from '../service.ts';
import type { RecordCopies } from './record-copies.ts';

export function createRecordReadings({ connect }: Pick<ServiceDeps, 'connect'>, { known }: RecordCopies) {
  const readBackground = async (id: string, version: number): Promise<CallOutput<'record.background'>> => {
    const { template_id, template_version, language } = await known(id);
    const { templates, reviews } = connect().client;
    const query = { language, ...(template_version !== undefined && { version: template_version }) };
    const [found, origins] = await Promise.all([
      orNull(templates.get({ params: { id: template_id }, query })),
      orNull(reviews.provenance({ params: { id }, query: { version } })),
    ]);
    const template = found && forLanguage(found.data, language).sections;
    if (!origins) return { template, provenance: null };
    const { id: _id, version: _version, ...provenance } = origins.data;
    return { template, provenance };
  };
  const readVersions = async (id: string): Promise<RecordVersion[]> => {
    const versions: RecordVersion[] = [];
    for await (const version of itemsOf((paging) =>
      connect().client.records.versions({ params: { id }, query: paging }),
    ))
      versions.push(version);
    return versions;
  };

  return { backgroundOf: readBackground, versionsOf: readVersions };
}

/** The answer of the service, or `null` if it has none. */
const orNull = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  });
