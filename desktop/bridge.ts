/* oxlint-disable max-lines -- one table, and the whole of what the page and the app know of each other */
/**
 * The contract between the page and the app behind it: everything that the page can ask for, and everything that it is
 * told. The page knows nothing else of the app; Electron's IPC (main/ipc.ts) and HTTP (web/) carry the same calls.
 * Tokens and audio files stay on the app's side.
 */
import { maxTextLength, MedicalRecord, Section } from '../src/contract/document.ts';
import { detailCodes } from '../src/contract/errors.ts';
import { Job } from '../src/contract/job.ts';
import type { ExportFormat } from '../src/contract/record.ts';
import { RecordVersion, SectionChange } from '../src/contract/record.ts';
import {
  anyOf,
  array,
  boolean,
  integer,
  named,
  nullable,
  number,
  object,
  oneOf,
  string,
  timestamp,
} from '../src/contract/schema.ts';
import type { Schema, TypeOf } from '../src/contract/schema.ts';
import { Id, languages } from '../src/contract/shared.ts';
import { Template } from '../src/contract/template.ts';
import { formatNames } from '../src/domain/worklist-formats.ts';
import { HistoryEntry, ingestWarnings, WorklistItem, WorklistStatus } from '../src/contract/worklist.ts';

const byId = object({ id: Id });
const nothing = object({});

/** Answers and events arrive in any order: what was read later has the greater one. */
const read = {
  revision: integer({ minimum: 0, description: 'When it was read; what was read later has a greater one.' }),
};

// The session.

/** Where the work is kept: on this computer, at a service elsewhere, or on this computer with test patients only. */
export const places = ['this-computer', 'service', 'test'] as const;

/** Who turns speech into text: nobody, a simulation of test mode, or a recogniser. */
export const recogniserKinds = ['none', 'simulated', 'real'] as const;

export const SessionState = named(
  'SessionState',
  object({
    phase: oneOf(['logged-out', 'ready', 'locked', 'expired'], {
      description: '`expired`: the login has ended; work goes on and is sent after the next login.',
    }),
    place: nullable(oneOf(places)),
    server: nullable(string()),
    user: nullable(string({ description: 'Display name.' })),
    test_mode: boolean(),
    online: boolean({ description: 'Whether the service answered last time.' }),
    waiting: integer({ minimum: 0, description: 'Changes that wait to be sent.' }),
    needs_first_user: boolean({ description: 'Nobody can log in at this computer yet.' }),
    recogniser: nullable(oneOf(recogniserKinds, { description: '`null`: the service has not said.' })),
    desk: nullable(string({ description: 'Stands for this person at this place, the same at each login.' })),
    asks_code: boolean({
      description:
        'Whoever creates the first user or chooses a new service types the code in the terminal of the server.',
    }),
    places: array(oneOf(places), { description: 'Where one can log in from here.' }),
    ...read,
  }),
);
export type SessionState = TypeOf<typeof SessionState>;

/** Proves that the person runs the server, where `asks_code` says so. */
const SetupCode = string({ maxLength: 40, description: 'As it stands in the terminal of the server.' });
/** `details.reason` of a refusal: it is missing, or another. */
export const setupCodeNeeded = 'setup_code';

// What the person chose.

/** What a key can be set for, and its key at first. `Mod` is Ctrl, on a Mac ⌘. */
export const defaultKeys = {
  record: 'Space',
  generate: 'Mod+Enter',
  search: '/',
  next: 'j',
  previous: 'k',
  open: 'Enter',
  rewind: 'ArrowLeft',
  play: 'p',
  undo: 'Mod+z',
  sign: 'Mod+Shift+Enter',
  help: '?',
} as const;
export type Action = keyof typeof defaultKeys;

/** How sound travels to the service. */
export const uploadFormats = ['wav', 'opus'] as const;

