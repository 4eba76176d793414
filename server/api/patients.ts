/** The operator's calls for the data of one patient. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { validationFailed } from '../../src/contract/errors.ts';
import { patientExportType } from '../../src/contract/patient.ts';
import type { patients } from '../../src/contract/patient.ts';
import type { Call } from '../http/call.ts';
import { isOwnId } from '../http/own-ids.ts';
import { startStream } from '../http/start-stream.ts';
import type { Backups } from '../operations/backups/backups.ts';
import { createExclusively } from '../operations/maintenance/care.ts';
import type { Care } from '../operations/maintenance/care.ts';
import { erasePatient } from '../operations/patients/erase.ts';
import { exportPatient } from '../operations/patients/export.ts';
import type { PatientExportDeps } from '../operations/patients/export.ts';
import { findPatients } from '../operations/patients/find.ts';
import { countHoldings } from '../operations/patients/holdings.ts';
import { findSubject } from '../operations/patients/person.ts';
import { removeExam } from '../operations/patients/remove-exam.ts';
import { releasePatient, restrictPatient } from '../operations/patients/restrict.ts';
import { serviceActor } from '../storage/actor.ts';
import type { Actor } from '../storage/actor.ts';

/** `backups`: those by schedule; `undefined`: there are none. */
type PatientDeps = Care & PatientExportDeps & { readonly backups: Backups | undefined };

export function patientRoutes(deps: PatientDeps): Handlers<typeof patients, Call> {
  const { store } = deps;
  const exclusively = createExclusively(deps.members);
  const toActor = ({ request_id: id, address }: Call, action: string): Actor => ({
    ...serviceActor(action),
    by: 'operator',
    request_id: isOwnId(id) ? id : null,
    address,
  });
  return {
    async find({ body }, { signal }) {
      const { space: _, ...asked } = body;
      if (Object.keys(asked).length === 0) {
        const message = 'name the patient’s id, name or accession number';
        throw validationFailed([{ field: '', message, code: 'FIELD_REQUIRED' }]);
      }
      return { status: 200, data: { items: await findPatients(store, body, signal) } };
    },
    get: async ({ params: { id } }, { signal }) => ({
      status: 200,
      data: await countHoldings(store, await findSubject(store, id), signal),
    }),
    async export({ params: { id } }, { signal }) {
      const subject = await findSubject(store, id);
      const body = await startStream(exportPatient(deps, subject, signal));
      return { status: 200, headers: { 'Content-Type': patientExportType }, body };
    },
    restrict: async ({ params: { id } }, call) => ({
      status: 200,
      data: await restrictPatient(deps, await findSubject(store, id), toActor(call, 'patients.restrict')),
    }),
    release: async ({ params: { id } }, call) => ({
      status: 200,
      data: await releasePatient(deps, id, toActor(call, 'patients.release')),
    }),
    erase: async ({ params: { id } }, call) => ({
      status: 200,
      data: await exclusively(async () =>
        erasePatient(deps, await findSubject(store, id), toActor(call, 'patients.erase')),
      ),
    }),
    removeExam: ({ params: { id } }, call) =>
      call.commit(async (tx) => ({ status: 200, data: await removeExam(tx, deps, id) })),
  };
}
