/** A patient's request as an operator answers it at a terminal. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServedCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createServedCli()));
afterAll(() => cli.close());

const item = (number: string) => ({
  accession_number: number,
  patient_id: 'KANARI77',
  patient_name: 'DEMO^PATIENT',
  patient_birth_date: '1961-04-12',
  modality: 'CT',
  exam_datetime: '2026-03-02T08:30:00-03:00',
  exam_description: 'CT chest',
});
const ingest = (...numbers: string[]) =>
  cli.json(['worklist', 'ingest', '-', '--format', 'json'], { input: JSON.stringify(numbers.map(item)) });
const found = () => cli.json<{ id: string; exams: number }[]>(['patient', 'find'], { input: 'KANARI77\n' });

describe('laudio patient', () => {
  it('finds by a line of standard input, and takes no patient data as an argument', async () => {
    await ingest('K-1', 'K-2');
    expect(await found()).toMatchObject([{ exams: 2, restricted: false }]);
    const byName = await cli.call(['patient', 'find', '--by', 'name'], { input: 'demo\n' });
    expect(byName.stdout).toMatch(/^wli_\w+\tKANARI77\tDEMO\^PATIENT\t1961-04-12\ttest_tc_local\t2\t0\t\n$/);
    expect((await cli.call(['patient', 'find', 'KANARI77'])).code).toBe(2);
    expect((await cli.call(['patient', 'find'])).code).toBe(2);
  });

  it('exports to a private file', async () => {
    const [{ id } = { id: '' }] = await found();
    const file = join(cli.directory, 'request.tar');
    expect((await cli.call(['patient', 'export', id, file])).code).toBe(0);
    const { mode, size } = await stat(file);
    expect(size).toBeGreaterThan(1024);
    if (process.platform !== 'win32') expect(mode & 0o077).toBe(0);
    expect((await cli.call(['patient', 'export', 'wli_none', file])).code).toBe(3);
  });

  it('restricts and lifts', async () => {
    const [{ id } = { id: '' }] = await found();
    expect((await cli.call(['patient', 'restrict', id])).stderr).toContain(`laudio patient restrict ${id} --lift`);
    expect((await cli.call(['worklist', 'show', id])).code).toBe(3);
    expect((await cli.call(['patient', 'restrict', id, '--lift'])).stderr).toMatch(/Released: \d+ documents\./);
    expect((await cli.call(['worklist', 'show', id])).code).toBe(0);
  });

  it('erases only when told so, and the trail says who had read', async () => {
    const [{ id } = { id: '' }] = await found();
    const audited = () => cli.json<{ action: string }[]>(['server', 'audit', '--patient', id]);
    expect((await audited()).map(({ action }) => action)).toContain('worklists.get');
    expect((await cli.call(['patient', 'erase', id])).code).toBe(2);
    expect(await found()).toHaveLength(1);
    const erased = await cli.json<{ id: string }>(['patient', 'erase', id, '--yes']);
    expect(await found()).toEqual([]);
    const trail = await cli.json<{ action: string }[]>(['server', 'audit', '--patient', erased.id]);
    expect(trail.map(({ action }) => action)).toContain('patients.erase');
    expect((await cli.call(['patient', 'erase', id, '--yes'])).code).toBe(3);
    const whole = await cli.call(['server', 'audit', '--all', '--json']);
    expect(whole.stdout).toContain('patients.erase');
    expect(whole.stdout).not.toMatch(/KANARI77|DEMO/);
  });

  it('says when there are more patients than it shows', async () => {
    const many = Array.from({ length: 52 }, (_, at) => ({ ...item(`M-${at}`), patient_id: `MANY-${at}` }));
    await cli.json(['worklist', 'ingest', '-', '--format', 'json'], { input: JSON.stringify(many) });
    const { stdout, stderr } = await cli.call(['patient', 'find', '--by', 'name'], { input: 'demo\n' });
    expect(stdout.trimEnd().split('\n')).toHaveLength(50);
    expect(stderr).toContain('There are more than 50');
  });

  it('removes one exam into the trash', async () => {
    await ingest('K-3');
    const [{ id } = { id: '' }] = await found();
    expect((await cli.call(['worklist', 'remove', id])).code).toBe(2);
    expect((await cli.call(['worklist', 'remove', id, '--yes'])).stderr).toContain(`laudio server trash restore ${id}`);
    expect((await cli.call(['server', 'trash', 'restore', id])).code).toBe(0);
    expect((await cli.call(['worklist', 'show', id])).code).toBe(0);
  });
});
