/** Where operators read what becomes of flows. A pino logger is one. */
export interface PublicationLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
