/**
 * Rows that a step of erasing takes. It stands in the statements as a number: of a limit that is not known when a
 * statement is planned, the server expects a tenth of the table, and reads all of it.
 */
export const stepRows = 500
