/** The demo's script: an exam from the RIS to the signed report, with the commands that a person would type. */
import type { Job } from '../../../src/contract/job.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { firstLine } from './stage.ts';
import type { Stage } from './stage.ts';
import { elementAt } from '../../../src/domain/elements.ts';

export async function story(stage: Stage): Promise<void> {
  await stage.scene('A server with everything in it, on this machine');
  const server = stage.start('serve', '--port', '0', '--json');
  const ready = JSON.parse(await firstLine(server)) as { url: string };
  await stage.say(`ready at ${ready.url}`);
  await stage.run('login');

  await stage.scene('A partner application waits for events');
  const listener = stage.start('webhook', 'listen', '--event', 'worklist.document.completed', '--count', '1');
  await listener.heard('Listening');

  await stage.scene('The RIS of two hospitals sends the day');
  await stage.run('worklist', 'ingest', stage.sample('worklist.json'), '--source-system', 'DEMO-RIS');
  await stage.run('worklist', 'list', '--modality', 'CT');

  await stage.scene('A physician takes an exam and dictates');
  const { id: item } = elementAt(
    await stage.ask<WorklistItem[]>('worklist', 'list', '--q', 'torax sem contraste', '--modality', 'CT'),
    0,
  );
  await stage.run('worklist', 'set-status', item, 'in_progress', '--reason', 'Exam started');
  await stage.run(
    'record',
    'generate',
    '--audio',
    stage.sample('dictation.wav'),
    '--item',
    item,
    '--language',
    'pt-BR',
    '--async',
  );
  const job = elementAt(await stage.ask<Job[]>('job', 'list', '--limit', '1'), 0);
  await stage.run('job', 'wait', job.id);
  await stage.run('job', 'logs', job.id);

  await stage.scene('The report: read, corrected, signed');
  const { record_id: record } = await stage.ask<Job>('job', 'show', job.id);
  if (record === null) throw new Error('The job made no record.');
  await stage.run('record', 'show', record);
  const instruction = await stage.write('instruction.txt', 'acrescente Controle em 12 meses à impressão');
  await stage.run('record', 'correct', record, '--text', instruction);
  await stage.run('record', 'edit', record, '--sign');

  await stage.scene('The partner application receives the event, and verifies the signature');
  for await (const line of listener.lines) await stage.say(line);
  await stage.run('worklist', 'show', item);

  await stage.scene('The end: tokens revoked, server stopped, nothing left behind');
  await stage.run('logout');
  await server.stop();
  await stage.say(
    '\nThat was the whole workflow. Try it yourself: laudio serve, and in another terminal laudio login.',
  );
}
