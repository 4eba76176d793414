/** An archive into which documents are stored. The same version again is the same object, which an archive keeps once. */
import dicomParser from 'dicom-parser';
import { AppError } from '../../../src/contract/errors.ts';
import { hex } from '../../../src/node/dimse/command.ts';
import { explicitLittleEndian } from '../../../src/node/dimse/data-set.ts';
import { associate, echo, store } from '../../../src/node/dimse/request.ts';
import { peerOf } from '../dicom/settings.ts';
import type { Delivered, OpenedChannel, Sender } from '../channel.ts';
import { again, reasonOf, refused } from '../failures.ts';
import type { DicomOutSettings } from './settings.ts';

/** An object, taken out of its file. */
interface Stored {
  readonly affectedClass: string;
  readonly affectedInstance: string;
  readonly dataSet: Uint8Array;
}

export async function openArchive({ settings }: OpenedChannel<DicomOutSettings>): Promise<Sender> {
  const peer = await peerOf(settings);
  return {
    address: `${peer.called} at ${peer.host}:${peer.port}`,
    formats: settings.objects ?? ['dicom-pdf'],
    async test(signal) {
      try {
        await echo(peer, signal);
      } catch (error) {
        const { message, hint } = error as AppError;
        throw new AppError('CONFIGURATION', { message, ...(hint !== undefined && { hint }) });
      }
      return `${peer.called} answers.`;
    },
    async send({ contents }, signal) {
      try {
        return await storeAll(contents.map(objectIn), peer, signal);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return again(error.code, reasonOf(error));
      }
    },
    close: async () => {},
  };
}

async function storeAll(
  objects: readonly Stored[],
  peer: Parameters<typeof associate>[0],
  signal: AbortSignal,
): Promise<Delivered> {
  const wanted = objects.map(({ affectedClass }) => ({
    abstractSyntax: affectedClass,
    transferSyntaxes: [explicitLittleEndian],
  }));
  const association = await associate(peer, wanted, signal);
  try {
    for (const { dataSet, ...names } of objects) {
      const agreed = association.agreed.find(({ abstractSyntax }) => abstractSyntax === names.affectedClass);
      if (!agreed) return notOffered;
      const { status = 0 } = await store(association, agreed, names, dataSet);
      const verdict = verdictOn(status);
      if (verdict.state !== 'delivered') return verdict;
    }
    return { state: 'delivered' };
  } finally {
    await association.release();
  }
}

const notOffered = refused(
  'NOT_OFFERED',
  'The archive does not take such objects.',
  'Set objects of the channel to what it takes.',
);

/** PS3.4 B.2.3, PS3.7 C: warnings are of objects that were stored. */
function verdictOn(status: number): Delivered {
  const code = hex(status);
  const isWarning = status >> 12 === 0xb || status === 0x0001 || status === 0x0107 || status === 0x0116;
  if (status === 0 || isWarning) return { state: 'delivered' };
  const isPassing = status >> 8 === 0xa7 || status === 0x0110 || status === 0x0213;
  if (isPassing) return again(`DICOM_${code}`, 'The archive has no room, or cannot store at the moment.');
  return refused(`DICOM_${code}`, `The archive refused the object with status ${code}.`, 'Its log says why.');
}

/** Of a file that we have made. */
function objectIn(file: Uint8Array): Stored {
  const header = dicomParser.readPart10Header(file);
  const end = Math.max(...Object.values(header.elements).map(({ dataOffset, length }) => dataOffset + length));
  return {
    affectedClass: header.string('x00020002')!,
    affectedInstance: header.string('x00020003')!,
    dataSet: file.subarray(end),
  };
}
