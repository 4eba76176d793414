/** The accession numbers that the orders of an exam have of their own. The page reads these too, so this module brings no others. */

/** Name in an exam's metadata for its orders (`Order[]`, orders.ts), in the sequence in which they were told first. */
export const ordersName = 'orders';

/** As they stand in the metadata, whatever else stands there. Most exams have none, and this is asked of each. */
export function numbersOfOrders(metadata: Readonly<Record<string, unknown>> | null | undefined): readonly string[] {
  const told = metadata?.[ordersName];
  if (!Array.isArray(told)) return none;
  return told.flatMap((order: { readonly accession_number?: unknown } | null) =>
    typeof order?.accession_number === 'string' ? [order.accession_number] : [],
  );
}

const none: readonly string[] = [];
