// Stands for a program that recognises speech: it tells of the WAV file on its standard input what can be told without ears.
import { buffer } from 'node:stream/consumers';

const sound = await buffer(process.stdin);
const bytesPerSecond = sound.readUInt32LE(28);
process.stdout.write(`Sound of ${(sound.length - 44) / bytesPerSecond} seconds, in ${process.argv[2]}.\n`);
