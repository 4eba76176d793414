/** The pages of patients: those that were found, what is held of one, and the question before an erasure. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import type { PatientHoldings, PatientQuery, PatientSummary } from '../../../src/contract/patient.ts';
import { html } from '../../http/page/html.ts';
import type { Html } from '../../http/page/html.ts';
import { patientPath, patientsPath } from './channel-problems.ts';
import { atFault, back, fact, frame, problemsNote } from './parts.ts';
import type { View } from './parts.ts';
import type { Problem } from './problems.ts';

/** The fields of the search. */
export const patientFields = [
  'patient_id',
  'patient_name',
  'accession_number',
] as const satisfies readonly (keyof PatientQuery)[];

/** The search as people type it. */
export type PatientForm = Readonly<Partial<Record<(typeof patientFields)[number], string>>>;

export interface FoundPatients {
  readonly items: readonly PatientSummary[];
  /** Whether there are more than a page shows. */
  readonly hasMore: boolean;
}

/** `found`: `undefined` before a search. */
export function patientListPage(
  view: View,
  typed: PatientForm,
  found: FoundPatients | undefined,
  problems: readonly Problem[] = [],
): RawOutput {
  const { patients: words } = view.words;
  return frame(view, {
    title: words.title,
    problems,
    content: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      ${problemsNote(problems)}
      <form class="card" method="post" action="${patientsPath}" role="search">
        ${view.hidden()}
        <div class="two">
          ${patientFields.map(
            (name) =>
              html`<div>
                <label for="${name}">${words.fields[name]}</label>
                <input
                  id="${name}"
                  name="${name}"
                  value="${typed[name] ?? ''}"
                  maxlength="200"
                  autocomplete="off"
                  ${atFault(problems, name)}
                />
              </div>`,
          )}
        </div>
        <div class="actions"><button class="primary">${view.words.messages.search}</button></div>
      </form>
      ${found && renderFound(view, found)}`,
  });
}

function renderFound(view: View, { items, hasMore }: FoundPatients): Html {
  const { patients: words } = view.words;
  const row = (patient: PatientSummary): Html =>
    html`<tr>
      <td>
        <a href="${patientPath(patient.id)}">${patient.patient_name || patient.patient_id}</a>
        ${patient.restricted && html`<span class="chip">${words.restricted}</span>`}
      </td>
      <td>${patient.patient_id}</td>
      <td class="spare">${patient.patient_birth_date ?? ''}</td>
      <td class="spare">${patient.space}</td>
      <td class="number">${patient.exams}</td>
    </tr>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${words.title}">
      ${
        items.length === 0
          ? html`<p class="empty">${words.none}</p>`
          : html`<table>
              <thead>
                <tr>
                  <th scope="col">${words.fields.patient_name}</th>
                  <th scope="col">${words.fields.patient_id}</th>
                  <th scope="col" class="spare">${words.born}</th>
                  <th scope="col" class="spare">${view.words.application.space}</th>
                  <th scope="col" class="number">${words.kinds.items}</th>
                </tr>
              </thead>
              <tbody>
                ${items.map(row)}
              </tbody>
            </table>`
      }
    </div>
    ${hasMore && html`<p class="hint">${words.more}</p>`}`;
}

/** Collections that people know by a word; all others are counted together. */
const shownKinds = ['items', 'records', 'versions', 'priors', 'messages', 'jobs'] as const;

const findName = ({ patient_name: name, patient_id: id }: PatientHoldings, { words }: View): string =>
  name || id || words.patients.unnamed;

export function patientPage(view: View, patient: PatientHoldings): RawOutput {
  const { patients: words, application } = view.words;
  const { id, restricted } = patient;
  const name = findName(patient, view);
  const counts = new Map(Object.entries(patient.documents).map(([kind, count]) => [kind, Number(count)]));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const shown = shownKinds.map((kind) => [kind, counts.get(kind) ?? 0] as const);
  const others = total - shown.reduce((sum, [, count]) => sum + count, 0);
  return frame(view, {
    title: words.title,
    content: html`${back(patientsPath, words.title)}
      <h1>${name}${restricted && html` <span class="chip">${words.restricted}</span>`}</h1>
      <section class="card" aria-labelledby="facts">
        <h2 id="facts">${application.facts}</h2>
        <dl>
          ${patient.patient_id !== null && fact(words.fields.patient_id, patient.patient_id)}
          ${patient.patient_birth_date !== null && fact(words.born, patient.patient_birth_date)}
          ${fact(application.space, html`<code>${patient.space}</code>`)} ${fact(words.id, html`<code>${id}</code>`)}
        </dl>
      </section>
      <section class="card" aria-labelledby="held">
        <h2 id="held">${words.held}</h2>
        <dl>
          ${shown.map(([kind, count]) => fact(words.kinds[kind], String(count)))}
          ${fact(words.kinds.audio, String(patient.audio_files))}${fact(words.kinds.others, String(others))}
        </dl>
        <p class="hint">${words.readers} <code>laudio server audit --patient ${id}</code></p>
        <div class="actions">
          <a class="button primary" href="${patientPath(id, 'export')}" download>${words.export}</a>
          <form class="inline" method="post" action="${patientPath(id, restricted ? 'release' : 'restrict')}">
            ${view.hidden()}<button>${restricted ? words.release : words.restrict}</button>
          </form>
          <a href="${patientPath(id, 'erase')}">${words.erase}</a>
        </div>
        <p class="hint">${words.exportHint} ${restricted ? words.releaseHint : words.restrictHint}</p>
      </section>`,
  });
}

export function erasePatientPage(view: View, patient: PatientHoldings): RawOutput {
  const { patients: words, application } = view.words;
  const path = patientPath(patient.id);
  const title = words.eraseTitle(findName(patient, view));
  return frame(view, {
    title: words.erase,
    content: html`${back(path, application.cancel)}
      <h1>${title}</h1>
      <p class="lead">${words.eraseText}</p>
      <form method="post" action="${patientPath(patient.id, 'erase')}">
        ${view.hidden()}
        <div class="actions">
          <button class="primary">${words.eraseGo}</button><a href="${path}">${application.cancel}</a>
        </div>
      </form>`,
  });
}
