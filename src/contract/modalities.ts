/** DICOM modality defined terms (PS3.3 C.7.3.1.1.1), and replacements of retired ones. */

const current =
  'ANN AR ASMT AU BDUS BI BMD CFM CR CT CTPROTOCOL DG DMS DOC DX ECG EEG EMG EOG EPS ES FID GM HC HD IO IOL IVOCT IVUS KER KO LEN LS M3D MG MR NM OAM OCT OP OPM OPT OPTBSV OPTENF OPV OSS OT PA PLAN POS PR PT PX REG RESP RF RG RTDOSE RTIMAGE RTINTENT RTPLAN RTRAD RTRECORD RTSEGANN RTSTRUCT RWV SEG SM SMR SR SRF STAIN TEXTUREMAP TG US VA XA XAPROTOCOL XC'.split(
    ' ',
  );

/** Retired term → the current term, or `null` if none replaced it. */
export const retiredModalities: Readonly<Record<string, string | null>> = {
  AS: null,
  CD: 'US',
  CF: 'RF',
  CP: null,
  CS: null,
  DD: 'US',
  DF: 'RF',
  DM: null,
  DS: 'XA',
  EC: 'US',
  FA: null,
  FS: null,
  LP: null,
  MA: 'MR',
  MS: 'MR',
  OPR: null,
  ST: 'NM',
  VF: 'RF',
};

/** Every term that an item may carry. */
export const modalityCodes: readonly string[] = [...current, ...Object.keys(retiredModalities)].toSorted();

/** The error for another term; the most similar one may follow. */
export const modalityMessage = 'modality must be a DICOM modality, for example CR for computed radiography, CT or MR';
