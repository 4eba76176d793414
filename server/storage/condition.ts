/** The reports of `laudio server check` and `repair`: the condition of the stores, and what a repair did. Commits count from 1. */
import type { NamedAudio } from './blobs/named-audio.ts';

export interface CheckedFile {
  readonly file: string;
  readonly kind: 'journal' | 'snapshot';
  readonly bytes: number;
  /** `null` where the header cannot be read. */
  readonly schema: number | null;
  readonly encrypted: boolean | null;
  /** The first and the last commit in the file, or that a snapshot covers. `null`: the file has no commits. */
  readonly commits: { readonly from: number; readonly to: number } | null;
  /** The number of documents in a snapshot; `null` for a journal. */
  readonly documents: number | null;
}

export interface Problem {
  /** A file that is there, or the audio that is missing; `null`: the problem concerns the documents as a whole. */
  readonly file: string | null;
  /** Bytes from the beginning of the file; `null`: the problem concerns the whole file. */
  readonly offset: number | null;
  /** Nothing that was acknowledged is missing, and the server starts. */
  readonly harmless: boolean;
  readonly what: string;
  readonly advice: string;
}

/** A snapshot that somebody saved under a name (`laudio server snapshot`). */
export interface CheckedSnapshot {
  readonly name: string;
  readonly created_at: string;
  readonly sound: boolean;
}

export interface CheckReport {
  /** The server starts with everything that was acknowledged, and all audio and all saved snapshots are whole. */
  readonly sound: boolean;
  readonly files: readonly CheckedFile[];
  /** The last commit that the file `acknowledged` names; `null`: it is not known. */
  readonly acknowledged: number | null;
  /** The newest first. `null`: they were not checked. */
  readonly snapshots: readonly CheckedSnapshot[] | null;
  /** How many blobs the documents name, and how many of them are missing or damaged. `null`: the audio was not checked. */
  readonly audio: { readonly named: number; readonly bad: number } | null;
  readonly problems: readonly Problem[];
  /** The documents with which the server starts; `null`: the server refuses to start. */
  readonly found: Holdings | null;
}

/** The report on the documents alone. `audio`: the audio that they name, still unchecked; `null`: the documents cannot be read. */
export interface DocumentsReport extends Omit<CheckReport, 'sound' | 'audio' | 'snapshots'> {
  readonly audio: NamedAudio | null;
}

export interface Holdings {
  /** The last commit. */
  readonly sequence: number;
  /** Collection → number of documents. */
  readonly documents: Readonly<Record<string, number>>;
}

export interface Loss {
  /** The first and the last lost commit. If a damaged snapshot stood for them, its readable documents were kept. */
  readonly from: number;
  readonly to: number;
  readonly snapshot?: { readonly file: string; readonly documents: number };
}

export interface RepairReport {
  /** `false`: there was nothing to repair, and nothing was changed. */
  readonly repaired: boolean;
  /** Everything that the repair could not recover. */
  readonly lost: readonly Loss[];
  /** Bytes of an unfinished commit at the end of the last journal: the server ended while it wrote them. */
  readonly cut: number;
  /** The former files in quarantine, relative to the data directory. */
  readonly quarantined: readonly string[];
  readonly found: Holdings;
}
