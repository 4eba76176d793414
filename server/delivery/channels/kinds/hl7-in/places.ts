/** Where messages have the fields of the contract, for those who have to mend a message. */

/** By the type of a message (MSH-9.1) and the name of a field. */
export async function createPlaces(): Promise<(type: string, field: string) => string | undefined> {
  const { hl7Mappings, orderMessages, patientMappings } =
    await import('../../../../../src/files/worklist/hl7/fields.ts');
  return (type, field) => {
    const table = orderMessages[type];
    const mappings = table === undefined ? patientMappings.PID : hl7Mappings[table];
    return mappings.find(({ to }) => to === field)?.from[0];
  };
}
