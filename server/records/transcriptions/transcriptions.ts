/** The port of live transcriptions. */
import type { Language } from '../../../src/contract/shared.ts';
import type { SpokenPiece } from '../../../src/contract/spoken-piece.ts';
import type { Transcription, TranscriptionInput } from '../../../src/contract/transcription.ts';
import type { HeardText } from '../../../src/domain/heard-text.ts';
import type { Caller, Upload } from '../../http/call.ts';
import type { Transaction } from '../../storage/store.ts';
import type { StoredPhrase, StoredTranscription } from './stored-transcription.ts';

export interface Sound {
  /** Stored bytes. */
  readonly size: number;
  /** Appends bytes. Resolves once they are durable; rejects if nothing was added. One call at a time. */
  append(bytes: Buffer): Promise<void>;
  /** The bytes from `from` to `to` (exclusive), in pieces. Rejects if they are damaged. */
  read(from: number, to: number): AsyncGenerator<Buffer, void>;
  /** Resolves once no merge is running. */
  idle(): Promise<void>;
  /** Drops cached audio. */
  forget(): void;
}

/** A transcription in progress. */
export interface Session {
  readonly stored: StoredTranscription;
  readonly phrases: readonly StoredPhrase[];
  readonly sound: Sound;
  show(): Transcription;
  /** Appends audio that begins at `offset`, skipping stored bytes. Returns the stored size. */
  append(offset: number, bytes: Buffer): Promise<number>;
  /** Refuses further audio. */
  end(): Promise<void>;
  /** Takes note of the stored transcription, which another member may have ended. */
  notice(stored: StoredTranscription): Promise<void>;
  /** Resolves once all audio is transcribed or transcription has failed. INTERRUPTED if the signal is aborted. */
  settled(signal: AbortSignal): Promise<void>;
  /** Server-sent events after phrase `seen`, until the end or until the signal is aborted. */
  follow(seen: number, signal: AbortSignal): AsyncGenerator<Uint8Array, void>;
  /** Stops transcribing and ends all streams; the store is not changed. */
  close(): Promise<void>;
}

/** The joined audio of transcriptions. */
export interface DictatedSound {
  readonly audio: Upload['audio'];
  /** Settings of the first transcription. */
  readonly language: Language;
  readonly template_id?: string;
  readonly worklist_item_id?: string;
}

export interface Transcriptions {
  /** The transcription to store. VALIDATION_FAILED, or ENGINE_UNAVAILABLE without a live recogniser. */
  begin(input: TranscriptionInput, caller: Caller): Promise<StoredTranscription>;
  /** Stores the result of `begin`. RATE_LIMIT_EXCEEDED if the login has too many open ones. */
  put(tx: Transaction, transcription: StoredTranscription): Promise<void>;
  /** The result of `begin` as the API shows it. */
  showNew(transcription: StoredTranscription): Transcription;
  /** `undefined`: another member has it. 404 if the login has no such transcription. */
  find(id: string, caller: Pick<Caller, 'grant_id'>): Promise<Session | undefined>;
  remove(id: string, caller: Pick<Caller, 'grant_id'>): Promise<void>;
  /**
   * Ends the transcriptions and joins their pieces to one audio, which the caller deletes if no record is created.
   * VALIDATION_FAILED if a piece is invalid; PAYLOAD_TOO_LARGE if the audio would be too long.
   */
  dictate(pieces: readonly SpokenPiece[], caller: Caller): Promise<DictatedSound>;
  /**
   * The words of the pieces once all are final; `undefined` if the whole audio must be transcribed instead. INTERRUPTED
   * if the signal is aborted.
   */
  heard(pieces: readonly SpokenPiece[], language: Language, signal: AbortSignal): Promise<HeardText | undefined>;
  /** Resumes stored transcriptions. Called again when every document may have changed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
