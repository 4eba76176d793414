/**
 * Every command: its words, what it is for, and where it lives. Nothing is loaded but the one that runs; the help of the
 * program is printed from this table alone.
 */
import type { AnyCommand } from './command.ts';

export interface Entry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly default?: never } & Record<string, unknown>>;
}

const entry = <N extends string>(summary: string, load: () => Promise<{ readonly [K in N]: unknown }>): Entry => ({
  summary,
  load: load as Entry['load'],
});

export interface Noun {
  readonly summary: string;
  readonly verbs: Readonly<Record<string, Entry>>;
}

export const program: Readonly<Record<string, Entry | Noun>> = {
  login: entry('Log in to a server', () => import('./commands/login.ts')),
  logout: entry('Log out and forget the tokens', () => import('./commands/logout.ts')),
  whoami: entry('Show who is logged in, where, and how', () => import('./commands/whoami.ts')),
  serve: entry('Run the embedded server', () => import('./commands/serve.ts')),
  desktop: entry('Open the app in which physicians dictate', () => import('./commands/desktop.ts')),
  demo: entry('Show the whole story on this machine, in test mode', () => import('./commands/demo.ts')),
  worklist: {
    summary: 'Exams sent by imaging systems',
    verbs: {
      ingest: entry('Send worklist files of any format', () => import('./commands/worklist/ingest.ts')),
      replay: entry(
        'Send large files: paced, moved to today, resumable',
        () => import('./commands/worklist/replay.ts'),
      ),
      list: entry('List exams', () => import('./commands/worklist/list.ts')),
      show: entry('Show one exam', () => import('./commands/worklist/show.ts')),
      'set-status': entry('Take, finish, cancel or release an exam', () => import('./commands/worklist/set-status.ts')),
      history: entry('Show how the status of an exam changed', () => import('./commands/worklist/history.ts')),
      watch: entry('Follow the worklist live', () => import('./commands/worklist/watch.ts')),
    },
  },
  record: {
    summary: 'Medical records: documents made from dictation',
    verbs: {
      generate: entry('Make a document from dictated audio or text', () => import('./commands/record/generate.ts')),
      list: entry('List documents', () => import('./commands/record/list.ts')),
      show: entry('Show one document', () => import('./commands/record/show.ts')),
      edit: entry('Change or sign a document', () => import('./commands/record/edit.ts')),
      correct: entry(
        'Correct a document by a spoken or written instruction',
        () => import('./commands/record/correct.ts'),
      ),
      versions: entry('List the versions of a document', () => import('./commands/record/versions.ts')),
      export: entry('Save a document as text, HTML, PDF, FHIR or HL7', () => import('./commands/record/export.ts')),
      audio: entry('Save the dictated audio of a document', () => import('./commands/record/audio.ts')),
      delete: entry('Delete a document with its versions and audio', () => import('./commands/record/delete.ts')),
    },
  },
  job: {
    summary: 'Documents being made',
    verbs: {
      list: entry('List jobs', () => import('./commands/job/list.ts')),
      show: entry('Show one job', () => import('./commands/job/show.ts')),
      logs: entry('Show what happened in a job', () => import('./commands/job/logs.ts')),
      result: entry('Show what a job produced', () => import('./commands/job/result.ts')),
      wait: entry('Wait until a job ends', () => import('./commands/job/wait.ts')),
      cancel: entry('Cancel a job', () => import('./commands/job/cancel.ts')),
    },
  },
  template: {
    summary: 'Templates of documents',
    verbs: {
      list: entry('List templates', () => import('./commands/template/list.ts')),
      show: entry('Show the sections of a template', () => import('./commands/template/show.ts')),
    },
  },
  webhook: {
    summary: 'Events sent to partner applications',
    verbs: {
      listen: entry('Receive events here and check their signatures', () => import('./commands/webhook/listen.ts')),
      deliveries: entry('List what the local server sent', () => import('./commands/webhook/deliveries.ts')),
      resend: entry('Send one event again', () => import('./commands/webhook/resend.ts')),
      trigger: entry('Send a test event', () => import('./commands/webhook/trigger.ts')),
    },
  },
  client: {
    summary: 'Partner applications of the local server',
    verbs: {
      create: entry('Register a partner application', () => import('./commands/client/create.ts')),
      list: entry('List partner applications', () => import('./commands/client/list.ts')),
    },
  },
  user: {
    summary: 'People who log in at the local server',
    verbs: {
      create: entry('Create a user', () => import('./commands/user/create.ts')),
      list: entry('List users', () => import('./commands/user/list.ts')),
    },
  },
  server: {
    summary: 'The server on this computer and its data',
    verbs: {
      status: entry('Show how the server does', () => import('./commands/server/status.ts')),
      backup: entry('Save everything in one file', () => import('./commands/server/backup.ts')),
      restore: entry('Replace everything by a backup', () => import('./commands/server/restore.ts')),
      export: entry('Save documents as readable lines', () => import('./commands/server/export.ts')),
      seed: entry('Put documents from readable lines', () => import('./commands/server/seed.ts')),
      reset: entry('Remove everything, or what one space holds', () => import('./commands/server/reset.ts')),
      check: entry('Check a data directory', () => import('./commands/server/check.ts')),
      repair: entry('Mend a damaged data directory', () => import('./commands/server/repair.ts')),
    },
  },
  api: entry('Make any call of the API, authenticated', () => import('./commands/api.ts')),
  help: entry('Explain a command, or exit-codes, environment or files', () => import('./commands/help.ts')),
};

export const isNoun = (found: Entry | Noun): found is Noun => 'verbs' in found;

/** Loads a command: each file exports one, under any name. */
export async function loadCommand(found: Entry): Promise<AnyCommand> {
  const exported = Object.values(await found.load()).find(
    (value) => typeof value === 'object' && value !== null && 'run' in value,
  );
  return exported as AnyCommand;
}
