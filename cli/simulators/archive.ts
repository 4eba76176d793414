/** An archive that receives documents by C-STORE (PS3.4 annex B). It stores nothing. */
import { sopClasses } from '../../src/protocols/dimse/classes.ts';
import { chooseFault } from './called-peer.ts';
import { answerDicom, parseDataSet, statuses } from './dicom-peer.ts';
import type { PeerAnswer } from './dicom-peer.ts';
import type { Simulator } from './simulator.ts';
import { tlsOptions } from './tls.ts';

const stored: Readonly<Record<string, string>> = {
  [sopClasses.encapsulatedPdf]: 'Encapsulated PDF',
  [sopClasses.basicTextSr]: 'Basic Text SR',
  [sopClasses.enhancedSr]: 'Enhanced SR',
};

export const archive: Simulator = {
  options: ['listen', 'count', ...tlsOptions],
  faults: {
    refuse: 'A900: it is not to be sent again unchanged',
    busy: 'A700, out of resources: it is to be sent again later',
    silent: 'no answer',
    once: 'the other faults strike the first object alone',
  },
  run(context, { count, faults, ...words }) {
    let taken = 0;
    return answerDicom(
      context,
      { ...words, services: Object.keys(stored) },
      (message, agreed): PeerAnswer => {
        const object = parseDataSet(message, agreed);
        const event = {
          what: `C-STORE ${stored[agreed.abstractSyntax]}`,
          more: [object?.string('x00080050')?.trim(), `${message.data?.length ?? 0} bytes`].filter(Boolean).join(' '),
        };
        const fault = chooseFault(faults, taken++);
        if (fault === 'silent') return { answer: {}, event, fault };
        if (!object || fault === 'refuse') return { answer: { status: statuses.refused }, event };
        return { answer: { status: fault === 'busy' ? statuses.outOfResources : statuses.done }, event };
      },
      (events) => count !== undefined && events.length >= count,
    );
  },
};
