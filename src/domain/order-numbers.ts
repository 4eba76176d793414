/**
 * The accession numbers that belong to single orders of an exam. The page imports this module, so it imports none
 * itself.
 */

/**
 * Name in an exam's metadata for its orders (`Order[]`, orders.ts), in the sequence in which messages first named them.
 */
export const ordersName = 'orders';

/** Reads the metadata as it is, whatever it holds. Most exams have no such numbers, and every exam is asked. */
export function numbersOfOrders(metadata: Readonly<Record<string, unknown>> | null | undefined): readonly string[] {
  const orders = metadata?.[ordersName];
  if (!Array.isArray(orders)) return none;
  return orders.flatMap((order: { readonly accession_number?: unknown } | null) =>
    typeof order?.accession_number === 'string' ? [order.accession_number] : [],
  );
}

const none: readonly string[] = [];
