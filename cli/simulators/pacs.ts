/** A PACS that is asked for studies and reports (C-FIND, C-GET, PS3.4 C). Ends when --count reports were fetched. */
import type { DataSet } from 'dicom-parser';
import { sopClasses } from '../../src/protocols/dimse/classes.ts';
import { commands } from '../../src/protocols/dimse/command.ts';
import { writeDataSet } from '../../src/protocols/dimse/data-set.ts';
import type { Attribute, Syntax } from '../../src/protocols/dimse/data-set.ts';
import { answerDicom, parseDataSet, statuses } from './dicom-peer.ts';
import type { PeerAnswer } from './dicom-peer.ts';
import { findSimulated, findStudy, reportAttributes, reportNames, studyAttributes } from './simulated-studies.ts';
import type { Simulator } from './simulator.ts';
import { tlsOptions } from './tls.ts';

export const pacs: Simulator = {
  options: ['listen', 'count', ...tlsOptions],
  faults: {
    busy: 'the first query is refused: out of resources',
    silent: 'the first query gets no answer',
    missing: 'the reports that are listed can’t be fetched',
  },
  run(context, { count, faults, ...words }) {
    let queries = 0;
    let fetched = 0;
    const sentClasses = [sopClasses.basicTextSr];
    return answerDicom(
      context,
      { ...words, services: [sopClasses.findStudies, sopClasses.getStudies, ...sentClasses], sentClasses },
      (message, agreed): PeerAnswer => {
        const query = parseDataSet(message, agreed);
        const now = context.clock.now();
        if (message.command.field === commands.getRequest) {
          const study = faults.has('missing') ? undefined : findStudy(readText(query, 'x00080018'), now);
          const event = { what: 'C-GET', more: study ? study.accession : 'nothing' };
          if (!study) return { answer: { status: 0xa702 }, event };
          fetched += 1;
          const names = { affectedClass: sopClasses.basicTextSr, affectedInstance: reportNames(study.study).instance };
          const write = (syntax: Syntax): Buffer => writeDataSet(reportAttributes(study), syntax);
          return { answer: { status: statuses.done, sent: [{ ...names, write }] }, event };
        }
        const level = readText(query, 'x00080052') || 'STUDY';
        const found = findMatches(query, level, now);
        const event = { what: `C-FIND ${level}`, more: `${found.length} found` };
        queries += 1;
        if (queries === 1 && faults.has('silent')) return { answer: {}, event, fault: 'silent' };
        if (queries === 1 && faults.has('busy')) return { answer: { status: statuses.outOfResources }, event };
        const syntax = agreed.transferSyntax as Syntax;
        return { answer: { status: statuses.done, found: found.map((each) => writeDataSet(each, syntax)) }, event };
      },
      () => count !== undefined && fetched >= count,
    );
  },
};

const readText = (query: DataSet | undefined, tag: string): string => query?.string(tag)?.trim() ?? '';

function findMatches(query: DataSet | undefined, level: string, now: number): Attribute[][] {
  const charset: Attribute = ['00080005', 'CS', 'ISO_IR 192'];
  if (level === 'STUDY') {
    const keys = { accession: readText(query, 'x00080050'), patient: readText(query, 'x00100020') };
    return findSimulated(keys, now).map((study) => [charset, ...studyAttributes(study)]);
  }
  const study = findStudy(readText(query, 'x0020000d'), now);
  if (!study) return [];
  const { series, instance } = reportNames(study.study);
  const head: Attribute[] = [charset, ['0020000D', 'UI', study.study], ['0020000E', 'UI', series]];
  return level === 'SERIES'
    ? [[...head, ['00080060', 'CS', 'SR']]]
    : [[...head, ['00080016', 'UI', sopClasses.basicTextSr], ['00080018', 'UI', instance]]];
}
