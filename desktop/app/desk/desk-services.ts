/** The services of a desk, one for each group of calls. */
import type { ServiceDeps } from '../service.ts';
import type { Changes } from '../changes/changes.ts';
import { createDictations } from '../dictations/dictations.ts';
import { createHub } from '../hub/hub.ts';
import type { HubAccess } from '../hub/hub.ts';
import { createMacros } from '../wordbook/macros.ts';
import { createVocabulary } from '../wordbook/vocabulary.ts';
import { createCritical } from '../records/critical.ts';
import { createPin } from '../records/pin.ts';
import { createPriors } from '../records/priors.ts';
import { createRecords } from '../records/records.ts';
import { createStatistics } from '../statistics/statistics.ts';
import { createWorklist } from '../worklist/worklist.ts';
import { applyTypedEdits } from './apply-typed-edits.ts';
import type { Engines } from './engines.ts';
import type { OwnFacts } from '../records/own-facts.ts';
import { createJobs, createLetterheads, createTemplates, createViewers } from './reference.ts';
import { createReportBasis } from './report-basis.ts';
import { createSettings } from './settings.ts';
import { createSpokenText } from '../records/spoken-text.ts';
import { createTyped } from '../records/typed-words.ts';

export interface DeskServicesDeps {
  readonly changes: Changes;
  readonly engines: Engines;
  readonly own: OwnFacts;
  /** Whether the person works with test patients only. */
  readonly isTest: () => boolean;
  /** Whether an empty test list is filled automatically. */
  readonly fillsTestList: boolean;
  readonly hub: HubAccess;
}

export async function createDeskServices(
  service: ServiceDeps,
  { changes, engines, own, isTest, fillsTestList, hub: hubAccess }: DeskServicesDeps,
) {
  const worklist = await createWorklist(service, changes, {
    isTest,
    fills: fillsTestList,
  });
  const typed = await createTyped(service);
  const settings = await createSettings(service);
  const records = await createRecords({
    ...service,
    changes,
    typed,
    examOf: (id) => worklist.known(id),
    grace: () => settings.current().grace_seconds,
    isTest,
    own,
    placed: () => hub.placed,
  });
  const statistics = await createStatistics({ ...service, examOf: (id) => worklist.known(id) });
  const priors = await createPriors({ ...service, examOf: (id) => worklist.known(id) });
  const macros = await createMacros({ ...service, changes });
  const vocabulary = await createVocabulary({ ...service, changes });
  const templates = createTemplates(service);
  const basis = createReportBasis({
    templates: templates.handlers,
    macros,
    vocabulary,
    examOf: (id) => worklist.known(id),
  });
  const hub = await createHub({ ...service, ...hubAccess, examOf: (id) => worklist.known(id), settings });
  const dictations = createDictations({
    ...service,
    live: {
      isWanted: () => settings.current().live_words,
      hasCommands: () => settings.current().voice_commands,
      isHeard: () => engines.isLive(),
      report: basis.of,
    },
    async onMade(dictation, record, words) {
      statistics.made(record, dictation.view().seconds);
      await applyTypedEdits({ typed, records }, dictation, record, words);
    },
    uploadFormat: () => settings.current().upload_format,
    isReported: (itemId) => worklist.isCompleted(itemId) || records.isSigned(itemId),
  });
  await dictations.start();
  const services = [
    dictations,
    { ...records, handlers: statistics.noting(records.handlers) },
    statistics,
    priors,
    createCritical(service, records),
    createPin(service, own.pin),
    worklist,
    macros,
    vocabulary,
    settings,
    templates,
    basis,
    createSpokenText({ ...service, report: basis.of }),
    createLetterheads(service),
    createViewers(service),
    createJobs(service),
    changes,
    typed,
    hub,
  ] as const;
  return {
    dictations,
    // The compiler reports a call here that no service handles.
    handlers: joinHandlers(services),
    async close(): Promise<void> {
      for (const { close } of services) await close();
    },
  };
}

type JoinedHandlers<H> = (H extends unknown ? (handlers: H) => void : never) extends (handlers: infer All) => void
  ? All
  : never;

/** The handlers of all services in one object. */
const joinHandlers = <S extends readonly { readonly handlers: object }[]>(services: S) =>
  Object.assign({}, ...services.map(({ handlers }) => handlers)) as JoinedHandlers<S[number]['handlers']>;
