/** Clients and people as the store has them, with the hashes of their secrets. */
import type { Documents } from '../storage/collections.ts';

export type StoredClient = Documents['clients'];
export type StoredUser = Documents['users'];
