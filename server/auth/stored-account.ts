/** Stored clients and users, with the hashes of their secrets. */
import type { Documents } from '../storage/collections.ts';

export type StoredClient = Documents['clients'];
export type StoredUser = Documents['users'];
