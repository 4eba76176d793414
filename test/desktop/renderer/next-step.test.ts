import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { nextStep } from '../../../desktop/renderer/state/next-step.ts';
import type { Situation } from '../../../desktop/renderer/state/next-step.ts';
import type { Face } from '../../../desktop/renderer/state/recorder/recorder-face.ts';

const usual: Situation = {
  holding: 'mine',
  face: 'idle',
  hasSound: false,
  hasReport: false,
  isSigned: false,
  isToCosign: false,
  isWriting: false,
  hasRecogniser: true,
  isReportVisible: true,
  isLiveElsewhere: false,
};
const spoken = { hasSound: true } as const;

describe('the next step of an exam', () => {
  it.each([
    ['nothing yet', {}, 'record'],
    ['nothing yet, and nothing that hears', { hasRecogniser: false }, 'write'],
    ['the microphone is live', { face: 'recording', ...spoken }, 'pause'],
    ['live beside a draft', { face: 'recording', hasReport: true, ...spoken }, 'pause'],
    ['the last sound is being saved', { face: 'pausing', ...spoken }, 'wait'],
    ['spoken', { face: 'paused', ...spoken }, 'make'],
    ['spoken again beside a draft', { face: 'paused', hasReport: true, ...spoken }, 'make'],
    ['spoken, and nothing that hears', { face: 'paused', hasRecogniser: false, ...spoken }, 'write'],
    ['an empty dictation', { face: 'paused' }, 'record'],
    ['interrupted', { face: 'recovered', ...spoken }, 'make'],
    ['on its way', { face: 'sending', ...spoken }, 'wait'],
    ['no report came of it', { face: 'failed', ...spoken }, 'retry'],
    ['discarded', { face: 'discarded' }, 'restore'],
    ['the report beside it', { face: 'done', hasReport: true, ...spoken }, 'report'],
    ['the report behind a tab', { face: 'done', hasReport: true, isReportVisible: false, ...spoken }, 'read'],
    ['a draft of another day', { hasReport: true }, 'report'],
    ['signed', { holding: 'completed', hasReport: true, isSigned: true }, 'report'],
    ['signed, behind a tab', { holding: 'completed', hasReport: true, isSigned: true, isReportVisible: false }, 'read'],
    ['done without a report here', { holding: 'completed' }, 'reopen'],
    ['with somebody else', { holding: 'others' }, 'take_over'],
    ['with the resident who signed it first', { holding: 'others', hasReport: true, isToCosign: true }, 'report'],
    ['taken by somebody else in mid-speech', { holding: 'others', face: 'recording', ...spoken }, 'pause'],
    ['cancelled', { holding: 'cancelled', face: 'paused', ...spoken }, 'reinstate'],
    ['being written', { isWriting: true }, 'report'],
    ['another exam is live', { isLiveElsewhere: true, face: 'paused', ...spoken }, 'wait'],
  ] as const)('%s', (_, now, step) => expect(nextStep({ ...usual, ...now })).toBe(step));

  it('never leads to a report that is in sight, and to one that is behind a tab only where there is one', () => {
    const face = fc.constantFrom<Face>('idle', 'paused', 'failed', 'done', 'discarded', 'queued', 'recording');
    const flag = fc.boolean();
    fc.assert(
      fc.property(
        fc.record({
          holding: fc.constantFrom('free', 'mine', 'others', 'completed', 'cancelled'),
          face,
          hasSound: flag,
          hasReport: flag,
          isSigned: flag,
          isToCosign: flag,
          isWriting: flag,
          hasRecogniser: flag,
          isReportVisible: flag,
          isLiveElsewhere: flag,
        }),
        (now) => {
          const step = nextStep(now);
          if (now.isReportVisible) expect(step).not.toBe('read');
          if (step === 'read') expect(now.hasReport || now.isSigned || now.face === 'done').toBe(true);
          if (step === 'make') expect(now.hasSound && now.hasRecogniser).toBe(true);
        },
      ),
    );
  });
});
