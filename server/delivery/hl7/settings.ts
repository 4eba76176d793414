/** What the receiver of results chooses: the names in their header, their character set, and where the PDF is. */
export interface Hl7Settings {
  /** MSH-3 to MSH-6, `^` between components. Default: `LAUDIO`, the hospital of the exam, nothing, nothing. */
  readonly sending_application?: string;
  readonly sending_facility?: string;
  readonly receiving_application?: string;
  readonly receiving_facility?: string;
  /** MSH-18 (table 0211). What 8859/1 cannot hold is written otherwise (latin1.ts). Default: `UNICODE UTF-8`. */
  readonly character_set?: 'UNICODE UTF-8' | '8859/1';
  /** In an OBX of type ED, as an address in one of type RP, or nowhere. Default: `inside`. */
  readonly pdf?: 'inside' | 'link' | 'none';
  /** The address, which `link` needs; `{record_id}` and `{version}` stand for those of the document. */
  readonly pdf_link?: string;
  /** MSH-10, at most 20 characters. Default: one for each version of a document. */
  readonly control_id?: string;
}

/** The bytes of a message, in the character set that it names. */
export const encodeHl7 = (message: string, { character_set: charset }: Hl7Settings): Uint8Array =>
  charset === '8859/1' ? Buffer.from(message, 'latin1') : new TextEncoder().encode(message);
