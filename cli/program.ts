/**
 * The table of commands: words, summary and module of each. Only the command that runs is loaded; the help of the
 * program is printed from this table alone.
 */
import type { Entry, Program } from './entry.ts';

const entry = (summary: string, load: Entry['load']): Entry => ({ summary, load });

export const program: Program = {
  login: entry('Log in to a server', () => import('./commands/login.ts').then(({ login }) => login)),
  logout: entry('Log out and forget the tokens', () => import('./commands/logout.ts').then(({ logout }) => logout)),
  whoami: entry('Show who is logged in, where, and how', () =>
    import('./commands/whoami.ts').then(({ whoami }) => whoami),
  ),
  token: entry('Print an access token for a pipeline', () => import('./commands/token.ts').then(({ token }) => token)),
  serve: entry('Run the embedded server', () => import('./commands/serve.ts').then(({ serve }) => serve)),
  desktop: entry('Open the app in which physicians dictate', () =>
    import('./commands/desktop.ts').then(({ desktop }) => desktop),
  ),
  exec: entry('Run a command with a server of tests of its own', () =>
    import('./commands/exec.ts').then(({ exec }) => exec),
  ),
  demo: entry('Show the whole story on this machine, in test mode', () =>
    import('./commands/demo.ts').then(({ demo }) => demo),
  ),
  worklist: {
    summary: 'Exams sent by imaging systems',
    verbs: {
      ingest: entry('Send worklist files: JSON, NDJSON, CSV, DICOM, HL7 or FHIR', () =>
        import('./commands/worklist/ingest.ts').then(({ ingest }) => ingest),
      ),
      replay: entry('Send large worklist files again: paced, moved to today, resumable', () =>
        import('./commands/worklist/replay.ts').then(({ replay }) => replay),
      ),
      mapping: entry('Show where a worklist file has its fields, and propose a mapping', () =>
        import('./commands/worklist/mapping.ts').then(({ mapping }) => mapping),
      ),
      list: entry('List exams', () => import('./commands/worklist/list.ts').then(({ list }) => list)),
      show: entry('Show one exam', () => import('./commands/worklist/show.ts').then(({ show }) => show)),
      'set-status': entry('Take, finish, cancel or release an exam', () =>
        import('./commands/worklist/set-status.ts').then(({ setStatus }) => setStatus),
      ),
      assign: entry('Give an exam to a colleague', () =>
        import('./commands/worklist/assign.ts').then(({ assign }) => assign),
      ),
      history: entry('Show how the status of an exam changed, and its patient', () =>
        import('./commands/worklist/history.ts').then(({ history }) => history),
      ),
      watch: entry('Follow the worklist live', () => import('./commands/worklist/watch.ts').then(({ watch }) => watch)),
    },
  },
  record: {
    summary: 'Medical records: documents made from dictation',
    verbs: {
      generate: entry('Make a document from dictated audio or text', () =>
        import('./commands/record/generate.ts').then(({ generate }) => generate),
      ),
      list: entry('List documents', () => import('./commands/record/list.ts').then(({ list }) => list)),
      show: entry('Show one document', () => import('./commands/record/show.ts').then(({ show }) => show)),
      edit: entry('Change or sign a document', () => import('./commands/record/edit.ts').then(({ edit }) => edit)),
      correct: entry('Correct a document by a spoken or written instruction', () =>
        import('./commands/record/correct.ts').then(({ correct }) => correct),
      ),
      check: entry('Check a report without a server', () =>
        import('./commands/record/check.ts').then(({ check }) => check),
      ),
      dismiss: entry('Let a text stand that was warned about', () =>
        import('./commands/record/dismiss.ts').then(({ dismiss }) => dismiss),
      ),
      provenance: entry('Show where the words of a document come from', () =>
        import('./commands/record/provenance.ts').then(({ provenance }) => provenance),
      ),
      undo: entry('Take a conversion back', () => import('./commands/record/undo.ts').then(({ undo }) => undo)),
      'take-back': entry('Take a signature back', () =>
        import('./commands/record/take-back.ts').then(({ takeBack }) => takeBack),
      ),
      versions: entry('List the versions of a document', () =>
        import('./commands/record/versions.ts').then(({ versions }) => versions),
      ),
      distribution: entry('Show where a document went', () =>
        import('./commands/record/distribution.ts').then(({ distribution }) => distribution),
      ),
      diff: entry('Show what changed between two versions', () =>
        import('./commands/record/diff.ts').then(({ diff }) => diff),
      ),
      export: entry('Save a document as text, HTML, PDF, FHIR or HL7', () =>
        import('./commands/record/export.ts').then(({ exportRecord }) => exportRecord),
      ),
      audio: entry('Save the dictated audio of a document', () =>
        import('./commands/record/audio.ts').then(({ audio }) => audio),
      ),
      delete: entry('Delete a document with its versions and audio', () =>
        import('./commands/record/delete.ts').then(({ deleteRecord }) => deleteRecord),
      ),
    },
  },
  prior: {
    summary: 'Reports of former exams, from other systems',
    verbs: {
      import: entry('Import reports: HL7 (ORU^R01), FHIR, JSON, NDJSON or text', () =>
        import('./commands/prior/import.ts').then(({ importPriors }) => importPriors),
      ),
      list: entry('List imported reports, or the priors of an exam', () =>
        import('./commands/prior/list.ts').then(({ list }) => list),
      ),
      show: entry('Show one report, or what stood there before a correction', () =>
        import('./commands/prior/show.ts').then(({ show }) => show),
      ),
      delete: entry('Delete an imported report with its former versions', () =>
        import('./commands/prior/delete.ts').then(({ deletePrior }) => deletePrior),
      ),
    },
  },
  critical: {
    summary: 'Critical results, of which somebody has to be told at once',
    verbs: {
      list: entry('List what nobody was told yet', () =>
        import('./commands/critical/list.ts').then(({ list }) => list),
      ),
      show: entry('Show the critical results of a document', () =>
        import('./commands/critical/show.ts').then(({ show }) => show),
      ),
      mark: entry('Mark words of a document as a critical result', () =>
        import('./commands/critical/mark.ts').then(({ mark }) => mark),
      ),
      tell: entry('Say who was told, when and how', () =>
        import('./commands/critical/tell.ts').then(({ tell }) => tell),
      ),
      dismiss: entry('Say why nobody has to be told', () =>
        import('./commands/critical/dismiss.ts').then(({ dismiss }) => dismiss),
      ),
    },
  },
  job: {
    summary: 'Documents being made',
    verbs: {
      list: entry('List jobs', () => import('./commands/job/list.ts').then(({ list }) => list)),
      show: entry('Show one job', () => import('./commands/job/show.ts').then(({ show }) => show)),
      logs: entry('Show what happened in a job', () => import('./commands/job/logs.ts').then(({ logs }) => logs)),
      result: entry('Show what a job produced', () => import('./commands/job/result.ts').then(({ result }) => result)),
      wait: entry('Wait until a job ends', () => import('./commands/job/wait.ts').then(({ wait }) => wait)),
      cancel: entry('Cancel a job', () => import('./commands/job/cancel.ts').then(({ cancel }) => cancel)),
    },
  },
  template: {
    summary: 'Templates of documents',
    verbs: {
      list: entry('List templates', () => import('./commands/template/list.ts').then(({ list }) => list)),
      show: entry('Show a template', () => import('./commands/template/show.ts').then(({ show }) => show)),
      add: entry('Add a template of your own, from JSON or an RSNA template', () =>
        import('./commands/template/add.ts').then(({ add }) => add),
      ),
      edit: entry('Replace a template of your own', () =>
        import('./commands/template/edit.ts').then(({ edit }) => edit),
      ),
      remove: entry('Remove a template of your own', () =>
        import('./commands/template/remove.ts').then(({ remove }) => remove),
      ),
      export: entry('Save a template as JSON', () =>
        import('./commands/template/export.ts').then(({ exportTemplate }) => exportTemplate),
      ),
    },
  },
  macro: {
    summary: 'Texts that are called by name while dictating',
    verbs: {
      add: entry('Make a macro', () => import('./commands/macro/add.ts').then(({ add }) => add)),
      list: entry('List macros', () => import('./commands/macro/list.ts').then(({ list }) => list)),
      show: entry('Show one macro', () => import('./commands/macro/show.ts').then(({ show }) => show)),
      edit: entry('Change a macro', () => import('./commands/macro/edit.ts').then(({ edit }) => edit)),
      remove: entry('Delete a macro', () => import('./commands/macro/remove.ts').then(({ remove }) => remove)),
      import: entry('Make macros of a file: CSV or JSON', () =>
        import('./commands/macro/import.ts').then(({ importMacros }) => importMacros),
      ),
    },
  },
  vocabulary: {
    summary: 'Words that are always written in one way',
    verbs: {
      add: entry('Add a word', () => import('./commands/vocabulary/add.ts').then(({ add }) => add)),
      list: entry('List words', () => import('./commands/vocabulary/list.ts').then(({ list }) => list)),
      show: entry('Show one word', () => import('./commands/vocabulary/show.ts').then(({ show }) => show)),
      edit: entry('Change a word', () => import('./commands/vocabulary/edit.ts').then(({ edit }) => edit)),
      remove: entry('Remove a word', () => import('./commands/vocabulary/remove.ts').then(({ remove }) => remove)),
      import: entry('Add the words of a file: text, CSV or JSON', () =>
        import('./commands/vocabulary/import.ts').then(({ importTerms }) => importTerms),
      ),
      export: entry('Save words as CSV', () =>
        import('./commands/vocabulary/export.ts').then(({ exportTerms }) => exportTerms),
      ),
    },
  },
  engine: {
    summary: 'What makes text of sound, and documents of text',
    verbs: {
      list: entry('List recognisers, writers, and models for this computer', () =>
        import('./commands/engine/list.ts').then(({ list }) => list),
      ),
      pull: entry('Fetch a speech model, or install one from the disk', () =>
        import('./commands/engine/pull.ts').then(({ pull }) => pull),
      ),
      remove: entry('Remove a speech model', () => import('./commands/engine/remove.ts').then(({ remove }) => remove)),
      test: entry('Try what is set: its server, its model, its answers', () =>
        import('./commands/engine/test.ts').then(({ test }) => test),
      ),
      use: entry('Set the recogniser and the writer of the server', () =>
        import('./commands/engine/use.ts').then(({ use }) => use),
      ),
      bench: entry('Measure a recogniser on your own dictations', () =>
        import('./commands/engine/bench.ts').then(({ bench }) => bench),
      ),
    },
  },
  webhook: {
    summary: 'Events sent to partner applications',
    verbs: {
      listen: entry('Receive events here and check their signatures', () =>
        import('./commands/webhook/listen.ts').then(({ listen }) => listen),
      ),
      deliveries: entry('List what the local server sent, or show one of it', () =>
        import('./commands/webhook/deliveries.ts').then(({ deliveries }) => deliveries),
      ),
      resend: entry('Send one event again', () => import('./commands/webhook/resend.ts').then(({ resend }) => resend)),
      verify: entry('Check the signature of an event that a receiver got', () =>
        import('./commands/webhook/verify.ts').then(({ verify }) => verify),
      ),
      trigger: entry('Send an event to try a receiver', () =>
        import('./commands/webhook/trigger.ts').then(({ trigger }) => trigger),
      ),
    },
  },
  channel: {
    summary: 'Live connections to a RIS, a PACS or a folder',
    verbs: {
      kinds: entry('List the kinds of channels, or the settings of one', () =>
        import('./commands/channel/kinds.ts').then(({ kinds }) => kinds),
      ),
      add: entry('Add a channel', () => import('./commands/channel/add.ts').then(({ add }) => add)),
      list: entry('List channels, and how they do', () =>
        import('./commands/channel/list.ts').then(({ list }) => list),
      ),
      show: entry('Show one channel', () => import('./commands/channel/show.ts').then(({ show }) => show)),
      set: entry('Change the settings of a channel', () => import('./commands/channel/set.ts').then(({ set }) => set)),
      enable: entry('Open a channel', () => import('./commands/channel/enable.ts').then(({ enable }) => enable)),
      disable: entry('Close a channel', () => import('./commands/channel/disable.ts').then(({ disable }) => disable)),
      remove: entry('Remove a channel with its messages', () =>
        import('./commands/channel/remove.ts').then(({ remove }) => remove),
      ),
      queue: entry('List the messages of a channel', () =>
        import('./commands/channel/queue.ts').then(({ queue }) => queue),
      ),
      message: entry('Show one message', () => import('./commands/channel/message.ts').then(({ message }) => message)),
      send: entry('Send documents that the channel never got', () =>
        import('./commands/channel/send.ts').then(({ send }) => send),
      ),
      retry: entry('Try refused messages again', () =>
        import('./commands/channel/retry.ts').then(({ retry }) => retry),
      ),
      drop: entry('Drop a message that waits or was refused', () =>
        import('./commands/channel/drop.ts').then(({ drop }) => drop),
      ),
      test: entry('Try a channel', () => import('./commands/channel/test.ts').then(({ test }) => test)),
      simulate: entry('Be the other end of a channel, to try it', () =>
        import('./commands/channel/simulate.ts').then(({ simulate }) => simulate),
      ),
    },
  },
  client: {
    summary: 'Partner applications of the local server',
    verbs: {
      create: entry('Register a partner application', () =>
        import('./commands/client/create.ts').then(({ create }) => create),
      ),
      list: entry('List partner applications', () => import('./commands/client/list.ts').then(({ list }) => list)),
      show: entry('Show one partner application', () => import('./commands/client/show.ts').then(({ show }) => show)),
      update: entry('Change what a partner application registered', () =>
        import('./commands/client/update.ts').then(({ update }) => update),
      ),
      'rotate-secret': entry('Give a partner application a new secret', () =>
        import('./commands/client/rotate-secret.ts').then(({ rotateSecret }) => rotateSecret),
      ),
      delete: entry('Remove a partner application, and end its tokens', () =>
        import('./commands/client/delete.ts').then(({ remove }) => remove),
      ),
    },
  },
  user: {
    summary: 'People who log in at the local server',
    verbs: {
      create: entry('Create a user', () => import('./commands/user/create.ts').then(({ create }) => create)),
      edit: entry('Change what stands under what a user signs', () =>
        import('./commands/user/edit.ts').then(({ edit }) => edit),
      ),
      'set-password': entry('Give a user a new password', () =>
        import('./commands/user/set-password.ts').then(({ setPassword }) => setPassword),
      ),
      'reset-pin': entry('Take away the PIN by which a user signs', () =>
        import('./commands/user/reset-pin.ts').then(({ resetPin }) => resetPin),
      ),
      delete: entry('Delete a user', () => import('./commands/user/delete.ts').then(({ deleteUser }) => deleteUser)),
      list: entry('List users', () => import('./commands/user/list.ts').then(({ list }) => list)),
    },
  },
  server: {
    summary: 'The server on this computer and its data',
    verbs: {
      status: entry('Show how the server on this computer does', () =>
        import('./commands/server/status.ts').then(({ status }) => status),
      ),
      requests: entry('Show the calls that reached the server', () =>
        import('./commands/server/requests.ts').then(({ requests }) => requests),
      ),
      audit: entry('Show who saw or changed what, and check that nobody changed the trail', () =>
        import('./commands/server/audit.ts').then(({ audit }) => audit),
      ),
      fault: entry('Make calls, jobs and deliveries of test clients go wrong, by rule', () =>
        import('./commands/server/fault.ts').then(({ fault }) => fault),
      ),
      clock: entry('Show the clock of a server for tests, or move it forward', () =>
        import('./commands/server/clock.ts').then(({ clock }) => clock),
      ),
      backup: entry('Save everything that the server holds in one file', () =>
        import('./commands/server/backup.ts').then(({ backup }) => backup),
      ),
      restore: entry('Replace everything that the server holds by a backup', () =>
        import('./commands/server/restore.ts').then(({ restore }) => restore),
      ),
      trash: entry('Bring back what retention removed', () =>
        import('./commands/server/trash.ts').then(({ trash }) => trash),
      ),
      snapshot: entry('Keep states under names, and go back to them', () =>
        import('./commands/server/snapshot.ts').then(({ snapshot }) => snapshot),
      ),
      export: entry('Save documents as readable lines of JSON', () =>
        import('./commands/server/export.ts').then(({ exportDocuments }) => exportDocuments),
      ),
      seed: entry('Put documents from readable lines of JSON', () =>
        import('./commands/server/seed.ts').then(({ seed }) => seed),
      ),
      reset: entry('Remove everything, or what one space holds', () =>
        import('./commands/server/reset.ts').then(({ reset }) => reset),
      ),
      check: entry('Check the documents and the audio in a data directory', () =>
        import('./commands/server/check.ts').then(({ check }) => check),
      ),
      repair: entry('Mend a data directory with which the server does not start', () =>
        import('./commands/server/repair.ts').then(({ repair }) => repair),
      ),
    },
  },
  profile: {
    summary: 'Logins with names of their own',
    verbs: {
      list: entry('List logins', () => import('./commands/profile/list.ts').then(({ list }) => list)),
      use: entry('Use a login from now on', () => import('./commands/profile/use.ts').then(({ use }) => use)),
      create: entry('Log in under a new name', () =>
        import('./commands/profile/create.ts').then(({ create }) => create),
      ),
      delete: entry('Log out, and forget the name', () =>
        import('./commands/profile/delete.ts').then(({ deleteProfile }) => deleteProfile),
      ),
    },
  },
  contract: {
    summary: 'What a service of this API promises',
    verbs: {
      check: entry('Hold every answer of a service against the contract', () =>
        import('./commands/contract/check.ts').then(({ check }) => check),
      ),
    },
  },
  config: {
    summary: 'Settings of the command line and the server',
    verbs: {
      list: entry('List settings, and where they come from', () =>
        import('./commands/config/list.ts').then(({ list }) => list),
      ),
      get: entry('Print the value of a setting', () => import('./commands/config/get.ts').then(({ get }) => get)),
      set: entry('Change a setting of yours', () => import('./commands/config/set.ts').then(({ set }) => set)),
      path: entry('Show where settings, logins and data are', () =>
        import('./commands/config/path.ts').then(({ path }) => path),
      ),
    },
  },
  doctor: entry('Look for what is wrong on this computer', () =>
    import('./commands/doctor.ts').then(({ doctor }) => doctor),
  ),
  completion: entry('Print a script that completes laudio’s words in your shell', () =>
    import('./commands/completion.ts').then(({ completionOf }) => completionOf(program)),
  ),
  api: entry('Make any call of the API, authenticated', () => import('./commands/api.ts').then(({ api }) => api)),
  version: entry('Print the version', () => import('./commands/version.ts').then(({ version }) => version)),
  help: entry('Explain a command, or exit-codes, environment or files', () =>
    import('./commands/help.ts').then(({ help }) => help),
  ),
};
