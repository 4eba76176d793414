/** The patient pages of the portal, and the actions of their forms. Each look is a call of the API, which the audit trail has. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { maxPatients } from '../../../src/contract/patient.ts';
import { patientPath, patientsPath } from './channel-problems.ts';
import { erasePatientPage, patientFields, patientListPage, patientPage } from './patient-pages.ts';
import type { PatientForm } from './patient-pages.ts';
import { problemsIn } from './problems.ts';
import { goTo } from './visit.ts';
import type { Page, Visit } from './visit.ts';

const findHoldings = async ({ api, id }: Visit) => (await api.patients.get({ params: { id } })).data;

/** Pages without effects, by path. */
export const patientPages: Readonly<Record<string, Page>> = {
  [patientsPath]: (visit) => patientListPage(visit, {}, undefined),
  [`${patientsPath}/:id`]: async (visit) => patientPage(visit, await findHoldings(visit)),
  [`${patientsPath}/:id/erase`]: async (visit) => erasePatientPage(visit, await findHoldings(visit)),
  [`${patientsPath}/:id/export`]: async ({ api, id }) => {
    const { body } = await api.patients.export({ params: { id } });
    return {
      status: 200,
      headers: {
        'Content-Type': 'application/x-tar',
        'Content-Disposition': `attachment; filename="${id}.tar"`,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      },
      body,
    };
  },
};

/** Actions of forms, by path. The search is one, since addresses hold no patient data. */
export const patientForms: Readonly<Record<string, Page>> = {
  [patientsPath]: search,
  [`${patientsPath}/:id/restrict`]: async (visit) => {
    await visit.api.patients.restrict({ params: { id: visit.id } });
    return goTo(visit, patientPath(visit.id), { notice: visit.words.patients.isRestricted });
  },
  [`${patientsPath}/:id/release`]: async (visit) => {
    const { api, id, words } = visit;
    try {
      await api.patients.release({ params: { id } });
      return goTo(visit, patientPath(id), { notice: words.patients.isReleased });
    } catch (error) {
      // A new exam has the number of a restricted one.
      if (error instanceof AppError && error.code === 'IDENTIFIER_CONFLICT')
        return goTo(visit, patientPath(id), { notice: words.patients.conflict });
      throw error;
    }
  },
  [`${patientsPath}/:id/erase`]: async (visit) => {
    const { patients: words } = visit.words;
    const { id, backups, snapshots } = (await visit.api.patients.erase({ params: { id: visit.id } })).data;
    const notice = [
      words.isErased(id),
      snapshots.length > 0 && words.snapshots(snapshots.join(', ')),
      backups === null ? words.backupsUnknown : backups && backups.length > 0 && words.backups(backups.join(', ')),
      words.otherBackups,
    ];
    return goTo(visit, patientsPath, { notice: notice.filter(Boolean).join(' ') });
  },
};

async function search(visit: Visit): Promise<RawOutput> {
  const typed: PatientForm = Object.fromEntries(
    patientFields.flatMap((name) => {
      const value = visit.form.get(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value] as const];
    }),
  );
  if (Object.keys(typed).length === 0) return patientListPage(visit, typed, undefined);
  try {
    const { items } = (await visit.api.patients.find({ body: typed })).data;
    const found = { items: items.slice(0, maxPatients), hasMore: items.length > maxPatients };
    return patientListPage(visit, typed, found);
  } catch (error) {
    return patientListPage(visit, typed, undefined, problemsIn(error, visit.words));
  }
}
