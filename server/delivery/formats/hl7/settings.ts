import type { CharacterSet } from './character-sets.ts';

/** What the receiver of results chooses: the names in their header, and where the PDF is. */
export interface Hl7Settings {
  /** MSH-3 to MSH-6, `^` between components. Default: `LAUDIO`, the hospital of the exam, nothing, nothing. */
  readonly sending_application?: string;
  readonly sending_facility?: string;
  readonly receiving_application?: string;
  readonly receiving_facility?: string;
  /** What MSH-18 names; whoever sends the message encodes it so. Default: `UNICODE UTF-8`. */
  readonly character_set?: CharacterSet;
  /** In an OBX of type ED, as an address in one of type RP, or nowhere. Default: `inside`. */
  readonly pdf?: 'inside' | 'link' | 'none';
  /** The address, which `link` needs; `{record_id}` and `{version}` stand for those of the document. */
  readonly pdf_link?: string;
  /** MSH-10, at most 20 characters. Default: one for each version of a document. */
  readonly control_id?: string;
}
