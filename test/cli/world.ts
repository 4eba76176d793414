/** What every command of the program can be tried on. */
import { join } from 'node:path';
import type { Provenance } from '../../src/contract/provenance.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { createServedCli, samples } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

export const dictated = 'Test Patient. Findings: normal chest. Impression: normal.';
export const day = join(samples, 'worklist.json');
export const chestTemplate = join(samples, 'templates', 'chest-ct.html');

/** A server with somebody who is logged in, and what the commands work on: made when it is first asked for. */
export class World {
  readonly cli: Cli;
  readonly #made = new Map<string, Promise<unknown>>();
  private constructor(cli: Cli) {
    this.cli = cli;
  }

  static async create(): Promise<World> {
    const cli = await createServedCli();
    return new World(cli);
  }

  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = (this.#made.get(name) as Promise<T> | undefined) ?? make();
    this.#made.set(name, made);
    return made;
  }

  async #idOf(words: readonly string[], input = ''): Promise<string> {
    const made = await this.cli.json<{ id: string } | readonly { id: string }[]>(words, { input });
    return 'id' in made ? made.id : made[0]!.id;
  }

  /** The sample exams. */
  day = () => this.once('day', () => this.cli.json(['worklist', 'ingest', day]));

  async item(query: string): Promise<string> {
    await this.day();
    return this.#idOf(['worklist', 'list', '--q', query]);
  }

  /** Taken and released. */
  movedItem = () =>
    this.once('moved item', async () => {
      const item = await this.item('SL-2026-004416');
      await this.cli.json(['worklist', 'set-status', item, 'in_progress', '--reason', 'Test']);
      await this.cli.json(['worklist', 'set-status', item, 'new', '--reason', 'Test']);
      return item;
    });

  /** A template of the space's own. */
  template = (id: string) =>
    this.once(`template ${id}`, () => this.#idOf(['template', 'add', chestTemplate, '--id', id]));

  /** A new draft. */
  record = () => this.#idOf(['record', 'generate', '--text', '-'], dictated);

  /** A record with a finding, and the finding. */
  warned = () =>
    this.once('warned record', async () => {
      const text = 'Test Patient. Findings: mass in the right lobe. Impression: mass in the left lobe.';
      const record = await this.cli.json<MedicalRecord>(['record', 'generate', '--text', '-'], { input: text });
      return [record.id, record.findings_to_review![0]!.id] as const;
    });

  /** A new record each time, with a critical result that nobody was told. */
  critical = async () => {
    const text = 'Test Patient. Findings: free air under the diaphragm. Impression: pneumoperitoneum.';
    const record = await this.cli.json<MedicalRecord>(['record', 'generate', '--text', '-'], { input: text });
    return [record.id, record.critical_results![0]!.id] as const;
  };

  /** A new record each time, with a number in figures. */
  converted = async () => {
    const text = 'Test Patient. Findings: nodule of six millimeters.';
    const { id } = await this.cli.json<MedicalRecord>(['record', 'generate', '--text', '-'], { input: text });
    const { operations } = await this.cli.json<Provenance>(['record', 'provenance', id]);
    return [id, operations.find(({ step }) => step === 'numbers')!.id] as const;
  };

  /** Corrected, and then edited. */
  editedRecord = () =>
    this.once('edited record', async () => {
      const record = await this.record();
      const instruction = 'add Follow-up soon to the impression\n';
      await this.cli.json(['record', 'correct', record, '--text', '-'], { input: instruction });
      await this.cli.json(['record', 'edit', record, '--title', 'Chest']);
      return record;
    });

  /** A document made from audio, and the job that made it. */
  recording = () =>
    this.once('recording', async () => {
      const job = await this.newJob();
      const { record_id: record } = await this.cli.json<{ record_id: string }>(['job', 'wait', job]);
      return { job, record };
    });

  /** One that has ended. */
  async newJob(): Promise<string> {
    const job = await this.#idOf(['record', 'generate', '--audio', join(samples, 'dictation.wav'), '--async']);
    await this.cli.json(['job', 'wait', job]);
    return job;
  }

  /** One that does not end by itself. */
  slowJob = () =>
    this.#idOf([
      'api',
      'POST',
      '/api/v1/medical-records/generate',
      '-f',
      `text=${dictated}`,
      '-f',
      'mode=async',
      '-H',
      'X-Laudio-Simulate: job=slow:600000',
    ]);

  webhook = () =>
    this.once('webhook', () =>
      this.cli.json([
        'api',
        'PUT',
        '/api/v1/admin/clients/test_tc_local/webhook',
        '-f',
        'url=http://127.0.0.1:9/',
        '-F',
        'rotate_secret=true',
      ]),
    );

  delivery = () =>
    this.once('delivery', async () => {
      await this.webhook();
      return this.#idOf(['webhook', 'trigger']);
    });

  /** A macro of its own at each call: some commands remove it. */
  async macro(name: string): Promise<string> {
    await this.cli.json(['macro', 'import', '-', '--replace'], { input: `name,text\n${name},Lungs clear.\n` });
    return name;
  }

  /** A word of the vocabulary of its own at each call. */
  async term(write: string): Promise<string> {
    await this.cli.json(['vocabulary', 'import', '-', '--replace'], { input: `${write}\n` });
    return write;
  }

  user = (name: string) =>
    this.once(`user ${name}`, () => this.#idOf(['user', 'create', name, '--secret-stdin'], 'correct horse\n'));
}
