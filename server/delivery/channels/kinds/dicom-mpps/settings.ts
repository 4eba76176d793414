/** The settings of dicom-mpps. */
import { object } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { modalityPort, modalitySettings } from '../dicom/modality-port.ts';

export const dicomMppsSettings = object({ port: modalityPort }, modalitySettings);
export type DicomMppsSettings = TypeOf<typeof dicomMppsSettings>;
