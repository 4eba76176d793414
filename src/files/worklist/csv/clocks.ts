/** Times of day as tables write them, with the zone behind, where they name one. */
import type { OffsetAt } from '../zone.ts';
import { clockFrom, maxMomentLength } from './dates.ts';
import { findEntry } from '../../../domain/find-entry.ts';

/** Offsets of the names that zones have in reports; of names that several places use, the more usual first. */
const offsetsOfName: Readonly<Record<string, readonly string[]>> = {
  Z: ['Z'],
  UTC: ['+00:00'],
  GMT: ['+00:00'],
  WET: ['+00:00'],
  WEST: ['+01:00'],
  BST: ['+01:00', '+06:00'],
  CET: ['+01:00'],
  MEZ: ['+01:00'],
  CEST: ['+02:00'],
  MESZ: ['+02:00'],
  EET: ['+02:00'],
  EEST: ['+03:00'],
  NDT: ['-02:30'],
  NST: ['-03:30'],
  ADT: ['-03:00'],
  AST: ['-04:00', '+03:00'],
  EDT: ['-04:00'],
  EST: ['-05:00'],
  CDT: ['-05:00'],
  CST: ['-06:00', '+08:00'],
  MDT: ['-06:00'],
  MST: ['-07:00'],
  PDT: ['-07:00'],
  PST: ['-08:00'],
  AKDT: ['-08:00'],
  AKST: ['-09:00'],
  HST: ['-10:00'],
  BRT: ['-03:00'],
  ART: ['-03:00'],
  CLST: ['-03:00'],
  CLT: ['-04:00'],
  COT: ['-05:00'],
  PET: ['-05:00'],
  AEDT: ['+11:00'],
  AEST: ['+10:00'],
  JST: ['+09:00'],
  IST: ['+05:30', '+02:00', '+01:00'],
};

export interface Clock {
  readonly time: string;
  /** None where no zone is named. */
  readonly offsets: readonly string[];
}

/** Behind a time: the name of a zone, or an offset with or without it. */
const zone = /\(?(?:([A-Z]{1,4})|(?:UTC|GMT)?([+-]\d{1,2})(?::?([0-5]\d))?)\)?$/;

/** `undefined` for text that is no time of day. */
export function clockIn(text: string): Clock | undefined {
  if (text.length > maxMomentLength) return undefined;
  const plain = clockFrom(text);
  if (plain !== undefined) return { time: plain, offsets: [] };
  const zoned = text.trim();
  const found = zone.exec(zoned);
  if (!found) return undefined;
  const [, name, hours, minutes = '00'] = found;
  const time = clockFrom(zoned.slice(0, found.index).trim());
  if (time === undefined) return undefined;
  if (hours !== undefined) return { time, offsets: [`${hours[0]}${hours.slice(1).padStart(2, '0')}:${minutes}`] };
  const offsets = name === undefined ? undefined : findEntry(offsetsOfName, name);
  return offsets && { time, offsets };
}

/** The local time with its offset: of several that the name of its zone has, that of the place, else the usual one. */
export function withZone(date: string, { time, offsets }: Clock, offsetAt: OffsetAt): string {
  const local = `${date}T${time}`;
  const isOpen = offsets.length > 1;
  const here = isOpen ? offsetAt(Date.parse(`${local}Z`)) : undefined;
  return local + (offsets.find((offset) => offset === here) ?? offsets[0] ?? '');
}
