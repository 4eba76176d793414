/**
 * The command table: words, summary and module of each command, which exports `command`. Only the command that runs is
 * loaded; the program's help needs only this table.
 */
import type { AnyCommand } from './command.ts';
import type { Entry, Program } from './entry.ts';

const entry = (summary: string, load: () => Promise<{ readonly command: AnyCommand }>): Entry => ({
  summary,
  load: async () => (await load()).command,
});

export const program: Program = {
  login: entry('Log in to a server', () => import('./commands/login.ts')),
  logout: entry('Log out and forget the tokens', () => import('./commands/logout.ts')),
  whoami: entry('Show who is logged in, where, and how', () => import('./commands/whoami.ts')),
  token: entry('Print an access token for a pipeline', () => import('./commands/token.ts')),
  serve: entry('Run the embedded server', () => import('./commands/serve.ts')),
  desktop: entry('Open the app in which physicians dictate', () => import('./commands/desktop.ts')),
  open: entry('Open the app at an exam', () => import('./commands/open.ts')),
  exec: entry('Run a command with a separate test server', () => import('./commands/exec.ts')),
  demo: entry('Demonstrate the whole workflow on this computer, in test mode', () => import('./commands/demo.ts')),
  worklist: {
    summary: 'Exams sent by imaging systems',
    verbs: {
      ingest: entry(
        'Send worklist files: JSON, NDJSON, CSV, DICOM, HL7 or FHIR',
        () => import('./commands/worklist/ingest.ts'),
      ),
      replay: entry(
        'Send large worklist files again: paced, moved to today, resumable',
        () => import('./commands/worklist/replay.ts'),
      ),
      mapping: entry(
        'Show the fields of a worklist file, and propose a mapping',
        () => import('./commands/worklist/mapping.ts'),
      ),
      list: entry('List exams', () => import('./commands/worklist/list.ts')),
      show: entry('Show one exam', () => import('./commands/worklist/show.ts')),
      'set-status': entry('Take, finish, cancel or release an exam', () => import('./commands/worklist/set-status.ts')),
      assign: entry('Give an exam to a colleague', () => import('./commands/worklist/assign.ts')),
      history: entry('Show the status and patient changes of an exam', () => import('./commands/worklist/history.ts')),
      remove: entry('Remove an exam with its reports', () => import('./commands/worklist/remove.ts')),
      watch: entry('Follow the worklist live', () => import('./commands/worklist/watch.ts')),
    },
  },
  record: {
    summary: 'Medical records: reports made from dictation',
    verbs: {
      generate: entry('Make a record from dictated audio or text', () => import('./commands/record/generate.ts')),
      list: entry('List documents', () => import('./commands/record/list.ts')),
      show: entry('Show one record', () => import('./commands/record/show.ts')),
      edit: entry('Change or sign a record', () => import('./commands/record/edit.ts')),
      correct: entry('Correct a record by a spoken or typed instruction', () => import('./commands/record/correct.ts')),
      propose: entry('Propose an impression from the findings', () => import('./commands/record/propose.ts')),
      check: entry('Check a report without a server', () => import('./commands/record/check.ts')),
      dismiss: entry('Dismiss a warning', () => import('./commands/record/dismiss.ts')),
      provenance: entry('Show the origin of a record’s words', () => import('./commands/record/provenance.ts')),
      undo: entry('Undo a conversion', () => import('./commands/record/undo.ts')),
      'take-back': entry('Undo a signature', () => import('./commands/record/take-back.ts')),
      versions: entry('List the versions of a record', () => import('./commands/record/versions.ts')),
      distribution: entry('Show the destinations of a record', () => import('./commands/record/distribution.ts')),
      diff: entry('Show what changed between two versions', () => import('./commands/record/diff.ts')),
      export: entry('Save a record as text, HTML, PDF, FHIR or HL7', () => import('./commands/record/export.ts')),
      audio: entry('Save the dictated audio of a record', () => import('./commands/record/audio.ts')),
      delete: entry('Delete a record with its versions and audio', () => import('./commands/record/delete.ts')),
    },
  },
  prior: {
    summary: 'Reports of earlier exams, from other systems',
    verbs: {
      import: entry(
        'Import reports: HL7 (ORU^R01), FHIR, JSON, NDJSON or text',
        () => import('./commands/prior/import.ts'),
      ),
      list: entry('List imported reports, or the priors of an exam', () => import('./commands/prior/list.ts')),
      show: entry('Show one report, or an earlier version of it', () => import('./commands/prior/show.ts')),
      delete: entry('Delete an imported report with its earlier versions', () => import('./commands/prior/delete.ts')),
    },
  },
  patient: {
    summary: 'One patient’s data, for requests by data protection law',
    verbs: {
      find: entry('Find patients by id, name or accession number', () => import('./commands/patient/find.ts')),
      export: entry('Save everything about a patient', () => import('./commands/patient/export.ts')),
      restrict: entry('Put a patient’s data out of reach, or back', () => import('./commands/patient/restrict.ts')),
      erase: entry('Erase a patient for good', () => import('./commands/patient/erase.ts')),
    },
  },
  critical: {
    summary: 'Critical results, which must be communicated at once',
    verbs: {
      list: entry('List results that are not communicated yet', () => import('./commands/critical/list.ts')),
      show: entry('Show the critical results of a record', () => import('./commands/critical/show.ts')),
      mark: entry('Mark words of a record as a critical result', () => import('./commands/critical/mark.ts')),
      tell: entry('Record who was told, when and how', () => import('./commands/critical/tell.ts')),
      dismiss: entry('Dismiss a result, with the reason', () => import('./commands/critical/dismiss.ts')),
    },
  },
  job: {
    summary: 'Records being made',
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
    summary: 'Report templates',
    verbs: {
      list: entry('List templates', () => import('./commands/template/list.ts')),
      show: entry('Show a template', () => import('./commands/template/show.ts')),
      add: entry('Add your own template, from JSON or an RSNA template', () => import('./commands/template/add.ts')),
      try: entry('Write a report by a template, and store nothing', () => import('./commands/template/try.ts')),
      edit: entry('Replace your own template', () => import('./commands/template/edit.ts')),
      remove: entry('Remove your own template', () => import('./commands/template/remove.ts')),
      export: entry('Save a template as JSON', () => import('./commands/template/export.ts')),
    },
  },
  macro: {
    summary: 'Texts that are inserted by name during dictation',
    verbs: {
      add: entry('Add a macro', () => import('./commands/macro/add.ts')),
      list: entry('List macros', () => import('./commands/macro/list.ts')),
      show: entry('Show one macro', () => import('./commands/macro/show.ts')),
      edit: entry('Change a macro', () => import('./commands/macro/edit.ts')),
      remove: entry('Delete a macro', () => import('./commands/macro/remove.ts')),
      import: entry('Add the macros of a file: CSV or JSON', () => import('./commands/macro/import.ts')),
    },
  },
  vocabulary: {
    summary: 'Words with a fixed spelling',
    verbs: {
      add: entry('Add a word', () => import('./commands/vocabulary/add.ts')),
      list: entry('List words', () => import('./commands/vocabulary/list.ts')),
      show: entry('Show one word', () => import('./commands/vocabulary/show.ts')),
      edit: entry('Change a word', () => import('./commands/vocabulary/edit.ts')),
      remove: entry('Remove a word', () => import('./commands/vocabulary/remove.ts')),
      import: entry('Add the words of a file: text, CSV or JSON', () => import('./commands/vocabulary/import.ts')),
      export: entry('Save words as CSV', () => import('./commands/vocabulary/export.ts')),
    },
  },
  engine: {
    summary: 'Speech recognition and report writing',
    verbs: {
      list: entry('List recognisers, writers, and models for this computer', () => import('./commands/engine/list.ts')),
      pull: entry('Download a speech model, or install one from a file', () => import('./commands/engine/pull.ts')),
      remove: entry('Remove a speech model', () => import('./commands/engine/remove.ts')),
      test: entry('Test the configured engines: server, model and answers', () => import('./commands/engine/test.ts')),
      use: entry('Set the recogniser and the writer of the server', () => import('./commands/engine/use.ts')),
      bench: entry('Measure a recogniser on your own dictations', () => import('./commands/engine/bench.ts')),
    },
  },
  webhook: {
    summary: 'Events sent to partner applications',
    verbs: {
      listen: entry('Receive events here and check their signatures', () => import('./commands/webhook/listen.ts')),
      deliveries: entry(
        'List what the local server sent, or show one of it',
        () => import('./commands/webhook/deliveries.ts'),
      ),
      resend: entry('Send one event again', () => import('./commands/webhook/resend.ts')),
      replay: entry('Send the events of a day to your receiver again', () => import('./commands/webhook/replay.ts')),
      verify: entry('Verify the signature of a received event', () => import('./commands/webhook/verify.ts')),
      trigger: entry('Send a test event to a receiver', () => import('./commands/webhook/trigger.ts')),
    },
  },
  channel: {
    summary: 'Live connections to a RIS, a PACS or a folder',
    verbs: {
      kinds: entry('List the kinds of channels, or the settings of one', () => import('./commands/channel/kinds.ts')),
      add: entry('Add a channel', () => import('./commands/channel/add.ts')),
      list: entry('List channels and their state', () => import('./commands/channel/list.ts')),
      show: entry('Show one channel', () => import('./commands/channel/show.ts')),
      set: entry('Change the settings of a channel', () => import('./commands/channel/set.ts')),
      enable: entry('Open a channel', () => import('./commands/channel/enable.ts')),
      disable: entry('Close a channel', () => import('./commands/channel/disable.ts')),
      remove: entry('Remove a channel with its messages', () => import('./commands/channel/remove.ts')),
      queue: entry('List the messages of a channel', () => import('./commands/channel/queue.ts')),
      messages: entry('Find messages of channels', () => import('./commands/channel/messages.ts')),
      message: entry('Show one message', () => import('./commands/channel/message.ts')),
      send: entry('Send records that the channel missed', () => import('./commands/channel/send.ts')),
      import: entry('Import all orders of a FHIR server', () => import('./commands/channel/import.ts')),
      retry: entry('Retry refused messages', () => import('./commands/channel/retry.ts')),
      drop: entry('Drop a waiting or refused message', () => import('./commands/channel/drop.ts')),
      try: entry('Try a mapping on stored messages', () => import('./commands/channel/try.ts')),
      test: entry('Test a channel', () => import('./commands/channel/test.ts')),
      simulate: entry(
        'Simulate the other end of a channel, to test it',
        () => import('./commands/channel/simulate.ts'),
      ),
    },
  },
  client: {
    summary: 'Partner applications of the local server',
    verbs: {
      create: entry('Register a partner application', () => import('./commands/client/create.ts')),
      list: entry('List partner applications', () => import('./commands/client/list.ts')),
      show: entry('Show one partner application', () => import('./commands/client/show.ts')),
      update: entry('Change the registration of a partner application', () => import('./commands/client/update.ts')),
      'rotate-secret': entry(
        'Give a partner application a new secret',
        () => import('./commands/client/rotate-secret.ts'),
      ),
      delete: entry('Remove a partner application and revoke its tokens', () => import('./commands/client/delete.ts')),
    },
  },
  user: {
    summary: 'Users of the local server',
    verbs: {
      create: entry('Create a user', () => import('./commands/user/create.ts')),
      edit: entry('Change the signature of a user', () => import('./commands/user/edit.ts')),
      'set-password': entry('Give a user a new password', () => import('./commands/user/set-password.ts')),
      'reset-pin': entry('Remove the signing PIN of a user', () => import('./commands/user/reset-pin.ts')),
      delete: entry('Delete a user', () => import('./commands/user/delete.ts')),
      list: entry('List users', () => import('./commands/user/list.ts')),
    },
  },
  server: {
    summary: 'The server on this computer and its data',
    verbs: {
      status: entry('Show the state of the server on this computer', () => import('./commands/server/status.ts')),
      requests: entry('Show the calls that reached the server', () => import('./commands/server/requests.ts')),
      audit: entry('Show who read or changed what, and verify the trail', () => import('./commands/server/audit.ts')),
      fault: entry(
        'Inject faults into calls, jobs and deliveries of test clients',
        () => import('./commands/server/fault.ts'),
      ),
      clock: entry(
        'Show the clock of a server for tests, or move it forward',
        () => import('./commands/server/clock.ts'),
      ),
      backup: entry('Save all data of the server in one file', () => import('./commands/server/backup.ts')),
      restore: entry('Replace all data of the server with a backup', () => import('./commands/server/restore.ts')),
      trash: entry('Restore data removed by retention', () => import('./commands/server/trash.ts')),
      snapshot: entry('Save and load named states', () => import('./commands/server/snapshot.ts')),
      export: entry('Save documents as readable lines of JSON', () => import('./commands/server/export.ts')),
      seed: entry('Load documents from readable lines of JSON', () => import('./commands/server/seed.ts')),
      reset: entry('Remove all data, or that of one space', () => import('./commands/server/reset.ts')),
      check: entry('Check the documents and the audio in a data directory', () => import('./commands/server/check.ts')),
      repair: entry(
        'Repair a data directory with which the server can’t start',
        () => import('./commands/server/repair.ts'),
      ),
    },
  },
  service: {
    summary: 'The server as a service of this system',
    verbs: {
      install: entry('Install and start the service', () => import('./commands/service/install.ts')),
      status: entry('Show whether the service is installed and runs', () => import('./commands/service/status.ts')),
      remove: entry('Stop and remove the service', () => import('./commands/service/remove.ts')),
    },
  },
  upgrade: entry('Compare this program with servers and releases', () => import('./commands/upgrade.ts')),
  profile: {
    summary: 'Named logins',
    verbs: {
      list: entry('List logins', () => import('./commands/profile/list.ts')),
      use: entry('Switch to a login', () => import('./commands/profile/use.ts')),
      create: entry('Log in under a new name', () => import('./commands/profile/create.ts')),
      delete: entry('Log out, and forget the name', () => import('./commands/profile/delete.ts')),
    },
  },
  contract: {
    summary: 'The contract of this API',
    verbs: {
      check: entry(
        'Check every answer of a service against the contract',
        () => import('./commands/contract/check.ts'),
      ),
    },
  },
  config: {
    summary: 'Settings of the command line and the server',
    verbs: {
      list: entry('List settings and their sources', () => import('./commands/config/list.ts')),
      get: entry('Print the value of a setting', () => import('./commands/config/get.ts')),
      set: entry('Change a setting of yours', () => import('./commands/config/set.ts')),
      path: entry('Show the locations of settings, logins and data', () => import('./commands/config/path.ts')),
    },
  },
  doctor: entry('Find problems on this computer', () => import('./commands/doctor.ts')),
  completion: entry('Print a completion script for your shell', () =>
    import('./commands/completion.ts').then(({ completionOf }) => ({ command: completionOf(program) })),
  ),
  api: entry('Make any authenticated API call', () => import('./commands/api.ts')),
  version: entry('Print the version', () => import('./commands/version.ts')),
  help: entry('Explain a command, or exit-codes, environment or files', () => import('./commands/help.ts')),
};
