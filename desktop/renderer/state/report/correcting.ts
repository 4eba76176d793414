/** Corrects the open report by a typed or spoken instruction, until the person accepts or undoes the result. */
import type { Bridge } from '../../../bridge/bridge.ts';
import { showVersion } from './document-state.ts';
import type { ReportStore } from './report-store.ts';
import type { ReportSaving } from './saving.ts';
import { nextStroke } from './typed.ts';

export interface ReportCorrecting {
  correct(instruction: string | ArrayBuffer): Promise<void>;
  acceptCorrection(): void;
  undoCorrection(): Promise<void>;
}

export function createCorrecting(bridge: Bridge, store: ReportStore, saving: ReportSaving): ReportCorrecting {
  const forgetCorrection = (): void => store.apply({ ...store.peek(), corrected: null });
  return {
    async correct(instruction) {
      await saving.save();
      await saving.inTurn(async () => {
        const before = store.present();
        const about = { id: before.id, version: before.version };
        const { record, changes, message, ...answer } =
          typeof instruction === 'string'
            ? await bridge.call('record.correct', { ...about, instruction, stroke: nextStroke() })
            : await bridge.call('record.correct_spoken', about, instruction);
        const corrected = { instruction: answer.instruction, changes, message: message ?? null, before };
        store.apply({ ...showVersion(store.peek(), record), corrected, saving: 'saved' });
      });
    },
    acceptCorrection: forgetCorrection,
    async undoCorrection() {
      const { corrected } = store.peek();
      if (!corrected) return;
      forgetCorrection();
      await saving.replace(corrected.before);
    },
  };
}
