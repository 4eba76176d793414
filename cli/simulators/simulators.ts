/** The other ends of channels, by the kind of the channel: what `laudio channel simulate` can be. */
import type { Simulator } from './simulator.ts';

export const simulators: Readonly<Record<string, () => Promise<Simulator>>> = {
  'hl7-in': async () => (await import('./hl7-sender.ts')).hl7Sender,
  'hl7-out': async () => (await import('./hl7-receiver.ts')).hl7Receiver,
  'folder-in': async () => (await import('./folder-writer.ts')).folderWriter,
};
