/** All calls of the bridge, by name. */
import type { TypeOf } from '../../src/contract/schema.ts';
import { anywhereCalls } from './anywhere.ts';
import type { BridgeCall } from './call.ts';
import { criticalCalls } from './critical.ts';
import { changeCalls } from './changes.ts';
import { dictationCalls } from './dictation.ts';
import { hubCalls } from './hub.ts';
import { liveCalls } from './live.ts';
import { macroCalls } from './macros.ts';
import { modelCalls } from './models.ts';
import { pinCalls } from './pin.ts';
import { priorCalls } from './priors.ts';
import { recordCalls } from './record.ts';
import { referenceCalls } from './reference.ts';
import { sessionCalls } from './session.ts';
import { settingsCalls } from './settings.ts';
import { speechCalls } from './speech.ts';
import { statisticsCalls } from './statistics.ts';
import { typedCalls } from './typed.ts';
import { updateCalls } from './updates.ts';
import { vocabularyCalls } from './vocabulary.ts';
import { worklistCalls } from './worklist.ts';

export const calls = {
  ...sessionCalls,
  ...settingsCalls,
  ...statisticsCalls,
  ...updateCalls,
  ...modelCalls,
  ...worklistCalls,
  ...dictationCalls,
  ...liveCalls,
  ...speechCalls,
  ...anywhereCalls,
  ...recordCalls,
  ...priorCalls,
  ...criticalCalls,
  ...pinCalls,
  ...typedCalls,
  ...changeCalls,
  ...hubCalls,
  ...referenceCalls,
  ...macroCalls,
  ...vocabularyCalls,
} as const satisfies Record<string, BridgeCall>;

export type CallName = keyof typeof calls;
export type CallInput<N extends CallName> = TypeOf<(typeof calls)[N]['input']>;
export type CallOutput<N extends CallName> = TypeOf<(typeof calls)[N]['output']>;
export type CarriesBytes<N extends CallName> = (typeof calls)[N] extends { readonly bytes: true } ? true : false;

/** Calls that the browser completes even if the page ends: they save the last typed words. */
export const lastingCalls: readonly CallName[] = ['typed.keep', 'typed.forget', 'record.save', 'dictation.pause'];
