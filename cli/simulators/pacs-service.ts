/** A PACS that is asked by DICOMweb (QIDO-RS, WADO-RS, PS3.18 10). Ends when --count reports were fetched. */
import { sopClasses } from '../../src/protocols/dimse/classes.ts';
import { explicitLittleEndian, asFile, writeDataSet } from '../../src/protocols/dimse/data-set.ts';
import type { Attribute } from '../../src/protocols/dimse/data-set.ts';
import { answerHttp } from './http-peer.ts';
import type { PeerRequest, PeerResponse } from './http-peer.ts';
import { findSimulated, findStudy, reportAttributes, reportNames, studyAttributes } from './simulated-studies.ts';
import type { Simulator } from './simulator.ts';
import { tlsOptions } from './tls.ts';

export const pacsService: Simulator = {
  options: ['listen', 'count', ...tlsOptions],
  faults: {
    busy: 'the first query is answered with 503',
    silent: 'the first query gets no answer',
    missing: 'the reports that are listed can’t be fetched',
  },
  run(context, { count, faults, ...words }) {
    let queries = 0;
    let fetched = 0;
    const answer = ({ url }: PeerRequest): PeerResponse => {
      const now = context.clock.now();
      const [, study = '', , series, , instance] = url.pathname.replace(/^\/dicom-web\//, '').split('/');
      if (instance !== undefined) {
        const found = faults.has('missing') ? undefined : findStudy(instance, now);
        const event = { what: 'WADO-RS', more: found ? found.accession : 'nothing' };
        if (!found) return { status: 404, event };
        fetched += 1;
        const file = asFile(writeDataSet(reportAttributes(found), explicitLittleEndian), explicitLittleEndian);
        return { status: 200, headers: { 'content-type': 'application/dicom' }, body: file, event };
      }
      const level = study === '' ? 'studies' : series === undefined ? 'series' : 'instances';
      const toEvent = (more: string) => ({ what: `QIDO-RS ${level}`, more });
      queries += 1;
      if (queries === 1 && faults.has('silent')) return { status: 0, fault: 'silent', event: toEvent('on purpose') };
      if (queries === 1 && faults.has('busy'))
        return { status: 503, headers: { 'retry-after': '1' }, event: toEvent('on purpose') };
      const found = Number(url.searchParams.get('offset')) > 0 ? [] : findMatches(url.searchParams, study, series, now);
      const headers = { 'content-type': 'application/dicom+json' };
      return { status: 200, headers, body: found.map(toJson), event: toEvent(`${found.length} found`) };
    };
    return answerHttp(context, { ...words, path: '/dicom-web' }, answer, () => count !== undefined && fetched >= count);
  },
};

function findMatches(query: URLSearchParams, uid: string, series: string | undefined, now: number): Attribute[][] {
  if (uid === '') {
    const keys = { accession: query.get('AccessionNumber') ?? '', patient: query.get('PatientID') ?? '' };
    return findSimulated(keys, now).map(studyAttributes);
  }
  const study = findStudy(uid, now);
  if (!study) return [];
  const names = reportNames(study.study);
  const ofSeries: Attribute[] = [
    ['00080060', 'CS', 'SR'],
    ['0020000E', 'UI', names.series],
  ];
  return series === undefined
    ? [ofSeries]
    : [[...ofSeries, ['00080016', 'UI', sopClasses.basicTextSr], ['00080018', 'UI', names.instance]]];
}

/** The DICOM JSON model (PS3.18 F.2). */
const toJson = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(([tag, vr, value = '']) => {
      const texts = String(value)
        .split('\\')
        .filter((each) => each !== '');
      return [tag, { vr, Value: vr === 'PN' ? texts.map((text) => ({ Alphabetic: text })) : texts }];
    }),
  );
