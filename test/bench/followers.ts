/** A thread with many who follow a worklist. Says so once all of them are connected. */
import { get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { contract } from '../../src/contract/index.ts';

export interface Following {
  readonly url: string;
  readonly token: string;
  readonly count: number;
}

const { url, token, count } = workerData as Following;
const address = new URL(contract.worklists.endpoints.events.path, url);
const headers = { authorization: `Bearer ${token}` };
await Promise.all(
  Array.from(
    { length: count },
    () =>
      new Promise<void>((resolve, reject) => {
        get(address, { headers, agent: false }, (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`a stream was answered with ${answer.statusCode}`));
          answer.once('data', () => resolve()).on('error', () => {});
        }).on('error', reject);
      }),
  ),
);
parentPort!.postMessage('connected');