export const AppSettings = named(
  'AppSettings',
  object({
    theme: oneOf(['system', 'light', 'dark']),
    locale: nullable(
      oneOf(languages, { description: 'Language of the app; `null` until the first page has given its own.' }),
    ),
    document_language: oneOf(languages),
    template_id: nullable(string({ maxLength: 64 })),
    microphone: nullable(string({ maxLength: 512, description: 'Device id; `null`: what the system chooses.' })),
    upload_format: oneOf(uploadFormats),
    lock_after_minutes: integer({ minimum: 0, maximum: 240, description: '0: never.' }),
    keys: object(
      Object.fromEntries(
        Object.keys(defaultKeys).map((action) => [action, string({ minLength: 1, maxLength: 40 })]),
      ) as Record<Action, Schema<string>>,
    ),
  }),
);
export type AppSettings = TypeOf<typeof AppSettings>;

// Newer versions of the app.

/** `beta` also gets what is about to become stable. */
export const updateChannels = ['stable', 'beta', 'off'] as const;
export type UpdateChannel = (typeof updateChannels)[number];

export const UpdateState = named(
  'UpdateState',
  object({
    phase: oneOf(['elsewhere', 'unpublished', 'idle', 'downloading', 'ready', 'restarting'], {
      description:
        '`elsewhere`: this page is not the app’s window; `unpublished`: the package names no place to ask; `restarting`: once every dictation is sealed.',
    }),
    channel: oneOf(updateChannels),
    version: nullable(string({ description: 'The newer one, where there is one.' })),
  }),
);
export type UpdateState = TypeOf<typeof UpdateState>;

// Dictations.

export const insertModes = ['insert', 'overwrite', 'append'] as const;
export type InsertMode = (typeof insertModes)[number];

/**
 * A dictation on its way: `recording` (sound arrives), `paused`, then sealed: `queued` (waits for the service), `sending`,
 * `processing` (the service makes the document), `done`. `failed` keeps the sound and can be sent again.
 */
export const Dictation = named(
  'Dictation',
  object({
    id: Id,
    item_id: Id,
    state: oneOf(['recording', 'paused', 'queued', 'sending', 'processing', 'done', 'failed']),
    recovered: boolean({ description: 'The page or the app ended while it was recorded.' }),
    seconds: number({ minimum: 0, description: 'Length as it would be sent.' }),
    sample_rate: integer(),
    saved_at: nullable(timestamp('Everything heard until then is on disk.')),
    template_id: nullable(string()),
    language: oneOf(languages),
    can_undo: boolean(),
    progress: number({ minimum: 0, maximum: 1 }),
    job_id: nullable(Id),
    record_id: nullable(Id),
    error: nullable(
      object({ code: string(), message: string() }, { reason: string({ description: '`details.reason`.' }) }),
    ),
    created_at: timestamp('When it was begun.'),
    ...read,
  }),
);
export type Dictation = TypeOf<typeof Dictation>;

/** Sound from the microphone: PCM, 16 bits, little-endian, one channel. */
export const bytesPerSample = 2;
/** Longest block that may be lost when everything dies at once, in ms. */
export const blockMs = 100;

