/** The audit trail in the forms of other systems: spreadsheets, collectors of syslog, repositories of audit messages. */
import { hostname } from 'node:os';
import { csvCell } from '../sending/report.ts';
import type { NamedEntry } from './audit-names.ts';

export interface AuditFormat {
  /** Before the first entry. */
  readonly begin: string;
  line(entry: NamedEntry): string;
}

const columns = [
  'number',
  'at',
  'by',
  'user_id',
  'user',
  'client_id',
  'client',
  'action',
  'kind',
  'ids',
  'outcome',
  'count',
  'request_id',
  'address',
  'previous',
] as const satisfies readonly (keyof NamedEntry)[];

function cell(value: NamedEntry[(typeof columns)[number]]): string {
  if (value === null || value === undefined) return '';
  return csvCell(typeof value === 'object' ? value.join(' ') : String(value));
}

/** RFC 4180. */
const csv: AuditFormat = {
  begin: `${columns.join(',')}\r\n`,
  line: (entry) => `${columns.map((name) => cell(entry[name])).join(',')}\r\n`,
};

/** "Log audit", RFC 5424 6.2.1. */
const facility = 13;
const severities = { done: 5, refused: 4 } as const;

/** RFC 5424 6: printable ASCII without spaces, or `-`. */
const header = (text: string, length: number): string => text.replaceAll(/[^!-~]/g, '').slice(0, length) || '-';

/** RFC 5424 6.3.3: three characters are escaped. */
const parameter = (name: string, value: string): string => `${name}="${value.replaceAll(/["\\\]]/g, String.raw`\$&`)}"`;

/** Longer lines are cut by many receivers (RFC 5424 6.1). */
const maxIds = 20;

/** The number is the one that RFC 5612 sets aside for examples: Laudio has none. */
const dataId = 'audit@32473';

const syslog: AuditFormat = {
  begin: '',
  line(entry) {
    const { number, at, by, user_id, user, client_id, client, action, kind, ids, outcome, count, request_id, address } =
      entry;
    const fields = {
      number,
      by,
      user_id,
      user,
      client_id,
      client,
      action,
      kind,
      ids: ids.slice(0, maxIds).join(' '),
      ...(ids.length > maxIds && { more_ids: ids.length - maxIds }),
      outcome,
      count,
      request_id,
      address,
    };
    const data = Object.entries(fields).flatMap(([name, value]) =>
      value === null || value === undefined || value === '' ? [] : [parameter(name, String(value))],
    );
    const priority = facility * 8 + severities[outcome];
    const who = user ?? user_id ?? client ?? client_id ?? by;
    const times = count === undefined ? '' : ` ${count} times`;
    return `<${priority}>1 ${at} ${header(hostname(), 255)} laudio - ${header(action, 32)} [${dataId} ${data.join(' ')}] ${who}: ${action} ${outcome}${times}\n`;
  },
};

interface Coding {
  readonly system: string;
  readonly code: string;
  readonly display: string;
}

const dicom = (code: string, display: string): Coding => ({
  system: 'http://dicom.nema.org/resources/ontology/DCM',
  code,
  display,
});

/** DICOM PS3.15 A.5.3, as far as the trail has such events. */
const events = {
  authentication: dicom('110114', 'User Authentication'),
  export: dicom('110106', 'Export'),
  patientRecord: dicom('110110', 'Patient Record'),
  securityAlert: dicom('110113', 'Security Alert'),
  query: dicom('110112', 'Query'),
  application: dicom('110100', 'Application Activity'),
} as const;

const patientKinds: ReadonlySet<string> = new Set(['items', 'records', 'priors', 'jobs', 'transcriptions', 'patients']);

function findEvent({ action, kind, ids, outcome }: NamedEntry): Coding {
  if (/(?:^|_)log(?:in|out)$|^token_revoked$/.test(action)) return events.authentication;
  if (outcome === 'refused') return events.securityAlert;
  if (/export|backup|\.audio$/.test(action)) return events.export;
  if (/\.(?:list|find)$/.test(action)) return events.query;
  return patientKinds.has(kind) && ids.length > 0 ? events.patientRecord : events.application;
}

/** FHIR's codes: create, read, update, delete, execute. */
function findAction({ action }: NamedEntry): 'C' | 'R' | 'U' | 'D' | 'E' {
  const verb = action.slice(action.lastIndexOf('.') + 1);
  if (/^(?:create|ingest|generate|import|take|add)/.test(verb)) return 'C';
  if (/^(?:delete|remove|erase|reset)/.test(verb)) return 'D';
  if (/^(?:list|get|find|show|versions?|history|audio|export|provenance|result|events|backup|message)/.test(verb))
    return 'R';
  if (/^(?:update|set|correct|replace|restrict|release|put|seed)/i.test(verb)) return 'U';
  return 'E';
}

/** `success`, and a failure of minor importance. */
const outcomes = { done: '0', refused: '4' } as const;

/** An AuditEvent of FHIR R4, as IHE's ATNA takes it by RESTful ATNA; one a line. */
const atna: AuditFormat = {
  begin: '',
  line(entry) {
    const { number, at, by, user_id, user, client_id, client, action, kind, ids, outcome, count, request_id, address } =
      entry;
    const network = address === null ? {} : { network: { address, type: '2' } };
    const agents = [
      ...(user_id === null
        ? []
        : [{ who: { identifier: { value: user_id }, ...(user !== null && { display: user }) }, requestor: true }]),
      ...(client_id === null
        ? []
        : [
            {
              who: { identifier: { value: client_id }, ...(client !== null && { display: client }) },
              requestor: user_id === null,
            },
          ]),
    ];
    const [first = { who: { display: by }, requestor: true }, ...others] = agents;
    const detail = (type: string, value: string) => ({ type, valueString: value });
    const details = [
      detail('number', String(number)),
      ...(request_id === null ? [] : [detail('request_id', request_id)]),
      ...(count === undefined ? [] : [detail('count', String(count))]),
    ];
    const event = {
      resourceType: 'AuditEvent',
      type: findEvent(entry),
      subtype: [{ system: 'urn:laudio:action', code: action }],
      action: findAction(entry),
      recorded: at,
      outcome: outcomes[outcome],
      agent: [{ ...first, ...network }, ...others],
      source: {
        site: hostname(),
        observer: { display: 'Laudio' },
        type: [
          {
            system: 'http://terminology.hl7.org/CodeSystem/security-source-type',
            code: '4',
            display: 'Application Server',
          },
        ],
      },
      entity: [
        ...ids.map((id) => ({ what: { identifier: { value: id } }, name: kind })),
        { what: { identifier: { value: `entry-${number}` } }, name: 'audit trail', detail: details },
      ],
    };
    return `${JSON.stringify(event)}\n`;
  },
};

export const auditFormats = { csv, syslog, atna } as const satisfies Readonly<Record<string, AuditFormat>>;
export type AuditFormatName = keyof typeof auditFormats;
export const auditFormatNames = Object.keys(auditFormats) as readonly AuditFormatName[];
