/** Where the fate of flows is told to those who run the service. A pino logger is one. */
export interface PublicationLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