/** Made by the page that records: sound that arrives twice, late or in a second page is known by it. */
const TakeId = string({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' });

/** What a dictation is begun with. */
const Beginning = {
  item_id: Id,
  sample_rate: integer({ minimum: 8000, maximum: 96_000 }),
  language: oneOf(languages),
  template_id: nullable(string({ maxLength: 64 })),
};

/** `details.reason` of refusals: of several windows of one person only one may record a dictation … */
export const otherWindow = 'other_window';
/** … and a place in it that was chosen before another window changed it is not taken. */
export const changedElsewhere = 'changed_elsewhere';
/** … nor is sound for an exam that is reported: a signed report changes by an addendum. */
export const reported = 'reported';

// Worklist files.

/** Largest one that is taken, in bytes. */
export const mostWorklistBytes = 64 * 1024 * 1024;

/** What the file does not say, and can be taken for granted. */
const guessed = [
  'format',
  'compression',
  'encoding',
  'delimiter',
  'decimal',
  'dates',
  'times',
  'columns',
  'modality',
] as const;

/** Something to be said about one exam of a file. */
export const ImportRemark = object(
  {
    place: object(
      {},
      { line: integer(), message: integer(), item: integer(), offset: integer() },
      { description: 'Counted from 1; `offset` in bytes from 0.' },
    ),
    accession_number: nullable(string()),
    message: string(),
  },
  { hint: string(), code: anyOf([oneOf(detailCodes), oneOf(ingestWarnings)]) },
);
export type ImportRemark = TypeOf<typeof ImportRemark>;

const remarks = (description: string) =>
  object(
    { count: integer(), first: array(ImportRemark, { description: 'As many as anybody reads.' }) },
    {},
    { description },
  );

export const ImportResult = named(
  'ImportResult',
  object({
    format: oneOf(formatNames),
    guesses: array(object({ what: oneOf(guessed), value: string() })),
    inserted: integer(),
    updated: integer(),
    deduped: integer(),
    cancelled: integer({ description: 'Of those that were taken.' }),
    reinstated: integer({ description: 'Of those that were cancelled, and ordered anew.' }),
    refused: remarks('What could not be read, and what the service did not take.'),
    noted: remarks('What was taken, but not in all its parts.'),
    stopped: nullable(object({ message: string() }, {}, { description: 'What ended it before the end of the file.' })),
  }),
);
export type ImportResult = TypeOf<typeof ImportResult>;

// The calls.

export interface BridgeCall {
  readonly summary: string;
  readonly input: Schema;
  readonly output: Schema;
  /** The input travels beside raw bytes: `POST` body, or an ArrayBuffer over IPC. */
  readonly bytes?: true;
}

const call = <const C extends BridgeCall>(definition: C): C => definition;

/** Of what a page says of what is typed, in several calls at once, the newest counts. */
const Stroke = object({
  page: string({ maxLength: 64, description: 'Which page: a word of its own.' }),
  at: integer({ minimum: 0, description: 'Counts what that page says.' }),
});
export type Stroke = TypeOf<typeof Stroke>;
const byStroke = { stroke: Stroke };

/** What a correction did; `message` says why it did nothing, or what is asked first. */
const corrected = object(
  { record: MedicalRecord, changes: array(SectionChange), instruction: string() },
  { message: string() },
);

const DocumentEdit = object(
  { id: Id, version: integer({ minimum: 1, description: 'The version that was edited.' }) },
  {
    title: string({ minLength: 1, maxLength: 200 }),
    sections: array(Section, { minItems: 1, maxItems: 100 }),
    ...byStroke,
  },
);

export const Signature = named(
  'Signature',
  object({ who: nullable(string({ description: 'Display name.' })), at: timestamp('When.') }),
);
export type Signature = TypeOf<typeof Signature>;

/** Of two people who changed one document, the second sees both. */
const SavedDocument = object(
  { outcome: oneOf(['saved', 'queued', 'conflict']), record: MedicalRecord },
  { theirs: MedicalRecord },
);

const typedAbout = { kind: oneOf(['report', 'addendum', 'instruction', 'text']), subject: Id };
/**
 * What is typed: `report`: changes of a draft, over the version that was seen; `addendum` and `instruction`: to a document;
 * `text`: a report that is being written, of an exam.
 */
export const Typed = named(
  'Typed',
  object(typedAbout, {
    version: integer({ minimum: 1 }),
    title: string({ maxLength: 200 }),
    sections: array(Section, { maxItems: 100 }),
    text: string({ maxLength: maxTextLength }),
    ...byStroke,
  }),
);
export type Typed = TypeOf<typeof Typed>;

/** What was done offline and came to nothing. */
export const RefusedChange = named(
  'RefusedChange',
  object({
    id: Id,
    kind: oneOf(['worklist.status', 'record.write', 'record.save', 'record.sign', 'record.addendum', 'record.delete']),
    subject: string({ description: 'Id of the exam or document.' }),
    code: string(),
    message: string(),
    at: timestamp('When it was refused.'),
    mine: nullable(
      object(
        {},
        { title: string(), sections: array(Section), text: string() },
        { description: 'What was written, to be kept by hand.' },
      ),
    ),
  }),
);
export type RefusedChange = TypeOf<typeof RefusedChange>;

export const calls = {
  'session.state': call({ summary: 'Who is logged in, where', input: nothing, output: SessionState }),
  'session.start': call({
    summary: 'Log in',
    input: object(
      { place: oneOf(places) },
      {
        server: string({ maxLength: 1024 }),
        client_id: string({ maxLength: 128 }),
        client_secret: string({ maxLength: 512 }),
        code: SetupCode,
        language: oneOf(languages, { description: 'Of the pages on which the person logs in.' }),
      },
    ),
    output: object({
      go_to: nullable(
        string({ description: 'Where this browser has to go; `null`: the system’s browser was opened.' }),
      ),
    }),
  }),
  'session.first_user': call({
    summary: 'Create the first user of this computer',
    input: object(
      {
        username: string({ minLength: 1, maxLength: 100 }),
        display_name: string({ minLength: 1, maxLength: 200 }),
        password: string({ minLength: 8, maxLength: 200 }),
      },
      { code: SetupCode },
    ),
    output: nothing,
  }),
  'session.end': call({ summary: 'Log out; what waits is kept', input: nothing, output: nothing }),
  'session.lock': call({ summary: 'Hide everything until the next login', input: nothing, output: nothing }),

  'settings.get': call({ summary: 'What the person chose', input: nothing, output: AppSettings }),
  'settings.set': call({ summary: 'Choose', input: AppSettings, output: AppSettings }),
  'updates.state': call({ summary: 'Whether there is a newer app', input: nothing, output: UpdateState }),
  'updates.choose': call({
    summary: 'Which versions this computer gets',
    input: object({ channel: oneOf(updateChannels) }),
    output: UpdateState,
  }),
  'updates.restart': call({
    summary: 'Install the newer one, once every dictation is sealed',
    input: nothing,
    output: UpdateState,
  }),
  'templates.list': call({
    summary: 'Templates',
    input: object({ language: oneOf(languages) }),
    output: object({ items: array(Template) }),
  }),

  'worklist.list': call({
    summary: 'The whole list, as last seen',
    input: object(
      {},
      {
        refresh: boolean(),
        ids: array(Id, { description: 'Only these, as they are now; one that isn’t in the answer is gone.' }),
        first: integer({
          minimum: 1,
          maximum: 500,
          description: 'Only so many, the first ones that wait for a report: for a screen that has nothing yet.',
        }),
      },
    ),
    output: object({
      items: array(WorklistItem),
      as_of: nullable(timestamp('When the service last gave it; `null`: never.')),
      ...read,
    }),
  }),
  'worklist.take': call({
    summary: 'Take an exam',
    input: object({ id: Id }, { take_over: boolean(), reopen: boolean({ description: 'Also a completed one.' }) }),
    output: object({
      outcome: oneOf(['taken', 'queued', 'held', 'closed']),
      item: WorklistItem,
      holder: nullable(string()),
      ...read,
    }),
  }),
  'worklist.set_status': call({
    summary: 'Release, cancel or reinstate an exam',
    input: object({ id: Id, status: WorklistStatus }, { reason: string({ maxLength: 500 }) }),
    output: object({ item: WorklistItem, ...read }),
  }),
  'worklist.history': call({
    summary: 'How an exam’s status changed',
    input: byId,
    output: object({ items: array(HistoryEntry) }),
  }),
  'worklist.import': call({
    summary: 'Send a worklist file that was dropped on the page',
    input: nothing,
    output: ImportResult,
    bytes: true,
  }),

  'dictation.list': call({
    summary: 'Dictations that are not done',
    input: nothing,
    output: object({ items: array(Dictation), ...read }),
  }),
  'dictation.start': call({
    summary: 'Begin one; it is on disk when this returns',
    input: object(Beginning),
    output: Dictation,
  }),
  'dictation.take': call({
    summary: 'Sound will follow, at this place; asked again, the same take goes on',
    input: object(
      {
        id: Id,
        take: TakeId,
        mode: oneOf(insertModes),
        at: nullable(number({ minimum: 0, description: 'Seconds from the beginning; `null`: at its end.' })),
      },
      {
        of: number({ minimum: 0, description: 'Length of the dictation in which `at` was chosen, in seconds.' }),
        page: string({ maxLength: 64, description: 'Which page records: a word of its own.' }),
        take_over: boolean({
          description: 'Also where another page records it now; goes on where that one was.',
        }),
        resumed: object(
          { ...Beginning, from: integer({ minimum: 0, description: 'First sample of the take that can still come.' }) },
          {},
          {
            description:
              'The page or the app was started again. Where the dictation is sealed or gone, the rest of the take goes into another one of the exam.',
          },
        ),
      },
    ),
    output: object({
      dictation: Dictation,
      at: number({ description: 'Where the sound goes, in seconds.' }),
      stored: integer({ description: 'Samples of the take that are on disk.' }),
    }),
  }),
  'dictation.block': call({
    summary: 'A block of sound; it is on disk when this returns',
    input: object({
      id: Id,
      take: TakeId,
      from: integer({
        minimum: 0,
        description: 'Samples of the take before it. What is on disk already is taken once.',
      }),
    }),
    output: object({
      stored: integer({ description: 'Samples of the take that are on disk.' }),
      is_current: boolean({
        description: '`false`: the take has ended; what still comes of it is taken all the same.',
      }),
      saved_at: timestamp('Now.'),
    }),
    bytes: true,
  }),
  'dictation.pause': call({
    summary: 'The take is over; another one goes on',
    input: object(
      { id: Id },
      {
        take: TakeId,
        interrupted: boolean({ description: 'Whether its page was cut off: then it is offered as recovered.' }),
      },
    ),
    output: Dictation,
  }),
  'dictation.room': call({
    summary: 'How much more the disk takes',
    input: byId,
    output: object({ seconds: number({ minimum: 0, description: 'Of sound.' }) }),
  }),
  'dictation.undo': call({ summary: 'Take back the last take', input: byId, output: Dictation }),
  'dictation.peaks': call({
    summary: 'The outline of the sound',
    input: object({ id: Id, points: integer({ minimum: 1, maximum: 4000 }) }),
    output: object({ peaks: array(number({ minimum: 0, maximum: 1 })), seconds: number() }),
  }),
  'dictation.choose': call({
    summary: 'In which language and by which template its report is to be made',
    input: object({ id: Id, language: oneOf(languages), template_id: nullable(string({ maxLength: 64 })) }),
    output: Dictation,
  }),
  'dictation.send': call({
    summary: 'Seal it and have the document made',
    input: object(
      { id: Id, language: oneOf(languages), template_id: nullable(string({ maxLength: 64 })) },
      {
        of: number({ minimum: 0, description: 'Length that it had when that was asked for, in seconds.' }),
        format: oneOf(uploadFormats, {
          description: 'Instead of the one chosen: a page that cannot compress says `wav`.',
        }),
      },
    ),
    output: Dictation,
  }),
  'dictation.encoded': call({
    summary: 'The sealed sound, compressed by the page, to be sent instead of WAV',
    input: object({ id: Id, content_type: oneOf(['audio/webm', 'audio/ogg']) }),
    output: Dictation,
    bytes: true,
  }),
  'dictation.retry': call({
    summary: 'Send a failed one again',
    input: object(
      { id: Id },
      {
        format: oneOf(uploadFormats, {
          description: '`opus`: the page is about to compress it. Else it goes as it is.',
        }),
      },
    ),
    output: Dictation,
  }),
  'dictation.cancel': call({ summary: 'Stop a job; the sound is kept', input: byId, output: Dictation }),
  'dictation.discard': call({ summary: 'Put it away', input: byId, output: object(read) }),
  'dictation.restore': call({ summary: 'Bring back what was just put away', input: byId, output: Dictation }),

  'record.get': call({ summary: 'A document', input: byId, output: MedicalRecord }),
  'record.for_item': call({
    summary: 'Documents of an exam, newest first',
    input: byId,
    output: object({
      items: array(MedicalRecord),
      waiting: array(Id, { description: 'Those of which changes wait to be sent.' }),
      written: nullable(string({ description: 'A text that waits to be sent, and then becomes a document.' })),
    }),
  }),
  'record.prior': call({
    summary: 'Earlier documents of the same patient',
    input: byId,
    output: object({ items: array(MedicalRecord) }),
  }),
  'record.write': call({
    summary: 'Make the report of an exam from a text',
    input: object(
      {
        item_id: Id,
        text: string({ minLength: 1, maxLength: maxTextLength }),
        language: oneOf(languages),
        template_id: nullable(string({ maxLength: 64 })),
      },
      byStroke,
    ),
    output: object({ outcome: oneOf(['saved', 'queued']) }),
  }),
  'record.save': call({ summary: 'Save what was edited', input: DocumentEdit, output: SavedDocument }),
  'record.sign': call({
    summary: 'Make it final',
    input: object({ id: Id, version: integer({ minimum: 1 }) }),
    output: SavedDocument,
  }),
  'record.addendum': call({
    summary: 'Add to a final document',
    input: object(
      {
        id: Id,
        text: string({ minLength: 1, maxLength: 100_000 }),
        title: string({ minLength: 1, maxLength: 200 }),
      },
      byStroke,
    ),
    output: SavedDocument,
  }),
  'record.correct': call({
    summary: 'Correct by an instruction in words',
    input: object(
      {
        id: Id,
        version: integer({ minimum: 1 }),
        instruction: string({ minLength: 1, maxLength: 10_000 }),
      },
      byStroke,
    ),
    output: corrected,
  }),
  'record.correct_spoken': call({
    summary: 'Correct by a spoken instruction (a WAV file)',
    input: object({ id: Id, version: integer({ minimum: 1 }) }),
    output: corrected,
    bytes: true,
  }),
  'record.versions': call({
    summary: 'Its versions, newest first',
    input: byId,
    output: object({ items: array(RecordVersion) }),
  }),
  'record.signature': call({
    summary: 'Who signed it, `null` while nobody has',
    input: byId,
    output: object({ signature: nullable(Signature) }),
  }),
  'record.version': call({
    summary: 'As it was',
    input: object({ id: Id, n: integer({ minimum: 1 }) }),
    output: MedicalRecord,
  }),
  'record.delete': call({ summary: 'Delete a draft', input: byId, output: nothing }),

  'typed.list': call({
    summary: 'Words that are not part of a document yet',
    input: nothing,
    output: object({ items: array(Typed) }),
  }),
  'typed.keep': call({ summary: 'Keep what is typed; it is on disk when this returns', input: Typed, output: nothing }),
  'typed.forget': call({
    summary: 'Forget what was typed',
    input: object(typedAbout, byStroke),
    output: nothing,
  }),

  'changes.refused': call({
    summary: 'Changes made offline that the service did not take, oldest first',
    input: nothing,
    output: object({ items: array(RefusedChange) }),
  }),
  'changes.dismiss': call({ summary: 'Forget one that was seen', input: byId, output: nothing }),

  'jobs.list': call({ summary: 'What runs, newest first', input: nothing, output: object({ items: array(Job) }) }),
} as const satisfies Record<string, BridgeCall>;

export type CallName = keyof typeof calls;
export type CallInput<N extends CallName> = TypeOf<(typeof calls)[N]['input']>;
export type CallOutput<N extends CallName> = TypeOf<(typeof calls)[N]['output']>;

/** Calls that go on where the page ends meanwhile: what was typed last is kept. */
export const lastingCalls: readonly CallName[] = ['typed.keep', 'typed.forget', 'record.save'];

/** Files that the page shows or offers: fetched by address, since they can be large and are played in parts. */
export const files = {
  /** The dictation as it would be sent, WAV. */
  dictation: (id: string) => `dictations/${encodeURIComponent(id)}.wav`,
  /** The sound that a document was made from. */
  audio: (id: string) => `records/${encodeURIComponent(id)}/audio`,
  export: (id: string, format: ExportFormat) => `records/${encodeURIComponent(id)}/export.${format}`,
} as const;

/** `details.reason` of the refusal of a call that names another desk than that of whoever is logged in. */
export const otherPerson = 'other_person';

/** How HTTP carries the bridge. Inputs never stand in an address, since addresses are logged. */
export const web = {
  /** `POST` with the name of the call behind it: the input as JSON; `{output}` comes back, or `{error}`. */
  calls: '/app/call/',
  /** Server-sent events, named as in `events`, with JSON. */
  events: '/app/events',
  /** `GET` with an address of `files` behind it; parts by Range. */
  files: '/app/files/',
  /** Where a login comes back to. */
  callback: '/app/callback',
  /** Every `POST` has it, with the value `1`: no other page can send it. */
  ownHeader: 'x-laudio-app',
  /** Beside raw bytes: the input as JSON, percent-encoded as by encodeURIComponent. */
  inputHeader: 'x-laudio-input',
  /** Whose call it is, where it is somebody's: the `desk` of the session. */
  deskHeader: 'x-laudio-desk',
} as const;

/** How Electron's IPC carries the bridge. */
export const ipc = {
  /** `invoke` with the name of the call, its input, its bytes and the desk whose call it is: `IpcAnswer`. */
  call: 'laudio:call',
  /** `send` to the page with the name of an event and its data. */
  event: 'laudio:event',
  /** The page's own addresses. */
  origin: 'laudio://app',
  /** With an address of `files` behind it; parts by Range. */
  files: '/files/',
} as const;

/** What a call gives; an error of IPC itself would arrive as a sentence without its code. */
export type IpcAnswer = { readonly output: unknown } | { readonly error: BridgeError };

/** What the preload script leaves on the page's `window` as `laudio`. */
export interface IpcDoor {
  call(name: string, input: unknown, bytes?: ArrayBuffer, desk?: string): Promise<IpcAnswer>;
  onEvent(listener: (name: string, data: unknown) => void): void;
}

/** Names of the events, apart from their schemas, which the page's scripts do without. */
export const eventNames = [
  'session',
  'item',
  'dictation',
  'discarded',
  'record',
  'refused',
  'updates',
  'action',
] as const;
export type EventName = (typeof eventNames)[number];

/** What the page is told without asking. */
export const events = {
  session: SessionState,
  item: object({
    id: Id,
    status: WorklistStatus,
    version: integer(),
    change: oneOf(['inserted', 'updated', 'status']),
  }),
  dictation: Dictation,
  /** A dictation was put away. */
  discarded: object({ id: Id, ...read }),
  /** A document has a new version, made by whomever, or is gone. */
  record: object({ id: Id, item_id: nullable(Id), version: integer(), deleted: boolean() }),
  refused: RefusedChange,
  updates: UpdateState,
  /** A key that was pressed while another program had the keyboard, or a line of the system's menus. */
  action: object({ action: oneOf(Object.keys(defaultKeys) as Action[]) }),
} as const satisfies Record<EventName, Schema>;

export type EventData<N extends EventName> = TypeOf<(typeof events)[N]>;

/** The app as the page sees it, whatever carries it. Calls throw `BridgeError`. */
export interface Bridge {
  /**
   * `signal`: its answer is not waited for any longer; it may take effect all the same. `desk`: whose call it is, which
   * the bridge of a person says by itself (renderer/state/person-bridge.ts); under another login the app refuses it.
   */
  call<N extends CallName>(
    name: N,
    input: CallInput<N>,
    bytes?: ArrayBuffer,
    signal?: AbortSignal,
    desk?: string,
  ): Promise<CallOutput<N>>;
  /** Follows an event; the function returned ends it. `onGap`: events may have been missed; look again. */
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void;
  onGap(listener: () => void): () => void;
  /** Told when the app itself, as opposed to the service behind it, falls silent and when it is heard again; absent where it can't. */
  onSilence?(listener: (isSilent: boolean) => void): () => void;
  /** Address of a file that the page may load. */
  address(file: string): string;
}

/** What a refused call says: the codes of src/contract/errors.ts, a sentence, the next step. */
export interface BridgeError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: Record<string, unknown>;
}
