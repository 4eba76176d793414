import type { CharacterSet } from './character-sets.ts';

/** Settings of the receiver of results: names in the header, and where the PDF goes. */
export interface Hl7Settings {
  /** MSH-3 to MSH-6, `^` between components. Default: `LAUDIO`, the hospital of the exam, nothing, nothing. */
  readonly sending_application?: string;
  readonly sending_facility?: string;
  readonly receiving_application?: string;
  readonly receiving_facility?: string;
  /** MSH-18; the sender of the message encodes it accordingly. Default: `UNICODE UTF-8`. */
  readonly character_set?: CharacterSet;
  /** `inside`: in an OBX of type ED; `link`: as a URL in an OBX of type RP. Default: `inside`. */
  readonly pdf?: 'inside' | 'link' | 'none';
  /** The URL for `link`; `{record_id}` and `{version}` are replaced by those of the document. */
  readonly pdf_link?: string;
  /** Longest line of a text in characters; longer ones are broken at spaces. Default: lines stay as they are. */
  readonly line_length?: number;
  /** `section`: an OBX has a whole section; `line`: each line has its own. Default: `section`. */
  readonly text_rows?: 'section' | 'line';
  /** `rows`: the measurements of the findings also go as numbers, in OBX of type NM. Default: `text`. */
  readonly measurements?: 'text' | 'rows';
  /** Address of a key image; `{study_uid}`, `{series_uid}` and `{instance_uid}` are replaced. Default: its UID as a URN. */
  readonly image_link?: string;
  /** The receiver's ids of physicians, by their licence number or name. */
  readonly physician_ids?: Readonly<Record<string, string>>;
  /** MSH-10, at most 20 characters. Default: derived from the version of the document. */
  readonly control_id?: string;
}
