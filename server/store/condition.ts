/** In what condition stores are, and what was done about it. Sequences number the commits, from 1. */
import type { NamedAudio } from './named-audio.ts';

export interface CheckedFile {
  readonly file: string;
  readonly kind: 'journal' | 'snapshot';
  readonly bytes: number;
  /** `null` where the header cannot be read. */
  readonly schema: number | null;
  readonly encrypted: boolean | null;
  /** The first and the last commit in it; of a snapshot those that it stands for. `null` where there are none. */
  readonly commits: { readonly from: number; readonly to: number } | null;
  /** Of a snapshot. */
  readonly documents: number | null;
}

export interface Problem {
  readonly file: string;
  /** Bytes from the beginning of the file; `null`: the whole of it. */
  readonly offset: number | null;
  /** Nothing that was acknowledged is missing, and the server starts. */
  readonly harmless: boolean;
  readonly what: string;
  readonly advice: string;
}

export interface CheckReport {
  /** The server starts with everything that was acknowledged. */
  readonly sound: boolean;
  readonly files: readonly CheckedFile[];
  /** Audio that documents name, and how much of it is missing or damaged. `null` where it was not looked at. */
  readonly audio: { readonly named: number; readonly bad: number } | null;
  readonly problems: readonly Problem[];
  /** What the server finds when it starts; `null` where it refuses to. */
  readonly found: Holdings | null;
}

/** What documents alone show: nothing yet of the audio that they name, which is `null` where they cannot be read. */
export interface DocumentsReport extends Omit<CheckReport, 'sound' | 'audio'> {
  readonly audio: NamedAudio | null;
}

export interface Holdings {
  /** The last commit. */
  readonly sequence: number;
  /** Collection → number of documents. */
  readonly documents: Readonly<Record<string, number>>;
}

export interface Loss {
  /** Commits. Where a damaged snapshot stood for them, what could be read of it was kept. */
  readonly from: number;
  readonly to: number;
  readonly snapshot?: { readonly file: string; readonly documents: number };
}

export interface RepairReport {
  /** `false`: there was nothing to repair, and nothing was changed. */
  readonly repaired: boolean;
  /** All that is missing now. */
  readonly lost: readonly Loss[];
  /** Bytes at the end of the last journal that are no commit: it was being written when the server ended. */
  readonly cut: number;
  /** Where the former files are kept, relative to the data directory. */
  readonly quarantined: readonly string[];
  readonly found: Holdings;
}
