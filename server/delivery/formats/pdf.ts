/**
 * The document as PDF, A4: for archiving PDF/A-2a (ISO 19005-2), which declares its colours, embeds its fonts and contains its
 * metadata; for screen readers PDF/UA-1 (ISO 14289-1), which is tagged.
 */
import type { Section } from '../../../src/contract/document.ts';
import type { Line, Report } from '../../../src/reporting/report-head.ts';
import { buildPage } from '../../../src/reporting/report-page.ts';
import type { Block } from '../../../src/reporting/report-page.ts';
import { PdfDocument } from './pdf/library.ts';
import { maxPages } from './pdf/max-pages.ts';
import { createSheets, margins } from './pdf/sheets.ts';
import type { Sheets } from './pdf/sheets.ts';
import { escapeXml } from './xml.ts';

/** Width of the label column, in points. */
const labels = 112;
/** Width of the line above a signature, in points. */
const signatureWidth = 240;

/** Makes the PDF; `undefined`: the document would have more than `maxPages`. */
export async function pdfReport(report: Report): Promise<Uint8Array | undefined> {
  const { record } = report;
  const pdf = new PdfDocument({
    pdfVersion: '1.7',
    subset: 'PDF/A-2a',
    tagged: true,
    size: 'A4',
    margins,
    bufferPages: true,
    lang: record.language,
    displayTitle: true,
    // No standard font: those are not embedded.
    font: '',
    // The date is the document's, so that a version always has the same bytes.
    info: { Title: record.title, Creator: 'Laudio', CreationDate: new Date(record.updated_at) },
  });
  describeAsXml(pdf);
  pdf.appendXML(accessible);
  const sheets = createSheets(pdf, maxPages);
  if (lineCount(record.sections) > maxPages * sheets.linesOfPage('text')) return undefined;
  for (const block of buildPage(report)) {
    writeBlock(sheets, block);
    if (sheets.full) return undefined;
  }
  const chunks: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject));
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

/** Says that the document is PDF/UA-1, and declares that property, which PDF/A does not know (ISO 19005-2 6.6.2.3). */
const accessible = `
        <rdf:Description xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" rdf:about="">
            <pdfuaid:part>1</pdfuaid:part>
        </rdf:Description>
        <rdf:Description xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
            xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
            xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#" rdf:about="">
            <pdfaExtension:schemas>
                <rdf:Bag>
                    <rdf:li rdf:parseType="Resource">
                        <pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>
                        <pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
                        <pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
                        <pdfaSchema:property>
                            <rdf:Seq>
                                <rdf:li rdf:parseType="Resource">
                                    <pdfaProperty:name>part</pdfaProperty:name>
                                    <pdfaProperty:valueType>Integer</pdfaProperty:valueType>
                                    <pdfaProperty:category>internal</pdfaProperty:category>
                                    <pdfaProperty:description>The part of ISO 14289 that the document follows</pdfaProperty:description>
                                </rdf:li>
                            </rdf:Seq>
                        </pdfaSchema:property>
                    </rdf:li>
                </rdf:Bag>
            </pdfaExtension:schemas>
        </rdf:Description>
        `;

/** Counts only line breaks in the text, which rejects most oversized documents before layout. */
const lineCount = (sections: readonly Section[]): number =>
  sections.reduce((count, { text }) => count + text.split('\n').length, 0);

/** pdfkit writes the title into its XML unescaped, after it has written the dictionary. */
function describeAsXml(pdf: PDFKit.PDFDocument): void {
  const described = pdf as PDFKit.PDFDocument & { endMetadata: () => void };
  const endMetadata = described.endMetadata.bind(pdf);
  described.endMetadata = () => {
    pdf.info.Title = escapeXml(pdf.info.Title ?? '');
    endMetadata();
  };
}

function writeBlock(sheets: Sheets, block: Block): void {
  switch (block.kind) {
    case 'letterhead': {
      const [name = '', ...lines] = block.lines;
      sheets.write('P', 'letterhead', name);
      for (const line of lines) sheets.write('P', 'address', line);
      sheets.gap(6);
      sheets.rule();
      return sheets.gap(18);
    }
    case 'title':
      sheets.write('H1', 'title', block.text);
      return sheets.gap(10);
    case 'notice':
      return sheets.write('P', 'notice', block.text);
    case 'head':
      writeLines(sheets, block.lines);
      return sheets.gap(6);
    case 'section':
      sheets.gap(14);
      // Keeps a heading on the same page as the first lines of its section.
      sheets.keepTogether(40);
      sheets.write('H2', 'heading', block.title);
      sheets.gap(3);
      return sheets.write('P', 'text', block.text);
    case 'signature':
      sheets.gap(28);
      sheets.keepTogether(48);
      sheets.rule(signatureWidth);
      sheets.gap(6);
      writeLines(sheets, block.lines);
      return sheets.gap(10);
    case 'foot':
      return sheets.end(block.text);
  }
}

const writeLines = (sheets: Sheets, lines: readonly Line[]): void => {
  for (const { label, value } of lines) sheets.write('P', 'value', value, { label, indent: labels });
};
