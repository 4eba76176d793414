/** Live transcriptions as the rest of the server sees them. */
import type { Language } from '../../../src/contract/shared.ts';
import type { SpokenPiece } from '../../../src/contract/spoken-piece.ts';
import type { Transcription, TranscriptionInput } from '../../../src/contract/transcription.ts';
import type { HeardText } from '../../../src/domain/heard-text.ts';
import type { Caller, Upload } from '../../http/call.ts';
import type { Transaction } from '../../storage/store.ts';
import type { StoredPhrase, StoredTranscription } from './stored-transcription.ts';

export interface Sound {
  /** Bytes that are stored for good. */
  readonly size: number;
  /** Adds bytes at the end. Resolves once they are durable; rejects where nothing was added. One call at a time. */
  append(bytes: Buffer): Promise<void>;
  /** The bytes from `from` up to `to` (not included), in pieces. Rejects where they are damaged. */
  read(from: number, to: number): AsyncGenerator<Buffer, void>;
  /** Resolves once no work on the pieces is under way. */
  idle(): Promise<void>;
  /** Forgets what is in memory. */
  forget(): void;
}

/** A transcription in progress. */
export interface Session {
  readonly stored: StoredTranscription;
  readonly phrases: readonly StoredPhrase[];
  readonly sound: Sound;
  show(): Transcription;
  /** Adds sound that begins at `offset`, skips what is stored; returns the bytes that are stored then. */
  append(offset: number, bytes: Buffer): Promise<number>;
  /** Takes no more sound. */
  end(): Promise<void>;
  /** Resolves once all sound was heard, or no more words come. INTERRUPTED when the signal is aborted. */
  settled(signal: AbortSignal): Promise<void>;
  /** Server-sent events from after phrase `seen` on, until the end or until the signal is aborted. */
  follow(seen: number, signal: AbortSignal): AsyncGenerator<Uint8Array, void>;
  /** Stops to listen, and ends all streams; the store is left as it is. */
  close(): Promise<void>;
}

/** The audio of a record, put together from transcriptions. */
export interface DictatedSound {
  readonly audio: Upload['audio'];
  /** What the first transcription was begun for. */
  readonly language: Language;
  readonly template_id?: string;
  readonly worklist_item_id?: string;
}

export interface Transcriptions {
  /** The transcription to store for this request. VALIDATION_FAILED, or ENGINE_UNAVAILABLE where nobody hears live. */
  begin(input: TranscriptionInput, caller: Caller): Promise<StoredTranscription>;
  /** Stores what `begin` made. RATE_LIMIT_EXCEEDED where the login has too many open ones. */
  put(tx: Transaction, transcription: StoredTranscription): Promise<void>;
  /** What `begin` made, as the API shows it. */
  showNew(transcription: StoredTranscription): Transcription;
  /** 404 where the login has no such transcription. */
  find(id: string, caller: Pick<Caller, 'grant_id'>): Promise<Session>;
  remove(id: string, caller: Pick<Caller, 'grant_id'>): Promise<void>;
  /**
   * Ends the transcriptions and puts their pieces together to one audio. The caller removes the audio where no document
   * comes to name it. VALIDATION_FAILED where a piece is none; PAYLOAD_TOO_LARGE where the audio would be too long.
   */
  dictate(pieces: readonly SpokenPiece[], caller: Caller): Promise<DictatedSound>;
  /**
   * The words of the pieces, once all of them are final. `undefined` where the whole audio has to be heard instead.
   * INTERRUPTED when the signal is aborted.
   */
  heard(pieces: readonly SpokenPiece[], language: Language, signal: AbortSignal): Promise<HeardText | undefined>;
  /** Goes on with what a former run left. Call it again when every document may have changed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
