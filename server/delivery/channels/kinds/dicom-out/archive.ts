/** Stores documents in an archive. A version is always the same object, which an archive keeps once. */
import dicomParser from 'dicom-parser';
import { AppError } from '../../../../../src/contract/errors.ts';
import { sopClasses } from '../../../../../src/protocols/dimse/classes.ts';
import { hex } from '../../../../../src/protocols/dimse/command.ts';
import { rewriteDataSet } from '../../../../../src/protocols/dimse/data-set.ts';
import type { Syntax } from '../../../../../src/protocols/dimse/data-set.ts';
import { associate, echoFor, store, requestContext } from '../../../../../src/protocols/dimse/request.ts';
import { storeVerdictOn } from '../../../../../src/protocols/dimse/statuses.ts';
import { toPeer } from '../dicom/settings.ts';
import type { SendResult, ChannelConfig, Sender } from '../../channel.ts';
import { retryLater, explainFailure, refuse } from '../../failures.ts';
import type { DicomOutSettings } from './settings.ts';

/** A DICOM object without its file header. */
interface DicomObject {
  readonly affectedClass: string;
  readonly affectedInstance: string;
  /** In the explicit syntax. */
  readonly dataSet: Buffer;
}

/** SOP class of the objects of a format. */
const sopClassByFormat = {
  'dicom-pdf': sopClasses.encapsulatedPdf,
  'dicom-sr': sopClasses.basicTextSr,
  'dicom-enhanced-sr': sopClasses.enhancedSr,
  'dicom-measurements': sopClasses.enhancedSr,
} as const;

export async function openArchive({ settings }: ChannelConfig<DicomOutSettings>): Promise<Sender> {
  const peer = await toPeer(settings);
  const formats = settings.objects ?? ['dicom-pdf'];
  return {
    address: `${peer.called} at ${peer.host}:${peer.port}`,
    formats,
    makesStudies: settings.without_study === 'make',
    async test(signal) {
      try {
        const classes = [...new Set(formats.map((format) => sopClassByFormat[format]))];
        await echoFor(peer, classes, signal);
      } catch (error) {
        const { message, hint } = error as AppError;
        throw new AppError('CONFIGURATION', { message, ...(hint !== undefined && { hint }) });
      }
      return `${peer.called} answers.`;
    },
    async send({ contents }, signal) {
      // A report without measurements has no object of them.
      if (contents.length === 0) return { state: 'delivered' };
      try {
        return await storeAll(contents.map(parseObject), peer, signal);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return retryLater(error.code, explainFailure(error));
      }
    },
    close: async () => {},
  };
}

async function storeAll(
  objects: readonly DicomObject[],
  peer: Parameters<typeof associate>[0],
  signal: AbortSignal,
): Promise<SendResult> {
  const classes = new Set(objects.map(({ affectedClass }) => affectedClass));
  const wanted = [...classes].map((affectedClass) => requestContext(affectedClass));
  const association = await associate(peer, wanted, signal);
  try {
    for (const { dataSet, ...names } of objects) {
      const agreed = association.agreed.find(({ abstractSyntax }) => abstractSyntax === names.affectedClass);
      if (!agreed) return notOffered;
      const written = rewriteDataSet(dataSet, agreed.transferSyntax as Syntax);
      const verdict = toSendResult((await store(association, agreed, names, written)).status);
      if (verdict.state !== 'delivered') return verdict;
    }
    return { state: 'delivered' };
  } finally {
    await association.release();
  }
}

const notOffered = refuse(
  'NOT_OFFERED',
  'The archive does not accept this class of object.',
  'Set `objects` of the channel to a class that it accepts.',
);

function toSendResult(status: number | undefined): SendResult {
  if (status === undefined) return retryLater('BAD_ANSWER', 'The archive answered without a status.');
  const verdict = storeVerdictOn(status);
  if (verdict.state === 'stored') return { state: 'delivered' };
  const code = hex(status);
  if (verdict.state === 'again') return retryLater(`DICOM_${code}`, `The archive ${verdict.reason} (status ${code}).`);
  return refuse(`DICOM_${code}`, `The archive ${verdict.reason} (status ${code}).`, 'Its log says why.');
}

/** Parses a file that this server wrote. */
function parseObject(file: Uint8Array): DicomObject {
  const header = dicomParser.readPart10Header(file);
  const end = Math.max(...Object.values(header.elements).map(({ dataOffset, length }) => dataOffset + length));
  const [affectedClass, affectedInstance] = [header.string('x00020002'), header.string('x00020003')];
  if (affectedClass === undefined || affectedInstance === undefined) throw new Error('The file names no object.');
  return {
    affectedClass,
    affectedInstance,
    dataSet: Buffer.from(file.buffer, file.byteOffset + end, file.byteLength - end),
  };
}
